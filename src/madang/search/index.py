"""The index: immutable, so that a search never sees half an update. An update shares what has not changed."""

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from madang.errors import InvalidInput, NotFound, StoredDataError
from madang.search.documents import Document, Hit, Meta
from madang.search.entries import Embed, Entry, make_entries
from madang.search.fusion import Fusion
from madang.search.tokens import Expand, Tokenizers
from madang.search.view import View
from madang.search.vocabulary import Vocabulary

log = logging.getLogger(__name__)

Resolve = Callable[[str], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Methods:
    """The callables and weights an index works with; none of them is stored with it.

    `resolve` gives the ids of documents that the query names exactly ("주임법 7조의2"), `expand` other words for a word
    with how much each is worth, `embed` vectors of texts.
    """

    tokenizers: Tokenizers = field(default_factory=Tokenizers)
    fusion: Fusion = field(default_factory=Fusion)
    resolve: Resolve | None = None
    expand: Expand | None = None
    embed: Embed | None = None


@dataclass(frozen=True)
class HybridIndex:
    """Hybrid retrieval over short documents. `build`, `load`, `with_documents` and `without` make one."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    methods: Methods = field(default_factory=Methods)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    @classmethod
    def build(cls, documents: Iterable[Document], methods: Methods | None = None) -> Self:
        """An index of `documents`. Raises `InvalidInput` if two have the same id."""
        return cls({}, methods or Methods())._adding(list(documents), refuse_known=True)

    @classmethod
    def kept(cls, folder: Path | None, documents: Iterable[Document], methods: Methods | None = None) -> Self:
        """The index of `documents`, read from `folder` if it holds just that, otherwise built and stored there.

        Cutting thousands of texts into words takes seconds, reading them back does not.
        """
        given = list(documents)
        if folder is None:
            return cls.build(given, methods)
        text = "\x1e".join(f"{d.id}\x1f{d.title}\x1f{d.text}\x1f{d.phrases}" for d in given)
        place = folder / hashlib.sha256(text.encode()).hexdigest()[:16]
        try:
            return cls.load(place, methods)
        except (NotFound, StoredDataError) as error:
            log.info("an index is built anew", extra={"reason": error.code})
        index = cls.build(given, methods)
        folder.mkdir(parents=True, exist_ok=True)
        index.save(place)
        return index

    def with_documents(self, documents: Iterable[Document]) -> Self:
        """This index with `documents` added, or put in the place of those with the same id.

        Raises `InvalidInput` if two of them have the same id.
        """
        return self._adding(list(documents), refuse_known=False)

    def without(self, ids: Iterable[str]) -> Self:
        """This index without those documents. Ids it doesn't have are passed over."""
        gone = set(ids)
        return replace(self, entries={key: entry for key, entry in self.entries.items() if key not in gone})

    def _adding(self, documents: Sequence[Document], *, refuse_known: bool) -> Self:
        seen = set(self.entries) if refuse_known else set()
        for document in documents:
            if document.id in seen:
                raise InvalidInput(f"two documents have the id {document.id}", id=document.id)
            seen.add(document.id)
        made = make_entries(documents, self.vocabulary, self.methods.tokenizers, self.methods.embed)
        return replace(self, entries={**self.entries, **{entry.document.id: entry for entry in made}})

    @property
    def documents(self) -> list[Document]:
        return [entry.document for entry in self.entries.values()]

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def _view(self) -> View:
        # In the order of ids, so that an updated index and a rebuilt one are the same to the last bit.
        return View([self.entries[key] for key in sorted(self.entries)], self.vocabulary, self.methods.fusion)

    def search(
        self, query: str, k: int = 10, *, filters: Meta | None = None, min_score: float = 0.0, explain: bool = True
    ) -> list[Hit]:
        """The `k` best documents for `query`, best first, equal ones by id; documents named exactly come before all.

        `filters` name meta fields (or `kind`) and a value or values each. Raises `InvalidInput` for k below 1.
        """
        if k < 1:
            raise InvalidInput(f"k must be at least 1, not {k}")
        if not query.strip() or not self.entries:
            return []
        exact = [key for key in self.methods.resolve(query) if key in self.entries] if self.methods.resolve else []
        question = self._view.question(query, self.methods.tokenizers, self.methods.expand, self.methods.embed)
        return self._view.hits(question, exact, k, filters or {}, min_score=min_score, explain=explain)

    def save(self, path: Path) -> None:
        """Write the index to the directory `path`, replacing an older one whole or not at all."""
        from madang.search.storage import save

        save(path, list(self.entries.values()), self.vocabulary, self.methods.tokenizers.name)

    @classmethod
    def load(cls, path: Path, methods: Methods | None = None) -> Self:
        """The index in `path`; texts are cut anew if its tokenizers were others.

        Raises `NotFound`, `UnreadableData` (corrupt: `recover` may help) or `UnknownSchemaVersion` (newer).
        """
        from madang.search.storage import load

        methods, vocabulary = methods or Methods(), Vocabulary()
        entries = load(path, vocabulary, methods.tokenizers, methods.embed)
        return cls({entry.document.id: entry for entry in entries}, methods, vocabulary)

    @classmethod
    def recover(cls, path: Path, methods: Methods | None = None) -> Self:
        """A new index from the documents stored in `path`, when only its other files are damaged.

        Raises `UnreadableData` if the documents themselves are.
        """
        from madang.search.storage import load_documents

        return cls.build(load_documents(path), methods)
