"""A contract's text cut into its clauses and sentences."""

import re
from dataclasses import dataclass

_MARKER = re.compile(
    r"(?:^|\n)[^\S\n]*(?:제\s?\d+\s?조(?:\s?의\s?\d+)?(?:\s?[\(\[【][^\)\]】]{0,60}[\)\]】])?|\d{1,2}\s?[.)](?!\d)|[(（]\d{1,2}[)）]|[①-⑳]|[-•*▪◦·]\s|[가-하]\s?[.)]\s)"
    r"|(?<=[.다함음])\s+(?=제\s?\d+\s?조|[①-⑳]|\d{1,2}\.\s)"
)
_SENTENCE = re.compile(r"(?<=[다함음임됨것])\.\s*|(?<=[.!?。])\s+|\n+|;\s*")
_EXCEPTION = re.compile(r"\s*[(（]?(?:단|다만|그러나|이\s?경우|이때)[\s,]")
_SYMBOLS = re.compile(r"[\W_]")


@dataclass(frozen=True)
class Clause:
    """One numbered or separate provision of the contract, as it was written; `label` is its own number (제3조)."""

    number: int
    text: str
    label: str = ""


def split_clauses(contract: str) -> list[Clause]:
    """The provisions of a contract in order; a text without numbering is split at its lines and sentences."""
    text = contract.replace("\r\n", "\n").strip()
    marks = list(_MARKER.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    if marks:
        pieces = [("", text[: marks[0].start()])]
        pieces += [(mark.group().strip(), text[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    else:
        pieces = [("", piece) for piece in _with_exceptions(sentences(text))]
    kept = [(label, piece.strip(" \t\n-–•")) for label, piece in pieces if len(_SYMBOLS.sub("", piece)) >= 4]
    return [Clause(number, piece, label) for number, (label, piece) in enumerate(kept, 1)]


def sentences(text: str) -> list[str]:
    """The sentences of a text, also those that end in a noun form (~함, ~음)."""
    return [piece for part in _SENTENCE.split(text) if (piece := part.strip())]


def whole_sentences(text: str) -> list[str]:
    """The sentences of a text, each with the exception that follows it."""
    return _with_exceptions(sentences(text))


def _with_exceptions(found: list[str]) -> list[str]:
    """Exceptions (단, 다만) stay with the sentence they limit."""
    joined: list[str] = []
    for sentence in found:
        if joined and _EXCEPTION.match(sentence):
            joined[-1] = f"{joined[-1]}. {sentence}"
        else:
            joined.append(sentence)
    return joined
