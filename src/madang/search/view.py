"""The searchable form of a set of entries: built once per version of an index, on its first search."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from madang.search.documents import Document, Explanation, Hit, Meta
from madang.search.entries import KINDS, Embed, Entry, Vectors, unit
from madang.search.fusion import Fusion
from madang.search.overlaps import Overlap, Query
from madang.search.phrases import PhrasePart
from madang.search.statistics import Floats, Weights, count
from madang.search.texts import TextPart
from madang.search.tokens import Expand, Tokenizers, fillers
from madang.search.vocabulary import Ids, Vocabulary

log = logging.getLogger(__name__)

BREAK = re.compile(r"[.!?\n;]+|,\s")
# One sentence out of many fits a phrase better than the whole story, but is weaker evidence.
SENTENCE_SHARE = 0.9


@dataclass(frozen=True)
class TokenisedQuery:
    """A query cut into tokens: as a whole, and sentence by sentence if it has several."""

    whole: Mapping[str, Query]
    sentences: tuple[Mapping[str, Query], ...]
    vector: Vectors | None


class View:
    """All parts over the same documents, in one order."""

    def __init__(self, entries: Sequence[Entry], vocabulary: Vocabulary, fusion: Fusion) -> None:
        self._documents: list[Document] = [entry.document for entry in entries]
        self._place = {document.id: number for number, document in enumerate(self._documents)}
        self._entries = entries
        self._fusion = fusion
        size = len(entries)
        self._vocabulary = vocabulary
        everything = {kind: [_everything(entry, kind) for entry in entries] for kind in ("terms", "bigrams")}
        self._terms = TextPart(everything["terms"], vocabulary, fillers())
        self._bigrams = TextPart(everything["bigrams"], vocabulary, frozenset())
        self._coverage = {
            "terms": _coverage(everything["terms"], vocabulary, fillers()),
            "bigrams": _coverage(everything["bigrams"], vocabulary, frozenset()),
        }
        counts = [len(entry.rows) for entry in entries]
        self._owners = np.repeat(np.arange(size, dtype=np.int32), counts)
        self._phrases = {
            kind: PhrasePart(
                [entry.row_tokens[kind] for entry in entries],
                vocabulary,
                fillers() if kind == "terms" else frozenset(),
                fusion.likeness,
            )
            for kind in KINDS
        }
        self._vectors, self._vector_owners = _stacked(entries)

    def question(
        self, query: str, tokenizers: Tokenizers, expand: Expand | None, embed: Embed | None
    ) -> TokenisedQuery:
        """`query` as the parts need it. An embedding service that fails costs only the vectors' share."""
        parts = [part.strip() for part in BREAK.split(query) if part.strip()]
        return TokenisedQuery(
            whole=_cut(query, tokenizers, expand),
            sentences=tuple(_cut(part, tokenizers, expand) for part in parts) if len(parts) > 1 else (),
            vector=_embedded(query, embed) if self._vectors is not None and embed else None,
        )

    def hits(
        self,
        question: TokenisedQuery,
        exact: Sequence[str],
        k: int,
        filters: Meta,
        *,
        min_score: float,
        explain: bool,
    ) -> list[Hit]:
        rows = self._row_scores(question)
        parts = self._parts(question, rows)
        covered = [part.share(question.whole[kind]) for kind, part in self._coverage.items()]
        scores = self._fusion.fuse(parts, np.mean(covered, axis=0))
        named = list(dict.fromkeys(self._place[key] for key in exact))
        scores[named] = 1.0
        ranked = np.argsort(-scores, kind="stable").tolist()
        order = chain(named, (number for number in ranked if number not in named))
        found: list[Hit] = []
        for number in order:
            if len(found) == k or scores[number] <= 0 or scores[number] < min_score:
                break
            document = self._documents[number]
            if document.matches(filters):
                why = self._explain(number, question, parts, rows, exact=number in named) if explain else None
                found.append(Hit(document=document, score=float(scores[number]), explanation=why))
        return found

    def _parts(self, question: TokenisedQuery, rows: Floats) -> dict[str, Floats]:
        parts = {
            "phrases": self._best_per_document(rows, self._owners),
            "terms": self._terms.scores(question.whole["terms"]),
            "bigrams": self._bigrams.scores(question.whole["bigrams"]),
        }
        if question.vector is not None and self._vectors is not None:
            floor = self._fusion.vector_floor
            near = (np.asarray(self._vectors @ question.vector, dtype=np.float64) - floor) / (1 - floor)
            parts["vectors"] = self._best_per_document(np.clip(near, 0, 1), self._vector_owners)
        return parts

    def _row_scores(self, question: TokenisedQuery) -> Floats:
        scores = self._likeness(question.whole)
        for sentence in question.sentences:
            scores = np.maximum(scores, SENTENCE_SHARE * self._likeness(sentence))
        return scores

    def _likeness(self, query: Mapping[str, Query]) -> Floats:
        total = np.zeros(len(self._owners))
        for kind, share in self._fusion.mix.items():
            total += share * self._phrases[kind].scores(query[kind])
        return total

    def _best_per_document(self, rows: Floats, owners: np.ndarray) -> Floats:
        best = np.zeros(len(self._documents))
        np.maximum.at(best, owners, rows)
        return best

    def _explain(
        self, number: int, question: TokenisedQuery, parts: Mapping[str, Floats], rows: Floats, *, exact: bool
    ) -> Explanation:
        entry = self._entries[number]
        own = rows[slice(*np.searchsorted(self._owners, [number, number + 1]))]
        best = entry.rows[int(np.argmax(own))] if len(own) and own.max() > 0 else None
        words = set(_everything(entry, "terms").tolist())
        asked = question.whole["terms"]
        return Explanation(
            parts={name: round(float(scores[number]), 4) for name, scores in parts.items()},
            phrase=best,
            terms=tuple(
                term for term in asked if any(self._vocabulary.find(word) in words for word in (term, *asked[term]))
            ),
            exact=exact,
        )


def _cut(text: str, tokenizers: Tokenizers, expand: Expand | None) -> dict[str, Query]:
    terms = {term: dict(expand(term)) if expand else {} for term in tokenizers.terms(text)}
    plain: dict[str, Query] = {"terms": terms}
    for kind, tokens in (("bigrams", tokenizers.bigrams(text)), ("jamo", tokenizers.jamo(text))):
        plain[kind] = {token: {} for token in tokens}
    return plain


def _everything(entry: Entry, kind: str) -> Ids:
    """The tokens of text and phrases."""
    return np.concatenate([entry.terms if kind == "terms" else entry.bigrams, *entry.row_tokens[kind]])


def _coverage(documents: Sequence[Ids], vocabulary: Vocabulary, words: frozenset[str]) -> Overlap:
    counts = count(documents, len(vocabulary))
    return Overlap(counts, Weights(counts, vocabulary, words), vocabulary)


def _embedded(query: str, embed: Embed) -> Vectors | None:
    try:
        return unit(np.asarray(embed([query])[0], dtype=np.float32))
    # Whatever the embedding client raises: the other parts still answer.
    except Exception as error:  # noqa: BLE001
        log.warning("query could not be embedded", extra={"error": type(error).__name__})
        return None


def _stacked(entries: Sequence[Entry]) -> tuple[Vectors | None, np.ndarray]:
    having = [(number, entry.vectors) for number, entry in enumerate(entries) if entry.vectors is not None]
    if not having:
        return None, np.zeros(0, dtype=np.int32)
    owners = np.concatenate([np.full(len(vectors), number, dtype=np.int32) for number, vectors in having])
    return np.concatenate([vectors for _, vectors in having]), owners
