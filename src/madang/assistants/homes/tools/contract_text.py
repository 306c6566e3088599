"""A contract's text as meaning: clauses, statements, who, whether it is denied, under which condition."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Actor = Literal["landlord", "tenant", "both"]

_MARKER = re.compile(
    r"(?:^|\n)\s*(?:제\s?\d+\s?조(?:\s?의\s?\d+)?(?:\s?[\(\[【][^\)\]】]*[\)\]】])?|\d{1,2}\s?[.)](?!\d)|[①-⑳]|[-•*▪◦·]\s|[가-하]\s?[.)]\s)"
    r"|(?<=[.다함음])\s+(?=제\s?\d+\s?조|[①-⑳]|\d{1,2}\.\s)"
)
_SENTENCE = re.compile(r"(?<=[다함음임됨])\.\s*|(?<=[.!?。])\s+|\n+|;\s*")
_EXCEPTION = re.compile(r"\s*[(（]?(?:단|다만|그러나|이\s?경우|이때)[\s,]")
_CONNECTIVES = ("하며", "으며", "이며", "되며", "하되", "이고", "았고", "었고", "않고", "없고", "있고", "조건으로")
# 불문하고 and the like go on with the same act; any other 하고 begins another.
_SPLIT = re.compile(
    r"(?<=하고)(?<!불문하고)(?<!제외하고)(?<!막론하고)(?<!고려하고)[,\s]+|"
    + "|".join(rf"(?<={connective})[,\s]+" for connective in _CONNECTIVES)
)
# "알리지 않고 들어간다" is one act: the denial says how.
_ADVERB = re.compile(
    r"(?:알리|통보하|통지하|연락하|고지하|묻|따지|협의하|상의하|거치|받|얻|구하|가리|기다리)지\s?않고$|관계\s?없고$"
)
# "통보하고 해지한다" as well, if nobody else does the second.
_NOTICE = re.compile(r"(?:통보|통지|예고|고지|협의|상의)하고$|알리고$")
_CONDITION = re.compile(
    r"(?:경우(?:에는|에도|에|엔|라도)?|때(?!까지)(?:에는|에|는)?|(?<=[\s가-힣])시(?:에는|에)?(?=[\s,])|(?<=[하되으라이니])면(?=[\s,])|[리기]면(?=[\s,])|더라도|라도(?=[\s,]))[\s,]*"
)
_NEGATIVE = re.compile(
    r"지\s?(?:아니|않|못|말)(?!(?:하)?(?:고|아도|어도|여도|더라도)[\s,]+\S)|수\s?없|(?:안|아니)\s?(?:된다|됨|됩니다)|금지|불가|불허|금한다|아니\s?한다|아니하기로|않기로|없(?:다|음|습니다|는\s?것)|제외(?:한다|함)?"
)
_DENIAL = re.compile(r"포기|거절|거부|배제|방해|제한(?:한다|할|함|하)|박탈|금지하지")
_GRANT = re.compile(r"인정|보장|허용|허락|승인|동의|협조|협력|반환|책임|적용|제시|제공|교부|열람")
_LANDLORD = r"(?:임대인|집주인|건물주|소유자|소유주|매도인|(?<![가-힣])갑)"
_TENANT = r"(?:임차인|세입자|입주자|매수인|전차인|(?<![가-힣])을)"
_SUBJECT = re.compile(
    rf"(?P<landlord>{_LANDLORD})\s?(?:측)?(?:은|는|이|가)(?![가-힣])|(?P<tenant>{_TENANT})\s?(?:측)?(?:은|는|이|가)(?![가-힣])|(?P<both>쌍방|양\s?당사자|임대인과\s?임차인|당사자)(?:은|는|이|가)?(?![가-힣])"
)
_SYMBOLS = re.compile(r"[\W_]")
_TAIL = 22


@dataclass(frozen=True)
class Clause:
    """One numbered or separate provision of the contract, as it was written; `label` is its own number (제3조)."""

    number: int
    text: str
    label: str = ""


@dataclass(frozen=True)
class Statement:
    """One assertion of a clause: `main` is what it says, `condition` when, `negative` whether it is denied."""

    text: str
    main: str
    condition: str
    actor: Actor | None
    negative: bool

    @property
    def denies(self) -> bool:
        """Whether a right named here is taken away: a denial (포기, 거절 …) or a negation, but not both."""
        return bool(_DENIAL.search(self.main)) != self.negative

    @property
    def refuses_to_grant(self) -> bool:
        """Whether it says that something owed will not be given (인정하지 않는다, 협조하지 않는다)."""
        return self.negative and bool(_GRANT.search(self.main))


def split_clauses(contract: str) -> list[Clause]:
    """The provisions of a contract in order; a text without numbering is split at its lines and sentences."""
    text = contract.replace("\r\n", "\n").strip()
    marks = list(_MARKER.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    if marks:
        pieces = [("", text[: marks[0].start()])]
        pieces += [(mark.group().strip(), text[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    else:
        pieces = [("", sentence) for sentence in _sentences(text)]
    kept = [(label, piece.strip(" \t\n-–•")) for label, piece in pieces if len(_SYMBOLS.sub("", piece)) >= 4]
    return [Clause(number, piece, label) for number, (label, piece) in enumerate(kept, 1)]


def read_statements(clause: str) -> list[Statement]:
    """What a clause asserts, one statement for each act; an exception stays with what it limits."""
    found: list[Statement] = []
    for sentence in _sentences(clause):
        actor: Actor | None = None
        for part in _parts(sentence):
            statement = _statement(part, actor)
            actor = statement.actor or actor
            found.append(statement)
    return found


def _sentences(text: str) -> list[str]:
    sentences: list[str] = []
    for piece in (part.strip() for part in _SENTENCE.split(text)):
        if not piece:
            continue
        if sentences and _EXCEPTION.match(piece):
            sentences[-1] = f"{sentences[-1]} {piece}"
        else:
            sentences.append(piece)
    return sentences


def _parts(sentence: str) -> Iterator[str]:
    """The sentence cut at 하고, 하며, 하되; a sentence with an exception is read whole."""
    if re.search(r"(?:^|\s)(?:단|다만)[\s,]", sentence):
        yield sentence
        return
    start = 0
    for mark in _SPLIT.finditer(sentence):
        notice_of_it = _NOTICE.search(sentence, start, mark.start()) and not _SUBJECT.search(sentence, mark.end())
        if not notice_of_it and not _ADVERB.search(sentence, start, mark.start()):
            yield sentence[start : mark.end()]
            start = mark.end()
    if sentence[start:].strip():
        yield sentence[start:]


def _statement(text: str, earlier: Actor | None) -> Statement:
    condition, main = _divide(text)
    subject = _subject(main) or _subject(text)
    actor = _actor(subject) if subject else earlier
    return Statement(text, main, condition, actor, bool(_NEGATIVE.search(main[-_TAIL:])))


def _subject(text: str) -> re.Match[str] | None:
    """The last topic (은/는) of a text, otherwise its last subject (이/가), which may belong to a relative clause."""
    found = list(_SUBJECT.finditer(text))
    topics = [match for match in found if match.group().endswith(("은", "는"))]
    chosen = topics or found
    return chosen[-1] if chosen else None


def _divide(text: str) -> tuple[str, str]:
    """The condition and what follows from it; without a condition everything is the main part."""
    body = re.split(r"\s(?:단|다만)[\s,]", text, maxsplit=1)[0]
    marks = [mark for mark in _CONDITION.finditer(body) if len(body) - mark.end() >= 5]
    if not marks:
        return "", body
    return body[: marks[-1].end()].strip(), body[marks[-1].end() :].strip()


def _actor(match: re.Match[str]) -> Actor:
    if match["landlord"]:
        return "landlord"
    return "tenant" if match["tenant"] else "both"
