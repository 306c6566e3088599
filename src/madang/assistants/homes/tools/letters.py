"""Messages and letters from templates: which one fits what was told, and its text with the blanks filled."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from madang.assistants.homes import data
from madang.assistants.homes.tools.figure_facts import names_shop
from madang.search import Document, HybridIndex
from madang.text.calendars import add_months
from madang.text.morphemes import bigrams, joined, morphemes
from madang.text.normalise import squeeze

GENERAL, AGREEMENT = "general", "agreement"
# Whoever receives: the word before the particle of giving.
_RECEIVER = re.compile(
    r"((?:[새헌]\s)?[가-힣]{1,8}?|\b[a-zA-Z]+)(한테|에게|께|테|에)(?=[^가-힣]|보낼|줄|드릴|보내|한번)"
)
SPECIAL_TERM, _TERM = "special_term", "특약"
_FITS, _ASKED = 0.3, 0.6
# A sentence so short that asks for writing asks for nothing else.
_BARE = 18
# The share of a sentence's pairs of letters from which a text says it.
_SAID = 0.6


@dataclass(frozen=True)
class Letter:
    """One kind of letter: a short message and a formal body with blanks, and the article it rests on."""

    kind: str
    title: str
    article: str
    phrases: tuple[str, ...]
    short: str
    formal: str
    by: str = ""
    """Who writes it: tenant or landlord; empty for anyone."""
    names: tuple[str, ...] = ()
    """What it is called beside its title, without blanks."""


@dataclass(frozen=True)
class Written:
    """A letter that was written, and the blanks that are still open, by their names."""

    title: str
    text: str
    open: tuple[str, ...]
    article: str


@cache
@data.well_formed("letters.toml")
def letters() -> Mapping[str, Letter]:
    """Every kind of letter by name. Raises `UnreadableData`."""
    return {
        one["kind"]: Letter(
            one["kind"],
            one["title"],
            one["article"],
            tuple(one["phrases"].split("\n")),
            one["short"],
            one["formal"],
            one.get("by", ""),
            tuple(one.get("names", ())),
        )
        for one in data.load("letters.toml")["letter"]
    }


@cache
def _index() -> HybridIndex:
    return HybridIndex.build(
        Document(id=one.kind, title=one.title, text=one.title, phrases=tuple(p for p in one.phrases if p.strip()))
        for one in letters().values()
    )


def named_kind(text: str, story: str = "") -> str:
    """The kind of letter that a text calls by its title or its other names, the longest of them; of several the one
    that the story before speaks of. Empty if it names none."""
    plain = squeeze(text)
    said = [
        (len(name), one)
        for one in letters().values()
        for name in (squeeze(one.title), *one.names)
        if name in plain and one.kind != GENERAL
    ]
    longest = max((length for length, _ in said), default=0)
    called = [one for length, one in said if length == longest]
    shop = names_shop(f"{story} {text}")
    fits = [one for one in called if ("상가" in one.title) == shop]
    return (fits or called)[0].kind if called else ""


def fitting(asked: str, told: Sequence[str], side: str, least: float = _FITS) -> str:
    """The kind of letter that fits the request and what was told, each looked at by itself; `side` is the writer's:
    tenant or landlord."""
    best, score = GENERAL, least
    for words in (asked, *told):
        # "문자 써줘" alone is like every request: what was told says more.
        weight = _ASKED if words == asked and any(text.strip() for text in told) else 1.0
        for hit in _index().search(words, 3) if words.strip() else ():
            one = letters()[hit.document.id]
            fits = (one.kind != SPECIAL_TERM or _TERM in asked) and one.by in ("", side) and one.kind != GENERAL
            if hit.score * weight > score and fits:
                best, score = hit.document.id, hit.score * weight
    return best


@data.well_formed("letters.toml")
def write(kind: str, values: Mapping[str, str], today: date, *, short: bool, says: Sequence[str] = ()) -> Written:
    """The letter with what is known; what isn't stays a named blank. What it was asked to say besides stands at its
    end."""
    letter = letters()[kind]
    blanks: Mapping[str, str] = data.load("letters.toml")["blanks"]
    leaves = add_months(today, 3)
    known = {"leaves": f"{leaves.year}년 {leaves.month}월 {leaves.day}일", **values}
    filled = {**blanks, **{name: value for name, value in known.items() if value}}
    body = (letter.short if short else letter.formal).format_map(filled).strip()
    more = [one for one in says if not _is_in(one, body)]
    body = f"{body} {' '.join(more)}".strip() if short else "\n".join([body, *more])
    left = tuple(blank for blank in blanks.values() if blank in body)
    if short:
        return Written(letter.title, " ".join(body.split(" ")), left, letter.article)
    head = [
        f"**{letter.title}**",
        f"보내는 사람: {filled['sender']}",
        f"받는 사람: {filled['receiver']}",
        f"부동산: {filled['address']}",
    ]
    foot = [f"{today.year}년 {today.month}월 {today.day}일", f"보내는 사람 {filled['sender']} (서명)"]
    text = "\n\n".join(["\n".join(f"- {line}" for line in head[1:]), body, *foot])
    open_ = tuple(blank for blank in blanks.values() if blank in text)
    return Written(letter.title, text, open_, letter.article)


def _is_in(sentence: str, body: str) -> bool:
    """Whether a text says as much already."""
    said, there = set(bigrams(sentence)), set(bigrams(body))
    return len(said & there) >= _SAID * len(said)


@data.well_formed("letters.toml")
def composed(
    kind: str, says: Sequence[str], to: str, matter: str, values: Mapping[str, str], *, short: bool
) -> Written:
    """A text that says what it was asked to say, sentence by sentence; `short` ones are messages, others numbered."""
    wording: Mapping[str, Any] = data.load("letters.toml")["writing"]
    blanks: Mapping[str, str] = data.load("letters.toml")["blanks"]
    family = is_family(to)
    to = to or wording["to"]
    sender = values.get("sender") or blanks["sender"]
    if kind == AGREEMENT:
        title = letters()[kind].title
        lines = [f"{number}. {sentence}" for number, sentence in enumerate(says, 1)]
        signs = wording["signs"].format(date=values["today"])
        head = f"{title}: {matter}" if matter else title
        text = "\n\n".join([f"**{head}**", wording["agreed"], "\n".join(lines), signs])
        return Written(head, text, ("(약속하는 사람)", "(상대방)"), letters()[kind].article)
    begins = wording["begins_family" if family else "begins"].format(to=to, sender=sender)
    about = wording["about"].format(matter=matter) if matter and not family else ""
    by = values.get("until", "")
    ends = wording["ends_family"] if family else wording["ends_by"].format(deadline=by) if by else wording["ends"]
    body = " ".join(says) if short else "\n".join(f"{at}. {one}" for at, one in enumerate(says, 1))
    text = (" " if short else "\n\n").join(part for part in (begins, about, body, ends) if part)
    left = tuple(blank for blank in (blanks["sender"], "(받는 사람)") if blank in text)
    return Written(letters()[kind].title, text, left, "")


@data.well_formed("letters.toml")
def is_family(to: str) -> bool:
    """Whether a text is for one's own."""
    family: Sequence[str] = data.load("letters.toml")["writing"]["family"]
    return to in family


@data.well_formed("letters.toml")
def addressed(text: str) -> str:
    """How whoever a request names as receiving its text is addressed: "집주인한테 보낼 문자" → 임대인님; empty if it
    names nobody."""
    table = data.load("letters.toml")
    names: Mapping[str, str] = {name: to for to, words in table["addressed"].items() for name in words}
    family: Sequence[str] = table["writing"]["family"]
    for word, particle in reversed(_RECEIVER.findall(text)):
        plain = squeeze(word).lower()
        known = [name for name in names if plain.removesuffix("님").endswith(name)]
        if known:
            return names[max(known, key=len)]
        if own := [name for name in family if plain.endswith(name)]:
            return max(own, key=len) if particle != "께" else f"{max(own, key=len)}님".replace("님님", "님")
        if plain.endswith(("분", "님", "씨")):
            return plain
    return ""


@data.well_formed("letters.toml")
def asks_to_write(text: str) -> bool:
    """Whether a message names a text to send and asks to have it written."""
    words: Mapping[str, Sequence[str]] = data.load("letters.toml")["words"]
    plain = squeeze(text)
    return any(word in plain for word in words["texts"]) and any(word in plain for word in words["writes"])


@data.well_formed("letters.toml")
def asks_for_list(text: str) -> bool:
    """Whether a message wants what to do written down in order."""
    words: Mapping[str, Sequence[str]] = data.load("letters.toml")["words"]
    plain = squeeze(text).lower()
    return any(word in plain for word in words["lists"])


@data.well_formed("letters.toml")
def is_request(sentence: str) -> bool:
    """Whether a sentence is itself the wish for a text: "문자 하나 써 주시기 바랍니다."."""
    words: Mapping[str, Sequence[str]] = data.load("letters.toml")["words"]
    plain = squeeze(sentence)
    return any(word in plain for word in words["requests"]) and (
        any(word in plain for word in words["texts"]) or len(plain) <= _BARE
    )


@data.well_formed("letters.toml")
def matter_of(situation: str) -> str:
    """What a text that belongs to a situation is about; empty if it has no name."""
    return str(data.load("letters.toml")["matters"].get(situation, ""))


@data.well_formed("letters.toml")
def is_tone(clause: str) -> bool:
    """Whether a clause says how a text is to sound."""
    words: Sequence[str] = data.load("letters.toml")["words"]["manner"]
    plain = squeeze(clause)
    return any(word in plain for word in words)


def is_manner(clause: str) -> bool:
    """Whether a clause says how or what to write ("너무 세게 말고", "기다려 달라고요"): never pasted as it is."""
    plain = squeeze(clause).rstrip(".!?~,ㅠㅜ요")
    foreign = re.search("[가-힣]", plain) is None
    return foreign or plain.endswith(("말고", "달라고", "다고", "라고", "달라꼬", "라꼬")) or is_tone(clause)


def noted(clause: str) -> str:
    """What was told, as a note: "환기는 매일 했고" → "환기는 매일 했음". What isn't a statement stays as it is."""
    found = [item for item in morphemes(clause) if item.tag not in ("SF", "SP", "SE", "SW", "W_EMOJI")]
    while found and found[-1].tag in ("JX", "EF", "EC", "IC", "MAJ"):
        found.pop()
    verbal = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA", "EP")
    if not found or not found[-1].tag.startswith(verbal):
        return clause.strip(" .,!?~…ㅠㅜ")
    stem = clause.rfind(" ", 0, found[-1].start) + 1
    tail = [(item.form, item.tag) for item in found if item.start >= stem]
    return clause[:stem].lstrip() + joined([*tail, ("음", "ETN")])


def day_in_words(told: str) -> str:
    """A date written out; what isn't one (퇴거 당일) as it was told."""
    try:
        day = date.fromisoformat(told)
    except ValueError:
        return told.strip()
    return f"{day.year}년 {day.month}월 {day.day}일"
