"""Roles of words and acts of clauses, learnt from labelled messages: small linear-chain models over morphemes.

The models are trained by `make readers` from the labelled messages in `bench/data/reading`.
"""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from madang.errors import needs_extra
from madang.text.clauses import Span
from madang.text.features import Token, clause_features, role_features, tokens_of
from madang.text.message import Message, Value

if TYPE_CHECKING:
    from pycrfsuite import Tagger

OUTSIDE = "O"


@dataclass(frozen=True)
class Role:
    """These words play this role; `value` is the parsed value they are, if they are one. `sure` is 0 to 1."""

    name: str
    span: Span
    words: str
    sure: float
    value: Value | None = None


@dataclass(frozen=True)
class ClauseLabel:
    """What a clause does (its act) or is about (its task)."""

    name: str
    span: Span
    sure: float


class Chain:
    """One trained chain: features in, labels with how sure they are out. Safe from several threads."""

    def __init__(self, model: bytes) -> None:
        self._model = model

    def label(self, items: Sequence[Sequence[str]]) -> list[tuple[str, float]]:
        """A label for each item, with its marginal probability."""
        if not items:
            return []
        tagger = _open(self._model)
        tagger.set([list(item) for item in items])
        labels = tagger.tag()
        return [(label, tagger.marginal(label, at)) for at, label in enumerate(labels)]


def _open(model: bytes) -> "Tagger":
    # A tagger holds the sequence it was given, so each call has one of its own; opening takes microseconds.
    with needs_extra("korean", "reading messages"):
        from pycrfsuite import Tagger

    tagger = Tagger()
    tagger.open_inmemory(model)
    return tagger


@dataclass(frozen=True)
class LearntReader:
    """The chains of one assistant. `data_hash` says which labelled messages they were trained from."""

    chains: dict[str, Chain]
    data_hash: str

    @classmethod
    def load(cls, path: Path) -> "LearntReader":
        """The reader stored at `path`, loaded once a process. Raises `OSError` if there is none."""
        return _load(path)

    def roles(self, message: Message, least: float = 0.0) -> list[Role]:
        """The roles of the message's words and values, those less sure than `least` left out."""
        tokens = tokens_of(message)
        labelled = self.chains["roles"].label(role_features(message, tokens))
        return [role for role in _joined(message, tokens, labelled) if role.sure >= least]

    def clauses(self, message: Message, chain: str) -> list[ClauseLabel]:
        """The label of each clause by one chain: `acts` or `tasks`."""
        labelled = self.chains[chain].label(clause_features(message))
        return [ClauseLabel(name, span, sure) for span, (name, sure) in zip(message.clauses, labelled, strict=True)]


@lru_cache(maxsize=8)
def _load(path: Path) -> LearntReader:
    with zipfile.ZipFile(BytesIO(path.read_bytes())) as packed:
        about = json.loads(packed.read("about.json"))
        return LearntReader({name: Chain(packed.read(name)) for name in about["chains"]}, about["data_hash"])


def save(path: Path, chains: dict[str, bytes], data_hash: str) -> None:
    """Store trained chains where `LearntReader.load` finds them; the same chains give the same bytes."""
    about = json.dumps({"chains": sorted(chains), "data_hash": data_hash}).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content in [("about.json", about), *sorted(chains.items())]:
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def _joined(message: Message, tokens: Sequence[Token], labelled: Sequence[tuple[str, float]]) -> list[Role]:
    """Neighbouring tokens of one role made one; a value is never cut."""
    roles: list[Role] = []
    for token, (label, sure) in zip(tokens, labelled, strict=True):
        if label == OUTSIDE:
            continue
        begins, name = label[0] == "B", label[2:]
        last = roles[-1] if roles else None
        gap = message.text[last.span[1] : token.span[0]] if last else ""
        if last and not begins and last.name == name and len(gap) < 2:
            span = (last.span[0], token.span[1])
            words = message.text[slice(*span)]
            roles[-1] = Role(name, span, words, min(last.sure, sure), last.value or token.value)
        else:
            roles.append(Role(name, token.span, message.text[slice(*token.span)], sure, token.value))
    return roles
