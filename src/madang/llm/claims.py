"""The composer's guard: a sentence of a model's answer stays only if each of its figures and citations has a source."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from madang.llm.citations import Citation, find_citations
from madang.llm.figures import blank, find_figures
from madang.llm.sources import Sources
from madang.text.laws import LawRef

# A full stop after a digit is a decimal point, a date or a list mark more often than an end.
_END = re.compile(r"(?<=[^\d\s][.!?。…])[\"'”’)\]]*(?=\s)|\n")


@dataclass(frozen=True)
class Claim:
    """A figure or citation as it was stated, and the sentence it stood in."""

    kind: Literal["figure", "citation"]
    text: str
    sentence: str


@dataclass(frozen=True)
class Checked:
    """A text without its unsourced sentences; `flagged` says what had no source, `sourced` what had one."""

    text: str
    flagged: tuple[Claim, ...]
    sourced: tuple[Claim, ...]

    @property
    def ok(self) -> bool:
        return not self.flagged


class ClaimGuard:
    """Checks an answer while it is streamed: text goes in piece by piece and comes out sentence by sentence.

    Without sources there is nothing to check, and everything passes as it comes.
    """

    def __init__(self, sources: Sources | None) -> None:
        self._sources = sources
        self._pending = ""
        self._law: str | None = None
        self._kept: list[str] = []
        self.flagged: list[Claim] = []
        self.sourced: list[Claim] = []

    def feed(self, piece: str) -> str:
        """What may be shown now."""
        if self._sources is None:
            self._kept.append(piece)
            return piece
        self._pending += piece
        shown = ""
        while end := _END.search(self._pending):
            sentence, self._pending = self._pending[: end.end()], self._pending[end.end() :]
            shown += self._pass(sentence)
        return shown

    def finish(self) -> str:
        """What may be shown of the rest."""
        rest, self._pending = self._pending, ""
        return self._pass(rest)

    def checked(self) -> Checked:
        """Everything so far, tidied: no lines left empty by what was dropped."""
        text = "".join(self._kept)
        return Checked(_tidy(text) if self.flagged else text.strip(), tuple(self.flagged), tuple(self.sourced))

    def _pass(self, sentence: str) -> str:
        """The sentence, or only its line break when something in it has no source."""
        good, bad = self._judge(sentence, self._sources) if self._sources else ([], [])
        self.sourced += good
        self.flagged += bad
        kept = sentence if not bad else "\n" * sentence.endswith("\n")
        self._kept.append(kept)
        return kept

    def _judge(self, sentence: str, sources: Sources) -> tuple[list[Claim], list[Claim]]:
        citations = find_citations(sentence, self._law)
        figures = find_figures(blank(sentence, [citation.span for citation in citations]))
        self._law = next((item.law for item in reversed(citations) if item.law), self._law)
        said = sentence.strip()
        judged = [(sources.has_citation(item), Claim("citation", item.text, said)) for item in citations]
        judged += [(sources.has_figure(item), Claim("figure", item.text, said)) for item in figures]
        return [claim for sourced, claim in judged if sourced], [claim for sourced, claim in judged if not sourced]


def sources_of(figures: object, citations: Iterable[str | LawRef | Citation] = ()) -> Sources:
    """What may be stated, from any state values and the citations that were retrieved."""
    sources = Sources()
    sources.add_figures(figures)
    sources.add_citations(citations)
    return sources


def check_text(text: str, sources: Sources) -> Checked:
    """`text` without the sentences that state what `sources` don't have."""
    guard = ClaimGuard(sources)
    guard.feed(text)
    guard.finish()
    return guard.checked()


def check_claims(
    text: str, allowed_figures: object, allowed_citations: Iterable[str | LawRef | Citation] = ()
) -> Checked:
    """`text` without the sentences that state a figure or a citation that is not among the allowed ones.

    `allowed_figures` is any nesting of numbers, texts and dates (results of tools, the user's own words);
    2,000만원, 20,000,000원 and 2천만 원 are the same figure.
    """
    return check_text(text, sources_of(allowed_figures, allowed_citations))


def _tidy(text: str) -> str:
    lines = [line for line in text.split("\n") if not re.fullmatch(r"\s*(?:[-*•]|\d{1,2}[.)])\s*", line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()
