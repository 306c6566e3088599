"""What someone wants said, in the words it is said in.

"고쳐 달라고, 안 되면 내가 청구한다고" becomes "고쳐 주시기 바랍니다. 안 되면 제가 청구하겠습니다."

Read are the endings of what is quoted (다고, 달라고, 자고, 냐고, 는 내용), of wishes (고 싶다, 겠다) and of requests.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from madang.text.morphemes import Morpheme, joined, morphemes, spaced

Style = Literal["formal", "familiar", "agreed"]
Mood = Literal["says", "asks_for", "proposes", "asks", "will"]
_VERBS = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA")
_ENDS = ("EF", "EC", "ETM")
# What a quotation ends in, without what comes before it by sound (ᆫ다고, 는다고).
_SAYS = ("다고", "라고", "다는", "라는", "단")
_PROPOSES = ("자고", "자는", "자")
_ASKS = ("냐고", "느냐고", "는지", "은지", "ᆫ지", "ᆯ지", "을지", "냐는", "나", "냐")
# A text with a blank for fewer letters than so many has its blanks.
BLANKS = 10
_INQUIRES = ("묻", "여쭙", "여쭈", "물어보", "문의")
_OPEN = ("언제", "얼마", "어떻게", "어디", "누가", "몇")
_FRAMES = ("것", "거", "걸", "내용")
_CONTENT = ("내용", "것", "거", "식", "뜻", "말", "점", "걸", "취지")
_GIVES = ("주", "달")
_FORMAL: dict[Mood, Sequence[tuple[str, str]]] = {
    "says": [("습니다", "EF")],
    "will": [("겠", "EP"), ("습니다", "EF")],
    "proposes": [("었", "EP"), ("으면", "EC")],
}
_AGREED: dict[Mood, Sequence[tuple[str, str]]] = {
    "says": [("ᆫ다", "EF")],
    "will": [("기", "ETN"), ("로", "JKB")],
    "proposes": [("기", "ETN"), ("로", "JKB")],
}
_FAMILIAR: dict[Mood, Sequence[tuple[str, str]]] = {
    "says": [("어요", "EF")],
    "will": [("ᆯ게요", "EF")],
    "proposes": [("었", "EP"), ("으면", "EC")],
}
_ENDINGS = {"formal": _FORMAL, "familiar": _FAMILIAR, "agreed": _AGREED}
_GIVE = {"formal": "주시기 바랍니다", "familiar": "주면 좋겠어요", "agreed": "주기로 한다"}
_MINE = (
    (re.compile(r"(?<![가-힣])내가(?![가-힣])"), "제가"),
    (re.compile(r"(?<![가-힣])나(는|도|만|를|한테|에게)(?![가-힣])"), r"저\1"),
    (re.compile(r"(?<![가-힣])난(?![가-힣])"), "저는"),
    (re.compile(r"(?<![가-힣])내(?= )"), "제"),
)
# Endings of dialects and of chats, as they are written elsewhere.
_SPELT = (
    (re.compile(r"([라자다냐])꼬"), r"\1고"),
    (re.compile(r"고잡"), "고 싶"),
    (re.compile(r"([다라자냐])\s?(?:카고|카더라고|캐|카네)"), r"\1고"),
    (re.compile(r"[ㅠㅜㅋㅎ~]+"), ""),
)
_BREAKS = re.compile(r"[,;+\n]|(?<=[가-힣])[.!?]+")


@dataclass(frozen=True)
class Said:
    """One thing to be said, as a sentence, and what saying it does."""

    text: str
    mood: Mood


def sayings(text: str, style: Style = "formal") -> list[Said]:
    """What a request wants said, a sentence each; nothing of it that isn't quoted, wished or asked for. `familiar` is
    for one's own family, `agreed` for what two sign."""
    plain = _respelt(spaced(text) if text.count(" ") * BLANKS < len(text) else text)
    found = [_said(part, style) for piece in _BREAKS.split(plain) for part in _parts(piece)]
    return [one for one in found if one is not None]


def _respelt(text: str) -> str:
    for pattern, written in _SPELT:
        text = pattern.sub(written, text)
    return text


def _parts(piece: str) -> list[str]:
    """A piece cut after each quotation and each finished sentence in it."""
    found, start = list[str](), 0
    items = morphemes(piece)
    for at, item in enumerate(items[:-1]):
        if item.start < start or not _closes(items, at):
            continue
        rest = at + 1
        while rest < len(items) and (items[rest].tag.startswith("J") or items[rest].form in _CONTENT):
            rest += 1
        end = items[rest - 1].end
        # "된다고 하고", "여쭙는 내용으로 하되": what says that it is said is no part of it.
        while rest < len(items) and (items[rest].form in ("하", "하되", "되") or items[rest].tag in ("EC", "JX")):
            rest += 1
        if rest + 1 < len(items) and items[rest].form == "말" and items[rest + 1].tag == "EC":
            start = items[rest + 1].end
        elif rest < len(items) and items[rest].start > item.end and items[rest].form != "싶":
            found.append(piece[start:end])
            start = items[rest].start
    return [part.strip() for part in (*found, piece[start:]) if part.strip()]


def _closes(items: Sequence[Morpheme], at: int) -> bool:
    """Whether a quotation or a sentence ends here."""
    item, bare = items[at], _bare(items[at].form)
    if item.tag == "ETM":
        inquires = any(one.form in _INQUIRES for one in items[max(0, at - 3) : at])
        by = at + 2 < len(items) and items[at + 2].tag == "JKB" and items[at + 1].form in _FRAMES
        framed = inquires or bare in (*_SAYS, *_PROPOSES, *_ASKS) or items[at + 1].form in _CONTENT[:1] or by
        return framed and items[at + 1].form in _CONTENT
    quotes = item.tag == "EC" and bare in (*_SAYS[:2], _PROPOSES[0], *_ASKS[:2])
    says = item.tag == "EC" and bare.endswith("다") and items[at + 1].start > item.end
    return item.tag == "EF" or quotes or says


def _said(part: str, style: Style) -> Said | None:
    if (first := next(iter(morphemes(part)), None)) is not None and first.tag == "MAJ":
        part = part[first.end :].strip()
    whole = morphemes(part)
    items = _trimmed(whole)
    if not items or part.rstrip(" .요").endswith("말고"):
        return None
    last = items[-1]
    if last.tag.startswith("N") and any(item.form in _OPEN for item in items):
        return _told(part.rstrip(" .?!"), style)
    if not last.tag.startswith(_ENDS):
        return None
    stem = len(items) - 1
    framed = last.form == "는" and len(whole) > len(items) and whole[len(items)].form in _FRAMES
    mood = _mood(items) or ("proposes" if framed else None)
    verb = _verb(items, stem)
    if mood is None or verb is None:
        return None
    begin = part.rfind(" ", 0, items[verb].start) + 1
    if mood in ("proposes", "asks_for") and any(item.form in _INQUIRES for item in items[verb:]):
        about = re.sub(r"(?<=[가-힣])(?:을|를|도)$", "", part[: items[verb].start].strip())
        return _told(about, style) if about else None
    start = next(at for at, item in enumerate(items) if item.start >= begin)
    core = [(item.form, item.tag) for item in items[start:stem]]
    before = part[:begin].strip()
    if any(item.form in ("뭐", "뭣") for item in items[start:]) and mood == "says":
        return None  # "뭐라고 보낼지"
    return _worded(before, core, mood, style)


def _told(about: str, style: Style) -> Said:
    """That one is to be told of something."""
    return Said(f"{about} 알려 {_GIVE[style]}.", "asks")


def _worded(before: str, core: list[tuple[str, str]], mood: Mood, style: Style) -> Said | None:
    if mood == "will":
        while core and core[-1] in (
            ("겠", "EP"),
            ("거", "NNB"),
            ("것", "NNB"),
            ("ᆯ", "ETM"),
            ("을", "ETM"),
            ("이", "VCP"),
        ):
            core.pop()
    if mood == "asks_for":
        core = _asked_of(core)
        if ("게", "EC") in core[-2:]:
            return None  # how it is to be said: "독촉으로 보이지 않게 해 줘"
        if core[-1:] == [("말", "VX")]:
            core = [*core[:-1], ("말아", "VX"), ("", "EC")]
        ends = joined([*core, ("어", "EC")]) if core and core[-1][1] != "EC" else joined(core)
        sentence = f"{ends} {_GIVE[style]}" if ends else _GIVE[style]
    elif mood == "asks":
        sentence = f"{joined([*core, ('는지', 'EC')])} 알려 {_GIVE[style]}"
    else:
        sentence = joined([*core, *_ENDINGS[style][mood]])
        wishes = {"formal": "합니다", "familiar": "해요", "agreed": "한다"}[style]
        sentence += f" {wishes}" if mood == "proposes" or (style == "agreed" and mood == "will") else ""
    text = f"{before} {sentence}".strip()
    for pattern, written in _MINE:
        text = pattern.sub(written, text)
    return Said(f"{text}.", mood)


def _asked_of(core: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is asked for, without the giving: 고치어 달 → 고치; 내역 달 → 내역을 보내."""
    while core and (core[-1][0] in _GIVES or core[-1][1] in ("EP",)) and core[-1][1].startswith(("VX", "VV", "EP")):
        core = core[:-1]
    if core and core[-1][1] == "EC" and core[-1][0] in ("어", "아"):
        return core[:-1]
    if core and core[-1][1].startswith(("NN", "SL", "SN", "XSN", "NR", "NNB", "JX", "JKO")):
        return [*core, ("보내", "VV")]
    return core


def _mood(items: Sequence[Morpheme]) -> Mood | None:
    last, before = items[-1], items[-2] if len(items) > 1 else items[-1]
    bare = _bare(last.form)
    given = before.form in _GIVES and before.tag.startswith(("VX", "VV"))
    honoured = before.form == "시" and len(items) > 2 and items[-3].form == "주"
    if before.form == "달" and before.tag == "VX":
        return "asks_for"
    if (given or honoured) and (
        last.form in ("세요", "라고", "라는", "어", "시", "면", "소", "어요", "ᆸ시오", "라") or honoured
    ):
        return "asks_for"
    if bare in _PROPOSES:
        return "proposes"
    if bare in _ASKS and last.tag != "EF":
        return "asks"
    if any(item.form == "겠" and item.tag == "EP" for item in items[-3:]) or last.form in (
        "ᆯ게",
        "을게",
        "ᆯ게요",
        "ᆯ래",
        "을게요",
        "ᆯ거",
        "ᆯ래요",
    ):
        return "will"
    commands = bare in ("라고", "라는", "으라고", "으라는", "어라", "라") and before.tag.startswith(("VV", "XSV", "VX"))
    if commands and before.form not in ("싶", "않"):
        return "asks_for"
    own = any(item.form in ("나", "내", "저") and item.tag == "NP" for item in items)
    if own and bare in _SAYS[:1] and before.tag in ("VV", "XSV"):
        return "will"
    if bare in _SAYS or (last.tag in ("EF", "EC") and bare.endswith("다") and not bare.endswith("니다")):
        return "says"
    wished = before.form == "싶" or _has_mind(items)
    return "says" if wished and last.tag in ("EF", "EC") and last.form not in ("은데", "는데", "고") else None


def _has_mind(items: Sequence[Morpheme]) -> bool:
    """Whether someone says what they would do: 올려줄 맘 있어요, 협조할 생각이에요."""
    minds = [at for at, item in enumerate(items) if item.form in ("맘", "마음", "생각", "의향", "용의")]
    return bool(minds) and minds[-1] >= len(items) - 5


def _verb(items: Sequence[Morpheme], stop: int) -> int | None:
    """Where the last predicate begins, its auxiliaries with it."""
    at = stop - 1
    while at >= 0 and not items[at].tag.startswith(_VERBS):
        if items[at].tag not in ("EP", "ETM", "NNB"):
            return None
        at -= 1
    while at >= 2 and items[at].tag == "VX" and items[at - 1].tag == "EC" and items[at - 2].tag.startswith(_VERBS):
        at -= 2
    while at >= 1 and items[at].tag in ("XSV", "XSA", "VCP") and items[at - 1].end == items[at].start:
        at -= 1
    return at if at >= 0 else None


def _trimmed(found: Sequence[Morpheme]) -> list[Morpheme]:
    """Without what follows the ending: marks, 요, and the frame of a content (다는 내용으로)."""
    items = [item for item in found if item.tag not in ("SF", "SP", "SE", "SS", "SSO", "SSC", "SW", "W_EMOJI")]
    while items and (
        items[-1].tag.startswith(("J", "IC"))
        or (items[-1].form in ("하", "하되") and len(items) > 3 and items[-2].tag.startswith("J"))
    ):
        items.pop()
    if len(items) > 1 and items[-1].form == "되" and items[-2].tag == "VV":
        items = items[:-2]
        while items and items[-1].tag.startswith("J"):
            items.pop()
    if len(items) > 1 and items[-1].form in _CONTENT and items[-2].tag == "ETM":
        items.pop()
    return items


def _bare(form: str) -> str:
    """An ending without what comes before it by sound: ᆫ다고 → 다고."""
    return re.sub(r"^(?:ᆫ|는|은|으)(?=다고|다는|라고|라는|냐고)", "", form)
