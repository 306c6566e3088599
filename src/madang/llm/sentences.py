"""An answer while it comes: cut into sentences with the ids they rest on, each shown once it has passed its check."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from madang.llm.citations import find_citations
from madang.llm.evidence import Fact
from madang.llm.statements import PROPOSAL, Problem, Statements

_MARK = re.compile(r"(?<![ \t])[ \t]*\[\s*((?:[A-Za-z]\d*|일반)(?:\s*[,·/]\s*(?:[A-Za-z]\d*|일반))*)\s*\]([.!?。]?)")
_OPEN = re.compile(r"\[[^\]\n]{0,40}$")
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THINKS = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT = re.compile(r"</(think|thinking|reasoning)>", re.IGNORECASE)
_TAIL = re.compile(r"<[a-z]{0,10}$", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
# A line that only leads up to what follows is held back until something follows.
_HEADING = re.compile(r"^\s*(?:#{1,4}\s.*|\*\*[^*\n]{1,60}\*\*:?\s*|[^\n.!?]{2,60}:\s*)\n?$")
_IDLE = re.compile(r"^[\s#>*_|:-]*$")


@dataclass(frozen=True)
class Sentence:
    """A sentence as the model wrote it, what it rests on, what was wrong with it and what was shown."""

    text: str
    ids: tuple[str, ...]
    problem: Problem | None
    shown: str

    @property
    def general(self) -> bool:
        """Advice that rests on nothing found: said, but marked."""
        return not self.problem and not any(one not in ("U", PROPOSAL) for one in self.ids)


class EvidenceGuard:
    """Text goes in piece by piece and comes out sentence by sentence. One that fails is replaced by ours for its fact,
    once; what no fact stands for is left out."""

    def __init__(self, statements: Statements, said: Sequence[str] = ()) -> None:
        self._statements = statements
        self._facts = statements.evidence.by_id()
        self._pending = ""
        self._law: str | None = None
        self._told = set(said)
        self._kept: list[str] = []
        self._heading = ""
        self.sentences: list[Sentence] = []

    def feed(self, piece: str) -> str:
        """What may be shown now."""
        self._pending += piece
        if _THINKS.search(self._pending):
            closed = (
                _THINKING.sub("", self._pending) if re.search(r"</(think|thinking|reasoning)>", self._pending) else None
            )
            if closed is None:
                return ""
            self._pending = closed
        shown = ""
        while (end := self._end()) is not None:
            part, self._pending = self._pending[:end], self._pending[end:]
            shown += self._pass(part)
        return shown

    def finish(self) -> str:
        """What may be shown of the rest."""
        rest, self._pending = _THINKING.sub("", self._pending), ""
        shown = ""
        while mark := _MARK.search(rest):
            shown, rest = shown + self._pass(rest[: mark.end()]), rest[mark.end() :]
        return shown + self._pass(rest)

    @property
    def text(self) -> str:
        """Everything shown so far, without lines left empty."""
        return re.sub(r"\n{3,}", "\n\n", "".join(self._kept)).strip()

    @property
    def cited(self) -> set[str]:
        """The facts that sentences rest on."""
        return {one for sentence in self.sentences if not sentence.problem for one in sentence.ids}

    def _end(self) -> int | None:
        if _TAIL.search(self._pending):
            return None
        mark = _MARK.search(self._pending)
        line = self._pending.find("\n")
        if mark and (line < 0 or mark.start() < line):
            # The full stop may still come.
            return mark.end() if mark.end() < len(self._pending) else None
        return line + 1 if line >= 0 else None

    def _pass(self, part: str) -> str:
        ids = tuple(one for mark in _MARK.finditer(part) for one in _ids(mark[1]))
        text = _MARK.sub(lambda mark: mark[2], part)
        if not ids and _HEADING.match(text):
            self._heading = text
            return ""
        if _IDLE.match(text) and self._heading:
            self._heading += text
            return ""
        if _IDLE.match(text):
            shown = text if self._kept and not self._kept[-1].endswith("\n\n") else text.strip("\n")
            self._kept.append(shown)
            return shown
        problem = self._statements.problem(text, ids, self._law)
        self._law = next((item.law for item in reversed(find_citations(text)) if item.law), self._law)
        shown = text if problem is None else self._instead(text, ids)
        self.sentences.append(Sentence(text.strip(), ids, problem, shown.strip()))
        if shown.strip():
            shown, self._heading = self._heading + shown, ""
        self._kept.append(shown)
        return shown

    def _instead(self, text: str, ids: Sequence[str]) -> str:
        """Our own sentence for the fact, if it was not said yet, in the place and form of the failed one."""
        fact = next((self._facts[one] for one in ids if one in self._facts and one not in self._told), None)
        end = "\n" if text.endswith("\n") else ""
        says = _first_sentence(fact.says) if fact else ""
        if fact is None or not says or says in "".join(self._kept):
            return end
        self._told.add(fact.id)
        bullet = _BULLET.match(text)
        return f"{bullet.group() if bullet else ' ' if text[:1] == ' ' else ''}{says}{end}"


def _first_sentence(text: str) -> str:
    """Enough to stand for a fact: its first sentence."""
    first = re.match(r".*?[^\d\s][.!?](?=\s|$)", text.strip(), re.DOTALL)
    return first.group() if first else text.strip()


def _ids(listed: str) -> list[str]:
    names = [one.strip().upper() for one in re.split(r"[,·/]", listed)]
    return [one for one in names if one not in ("G", "일반")]


def as_evidence(fact: Fact) -> str:
    """A fact as a model reads it."""
    of = f' of="{fact.subject}"' if fact.subject else ""
    by = ' by="다른 사람이 쓴 글"' if fact.of_others else ""
    return f'<fact id="{fact.id}" kind="{fact.kind}"{of}{by}>{fact.text}</fact>'
