"""A document with everything about it that costs time to compute, kept from one version of an index to the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from madang.errors import InvalidInput
from madang.search.documents import Document
from madang.search.tokens import Tokenizers
from madang.search.vocabulary import Ids, Vocabulary

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
Vectors = npt.NDArray[np.float32]
KINDS = ("terms", "bigrams", "jamo")


@dataclass(frozen=True)
class Entry:
    """`rows` are title and phrases, `row_tokens` each one's distinct tokens by kind; `vectors` for text and phrases."""

    document: Document
    terms: Ids
    bigrams: Ids
    rows: tuple[str, ...]
    row_tokens: Mapping[str, tuple[Ids, ...]]
    vectors: Vectors | None = None


def rows_of(document: Document) -> tuple[str, ...]:
    """The phrases a document is known by: its title and its everyday phrasings."""
    return tuple(row for row in (document.title, *document.phrases) if row.strip())


def make_entries(
    documents: Sequence[Document], vocabulary: Vocabulary, tokenizers: Tokenizers, embed: Embed | None = None
) -> list[Entry]:
    """The entries of `documents`, in their order."""
    vectors = embed_all(documents, embed) if embed else [None] * len(documents)
    return [
        make_entry(document, vocabulary, tokenizers, vector)
        for document, vector in zip(documents, vectors, strict=True)
    ]


def make_entry(
    document: Document,
    vocabulary: Vocabulary,
    tokenizers: Tokenizers,
    vectors: Vectors | None,
    morphemes: Sequence[Sequence[str]] | None = None,
) -> Entry:
    """One entry; `morphemes` are those of its text and of its rows when they are known already."""
    whole = f"{document.title}\n{document.text}"
    rows = rows_of(document)
    cut = morphemes if morphemes is not None else [list(tokenizers.terms(text)) for text in (whole, *rows)]
    kinds = {
        "terms": cut[1:],
        "bigrams": [tokenizers.bigrams(row) for row in rows],
        "jamo": [tokenizers.jamo(row) for row in rows],
    }
    return Entry(
        document=document,
        terms=vocabulary.ids(cut[0]),
        bigrams=vocabulary.ids(tokenizers.bigrams(whole)),
        rows=rows,
        row_tokens={kind: tuple(vocabulary.ids(dict.fromkeys(row)) for row in kinds[kind]) for kind in KINDS},
        vectors=vectors,
    )


def embed_all(documents: Sequence[Document], embed: Embed) -> list[Vectors]:
    """Unit vectors of each document's text and phrases, asked for in one go."""
    texts = [[f"{document.title}\n{document.text}", *document.phrases] for document in documents]
    flat = [text for group in texts for text in group]
    if not flat:
        return []
    made = unit(np.asarray(embed(flat), dtype=np.float32))
    if made.ndim != 2 or len(made) != len(flat):
        raise InvalidInput(f"the embedding function gave {made.shape} for {len(flat)} texts")
    bounds = np.cumsum([len(group) for group in texts])[:-1]
    return [np.asarray(part, dtype=np.float32) for part in np.split(made, bounds)]


def unit(vectors: Vectors) -> Vectors:
    """The vectors at length 1; a zero vector stays as it is."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)
