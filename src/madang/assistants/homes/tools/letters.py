"""Messages and letters from templates: which one fits what was told, and its text with the blanks filled."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from madang.assistants.homes import data
from madang.search import Document, HybridIndex
from madang.text.calendars import add_months
from madang.text.morphemes import joined, morphemes
from madang.text.normalise import squeeze

GENERAL = "general"
SPECIAL_TERM, _TERM = "special_term", "특약"
_FITS, _ASKED = 0.3, 0.6


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
        )
        for one in data.load("letters.toml")["letter"]
    }


@cache
def _index() -> HybridIndex:
    return HybridIndex.build(
        Document(id=one.kind, title=one.title, text=one.title, phrases=tuple(p for p in one.phrases if p.strip()))
        for one in letters().values()
    )


def named_kind(text: str) -> str:
    """The kind of letter whose title a text says; empty if it says none."""
    plain = squeeze(text)
    said = [one for one in letters().values() if squeeze(one.title) in plain and one.kind != GENERAL]
    return max(said, key=lambda one: len(one.title)).kind if said else ""


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
def write(kind: str, values: Mapping[str, str], today: date, *, short: bool) -> Written:
    """The letter with what is known; what isn't stays a named blank."""
    letter = letters()[kind]
    blanks: Mapping[str, str] = data.load("letters.toml")["blanks"]
    leaves = add_months(today, 3)
    known = {"leaves": f"{leaves.year}년 {leaves.month}월 {leaves.day}일", **values}
    filled = {**blanks, **{name: value for name, value in known.items() if value}}
    body = (letter.short if short else letter.formal).format_map(filled).strip()
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


@data.well_formed("letters.toml")
def asks_to_write(text: str) -> bool:
    """Whether a message names a text to send and asks to have it written."""
    words: Mapping[str, Sequence[str]] = data.load("letters.toml")["words"]
    plain = squeeze(text)
    return any(word in plain for word in words["texts"]) and any(word in plain for word in words["writes"])


@data.well_formed("letters.toml")
def is_manner(clause: str) -> bool:
    """Whether a clause says how or what to write ("너무 세게 말고", "기다려 달라고요"): never pasted as it is."""
    words: Sequence[str] = data.load("letters.toml")["words"]["manner"]
    plain = squeeze(clause).rstrip(".!?~,ㅠㅜ요")
    foreign = re.search("[가-힣]", plain) is None
    quoted = plain.endswith(("말고", "달라고", "다고", "라고", "달라꼬", "라꼬"))
    return foreign or quoted or any(word in plain for word in words)


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
