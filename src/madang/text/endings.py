"""How a Korean sentence ends: whether it tells, asks or orders, and the same said as a note or to the reader's face."""

from collections.abc import Sequence
from typing import Literal

from madang.text.morphemes import Morpheme, joined, morphemes
from madang.text.particles import ends_in_consonant

Kind = Literal["tell", "ask", "order", "other"]

_MARKS = ("SF", "SP", "SS", "SE", "SO", "SW", "Z_", "W_")
_STEM = ("VV", "VA", "VX", "VC", "XSV", "XSA", "EP")
_PREDICATE = ("VV", "VA", "VX", "VC", "XSV", "XSA")
_ASKING = frozenset(
    (
        *(
            "까",
            "나",
            "나요",
            "나여",
            "ᆫ가",
            "은가",
            "는가",
            "ᆫ가요",
            "은가요",
            "는가요",
            "냐",
            "느냐",
            "니",
            "죠",
            "지요",
            "지",
        ),
        *("는지", "은지", "ᆫ지", "ᆯ지", "을지", "을까", "ᆯ까", "까요", "ᆯ까요", "을까요", "ᆸ니까", "습니까", "는교", "노"),
    )
)
_ORDERING = (
    "세요",
    "으세요",
    "십시오",
    "으십시오",
    "ᆸ시오",
    "라",
    "아라",
    "어라",
    "으라",
    "ᆸ시다",
    "자",
    "소",
    "이소",
    "주이소",
)
_UNFINISHED = (
    "게",
    "면",
    "으면",
    "려고",
    "으려고",
    "러",
    "으러",
    "도록",
    "라면",
    "다면",
    "ᆫ다면",
    "어야",
    "아야",
    "어도",
    "아도",
)
_SAID = (
    "대",
    "대요",
    "래",
    "래요",
    "다네",
    "다네요",
    "다더라",
    "라더라",
    "답니다",
    "랍니다",
    "다던데",
    "라던데",
    "다더군요",
)
_QUOTES = ("다고", "라고", "자고", "냐고", "ᆫ다고", "는다고", "으라고", "달라고", "느냐고")
_LATER = {"래": "라고", "래요": "라고", "라더라": "라고", "랍니다": "라고", "라던데": "라고"}
_ASKS_FOR = ("달", "주")


def kind_of(sentence: str) -> Kind:
    """What a sentence does by its ending; `other` where it has no predicate or only says how or in which case."""
    found = _core(morphemes(sentence))
    if not found:
        return "other"
    if "?" in sentence or (found[-1].tag == "EF" and found[-1].form in _ASKING):
        return "ask"
    ending = found[-1]
    if not ending.tag.startswith(("EF", "EC", "ETN", *_STEM)):
        return "other"
    if ending.form in _UNFINISHED or (ending.tag == "EC" and ending.form in _ASKING):
        return "ask" if ending.form in _ASKING else "other"
    if ending.form in _ORDERING or _wishes(found) or _commands(found):
        return "order"
    return "tell"


def _wishes(found: Sequence[Morpheme]) -> bool:
    """ "써 줘", "뽑아 주고요": something is asked to be done for the writer."""
    before = [one for one in found[-4:-1] if one.tag in {"VX", "VV"}]
    return (
        bool(before)
        and before[-1].form in _ASKS_FOR
        and not any(one.form in {"었", "았", "시었"} for one in found[-3:-1])
    )


def _commands(found: Sequence[Morpheme]) -> bool:
    """ "숫자만 봐", "건드리지 마": an order in plain speech."""
    return (
        len(found) > 1 and found[-1].form in {"어", "아"} and found[-2].form in {"보", "말", "쓰", "주", "적", "해보"}
    )


def noted(sentence: str) -> str:
    """A sentence as it is written in a note: "빠지셨어요" → "빠지셨음", "품절이었대요" → "품절이었다고 함"."""
    plain = sentence.strip()
    found = _core(morphemes(plain))
    if not found or found[-1].tag not in {"EF", "EC", "ETN"}:
        return plain[: found[-1].end] if found else plain
    ending, rest = found[-1], found[:-1]
    if _is_quoted(rest):
        return f"{_with(plain, rest[:-2], rest[-2].form)} 함"
    if ending.form in _SAID and rest:
        return f"{_with(plain, rest, _LATER.get(ending.form) or _plain_quote(rest))} 함"
    if ending.form in _QUOTES:
        return f"{plain[: ending.end]} 함"
    if not rest or not rest[-1].tag.startswith(_STEM):
        return plain[: found[-1].end]
    return _with(plain, rest, "ᆷ", "ETN")


def told(clause: str) -> str | None:
    """What a clause wants to be told, said to the reader: "내일 가겠다고" → "내일 가겠습니다.", "회신 달라고" → "회신
    부탁드립니다."; None where it ends in no such quotation."""
    plain = clause.strip()
    found = _core(morphemes(plain))
    at = next((i for i in range(len(found) - 1, -1, -1) if _is_quote(found[i])), None)
    if at is None or at == 0 or not _is_wanted(found[at + 1 :]):
        return None
    form, rest = found[at].form, found[:at]
    if form in {"라고", "으라고", "라는", "달라는"} and rest[-1].form in _ASKS_FOR:
        # 회신 달라고, 시간 내 달라고
        before = rest[:-1]
        if before and before[-1].tag == "EC":
            return f"{plain[: rest[-1].start].rstrip()} 주시기 바랍니다."
        return f"{plain[: rest[-1].start].rstrip()} 부탁드립니다."
    if form in {"라고", "으라고", "라는", "으라는"} and rest[-1].tag not in {"VCP", "VCN"}:
        return f"{_with(plain, rest, '어')} 주시기 바랍니다."
    if form in {"자고", "자는"}:
        return f"{_with(plain, rest, '었으면')} 합니다."
    if form.endswith(("냐고", "냐는")):
        return f"{_with(plain, rest, '는지')} 여쭙습니다."
    if not rest[-1].tag.startswith(_STEM):
        return None
    return f"{_with(plain, rest, '습니다', 'EF')}."


def _is_quote(one: Morpheme) -> bool:
    return (one.tag in {"EC", "EF"} and one.form in _QUOTES) or (one.tag == "ETM" and one.form in _SUCH)


def _is_wanted(behind: Sequence[Morpheme]) -> bool:
    """Whether what stands behind a quotation wants it to be told: …다고 써 줘, …다고 하고, …다는 메일."""
    if not behind or behind[0].form in _BEHIND:
        return True
    manner = behind[-1].form == "게" and not any(one.form in {"하", "말씀"} for one in behind)
    return manner or (len(behind) == _FEWEST and (behind[0].form, behind[1].form) == ("하", "고"))


_SUCH = ("다는", "ᆫ다는", "는다는", "라는", "자는", "달라는", "으라는", "냐는")
_FEWEST = 2
_BEHIND = frozenset(
    [
        "보내",
        "쓰",
        "적",
        "넣",
        "말",
        "말씀",
        "전하",
        "올리",
        "알리",
        "부탁",
        "문자",
        "메일",
        "카톡",
        "답",
        "만",
        "공지",
        "내용",
        "뜻",
        "메시지",
        "글",
        "편지",
        "요지",
    ]
)


def _core(found: Sequence[Morpheme]) -> list[Morpheme]:
    """The morphemes without the marks and the 요 at the end."""
    kept = list(found)
    while kept and (
        kept[-1].tag.startswith(_MARKS) or kept[-1].tag == "IC" or (kept[-1].tag, kept[-1].form) == ("JX", "요")
    ):
        kept.pop()
    return kept


def _is_quoted(rest: Sequence[Morpheme]) -> bool:
    """Whether 하다 stands behind a quotation: "품절이었다고 합니다", also "적으래요" as Kiwi takes it apart."""
    return len(rest) > _FEWEST and rest[-1].form == "하" and rest[-2].tag == "EC" and rest[-2].form in _QUOTES


def _plain_quote(rest: Sequence[Morpheme]) -> str:
    last = rest[-1]
    if last.tag in {"VCP", "VCN"}:
        return "라고"
    return "ᆫ다고" if last.tag.startswith(("VV", "XSV", "VX")) else "다고"


def _with(plain: str, rest: Sequence[Morpheme], ending: str, tag: str = "EC") -> str:
    """The words up to the last predicate as typed, and it with another ending."""
    at = len(rest) - 1
    while at > 0 and not rest[at].tag.startswith(_PREDICATE):
        at -= 1
    while at > 0 and rest[at - 1].end > rest[at].start:
        at -= 1
    before, parts = plain[: rest[at].start], [(one.form, one.tag) for one in rest[at:]] + [(ending, tag)]
    if (
        rest[at].tag == "VCP"
        and len(parts) == _FEWEST
        and before
        and ending == "라고"
        and not ends_in_consonant(before)
    ):
        return f"{before}라고"
    return before + joined(parts)
