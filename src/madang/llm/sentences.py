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
# A row, a note, a verdict or a finding in our shorthand stands for no sentence of an answer.
_RAW = ("row", "note", "guide", "finding", "document", "plan", "judgement")
_EXHIBIT = re.compile(r"T\d+")
# A message of the conversation, by its id: what was said in it.
_MESSAGE = re.compile(r"M\d+")
_MAY_FOLLOW = ("figure", "subject")
AHEAD, LONGEST = 6, 160


@dataclass(frozen=True)
class Sentence:
    """A sentence as the model wrote it, what it rests on, what was wrong with it and what was shown."""

    text: str
    ids: tuple[str, ...]
    problem: Problem | None
    shown: str
    messages: tuple[str, ...] = ()
    """The messages that it names by their ids (m3)."""

    @property
    def general(self) -> bool:
        """Advice that rests on nothing found: said, but marked."""
        return not self.problem and not any(one not in ("U", PROPOSAL) for one in self.ids)


@dataclass
class _Part:
    """A piece of the answer on its way out: text to show as it is, or a sentence that is looked at."""

    text: str
    ids: tuple[str, ...] = ()
    law: str | None = None
    looked_at: bool = False
    problem: Problem | None = None
    exhibits: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


class EvidenceGuard:
    """Text goes in piece by piece and comes out sentence by sentence. One whose figures don't hold waits for a few more
    sentences, which may show the working; then it is replaced by ours for its fact, once, or left out with what leads
    up to it alone."""

    def __init__(self, statements: Statements, said: Sequence[str] = ()) -> None:
        self._statements = statements
        self._facts = statements.evidence.by_id()
        self._exhibits = {one.id: one.text for one in statements.evidence.exhibits}
        self._pending = ""
        self._law: str | None = None
        self._told = set(said)
        self._waiting: list[_Part] = []
        self._kept: list[str] = []
        self._heading = ""
        self.sentences: list[Sentence] = []
        self.placed = False
        """Whether an exhibit was put in."""

    def feed(self, piece: str) -> str:
        """What may be shown now."""
        self._pending += piece
        if _THINKS.search(self._pending):
            if not _THOUGHT.search(self._pending):
                return ""
            self._pending = _THINKING.sub("", self._pending)
        shown = ""
        while (end := self._end()) is not None:
            part, self._pending = self._pending[:end], self._pending[end:]
            shown += self._take(part)
        return shown

    def finish(self) -> str:
        """What may be shown of the rest."""
        rest, self._pending = _THINKING.sub("", self._pending), ""
        shown = ""
        while mark := _MARK.search(rest):
            shown, rest = shown + self._take(rest[: mark.end()]), rest[mark.end() :]
        return shown + self._take(rest) + self._let_out(0)

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

    def _take(self, text: str) -> str:
        """One more piece: looked at, and with it again what waits; then what may go out."""
        named = [one for mark in _MARK.finditer(text) for one in _ids(mark[1])]
        exhibits = [self._exhibits.pop(one) for one in dict.fromkeys(named) if one in self._exhibits]
        messages = tuple(one.lower() for one in named if _MESSAGE.fullmatch(one))
        ids = tuple(dict.fromkeys(_own(one) for one in named if not _EXHIBIT.fullmatch(one)))
        bare = _MARK.sub(lambda mark: mark[2], text)
        part = _Part(bare, ids, self._law, exhibits=tuple(exhibits), messages=messages)
        self._waiting.append(part)
        if ids or not (_HEADING.match(part.text) or _IDLE.match(part.text)):
            part.looked_at = True
            self._look(part)
            self._law = next((item.law for item in reversed(find_citations(part.text)) if item.law), self._law)
            if part.problem is None:
                for other in self._waiting:
                    if other.problem in _MAY_FOLLOW:
                        self._look(other)
        return self._let_out(AHEAD)

    def _look(self, part: _Part) -> None:
        part.problem = self._statements.problem(part.text, part.ids, part.law)
        if part.problem is None:
            self._statements.accept(part.text)

    def _let_out(self, ahead: int) -> str:
        shown = ""
        while self._waiting:
            first = self._waiting[0]
            behind = sum(one.looked_at for one in self._waiting) - 1
            if first.problem in _MAY_FOLLOW and behind < ahead:
                break
            shown += self._show(self._waiting.pop(0))
        return shown

    def _show(self, part: _Part) -> str:
        text = part.text
        if part.exhibits:
            return self._show_exhibits(part)
        if not part.looked_at and (self._heading or _HEADING.match(text)):
            # A heading after a heading: nothing was left under the first.
            self._heading = text if _HEADING.match(text) else self._heading + text
            return ""
        if not part.looked_at:
            shown = text if self._kept and not self._kept[-1].endswith("\n\n") else text.strip("\n")
            self._kept.append(shown)
            return shown
        shown = text if part.problem is None else self._instead(text, part.ids)
        self.sentences.append(Sentence(text.strip(), part.ids, part.problem, shown.strip(), part.messages))
        if shown.strip():
            shown, self._heading = self._heading + shown, ""
        self._kept.append(shown)
        return shown

    def _show_exhibits(self, part: _Part) -> str:
        """What leads up to them, if it holds, then each as it is."""
        lead = "" if part.problem else _BULLET.sub("", part.text) if _IDLE.match(part.text) else part.text
        if part.looked_at:
            self.sentences.append(Sentence(part.text.strip(), part.ids, part.problem, lead.strip()))
        shown = f"{self._heading}{lead}".rstrip("- ") + "".join(f"\n\n{one}" for one in part.exhibits) + "\n\n"
        self._heading, self.placed = "", True
        self._kept.append(shown)
        return shown

    def _instead(self, text: str, ids: Sequence[str]) -> str:
        """Our own sentence for a figure or article, if it is short, new and in the answer's language, in the failed
        one's place."""
        fact = next((self._facts[one] for one in ids if one in self._facts and one not in self._told), None)
        fact = None if fact and fact.kind in _RAW else fact
        end = "\n" if text.endswith("\n") else ""
        says = _first_sentence(fact.says) if fact else ""
        if (
            fact is None
            or not says
            or len(says) > LONGEST
            or says in "".join(self._kept)
            or not self._statements.is_in_script(says)
            or self._names_another(says, text)
        ):
            return end
        self._told.add(fact.id)
        bullet = _BULLET.match(text)
        return f"{bullet.group() if bullet else ' ' if text[:1] == ' ' else ''}{says}{end}"

    def _names_another(self, says: str, text: str) -> bool:
        """Whether our sentence would bring in a person or a thing that neither the failed one nor the user names."""
        asked = " ".join([text, *self._statements.evidence.told])
        return any(name in says and name not in asked for name in self._statements.names)


def _first_sentence(text: str) -> str:
    """Enough to stand for a fact: its first sentence."""
    first = re.match(r".*?[^\d\s][.!?](?=\s|$)", text.strip(), re.DOTALL)
    return first.group() if first else text.strip()


def _ids(listed: str) -> list[str]:
    names = [one.strip().upper() for one in re.split(r"[,·/]", listed)]
    return [one for one in names if one not in ("G", "일반")]


def _own(name: str) -> str:
    """What stands in a message of the conversation is the user's own."""
    return "U" if _MESSAGE.fullmatch(name) else name


def as_evidence(fact: Fact) -> str:
    """A fact as a model reads it."""
    of = f' of="{fact.subject}"' if fact.subject else ""
    by = ' by="다른 사람이 쓴 글"' if fact.of_others else ""
    due = ' say="꼭"' if fact.heed else ""
    return f'<fact id="{fact.id}" kind="{fact.kind}"{of}{by}{due}>{fact.text}</fact>'
