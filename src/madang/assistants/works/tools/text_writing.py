"""Texts for people: a message, a mail, a notice, points to say, written from what the conversation knows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from madang.assistants.works.data import load
from madang.assistants.works.state.documents import Finding, TextInput
from madang.assistants.works.tools.guide import Spoken
from madang.text.normalise import squeeze

_SLOT = re.compile(r"\{(\w+)\}")
_BLANK = "( 채울 내용 )"
_BLANKS = {
    "me": "( 이름 )", "product": "( 제품 )", "customer": "( 거래처 )", "date": "( 날짜 )", "date_from": "( 날짜 )",
    "date_short": "( 날짜 )에", "reason": "( 사정으로 )", "patient": "( 나이대·성별 )", "taking": "( 용법·기간 )",
    "symptoms": "( 들은 그대로 )", "date_about": "( 날짜 )", "figures": "( 숫자와 근거 )", "figures_line": "( 실적 )",
    "team": "우리 팀", "season": "이번 시기", "new_reps": "지역에 따라 다를 수 있어요", "return_line": "",
    "points": "- ( 전할 내용 )", "matter_line": "", "to": "", "lines": "( 앞에서 본 결과가 없어 채우지 못했습니다 )",
}  # fmt: skip
_FREE = {
    "message": "{to}안녕하세요, {me}입니다. {matter_line}\n{points}\n확인 부탁드립니다. 감사합니다.",
    "mail": "제목: {matter_title}\n\n{to}안녕하세요, {me}입니다. {matter_line}\n\n{points}\n\n감사합니다.\n{me} 드림",
    "notice": "**[안내] {matter_title}**\n\n{points}\n\n문의: ( 담당자·연락처 )",
    "talk": "{points}",
    "checklist": "{points}",
    "agenda": "{points}",
    "minutes": "{points}",
}
TO = {
    "customer": "거래처에", "boss": "상사에게", "colleague": "동료에게", "everyone": "모두에게",
    "department": "담당 부서에",
}  # fmt: skip
_FEW = 2
SHARES = (0.2, 0.27, 0.2, 0.2, 0.13)


@dataclass(frozen=True)
class Occasion:
    """What a text is for: the words that tell it, and the text by whom it is for."""

    id: str
    title: str
    signs: tuple[tuple[str, ...], ...]
    default: str
    bodies: Mapping[str, str]
    note: str = ""
    plain: bool = False
    english: str = ""
    unless: tuple[str, ...] = ()
    subject: str = ""
    of_figures: bool = False
    """Whether it tells figures and nothing else."""


def occasions() -> list[Occasion]:
    """Every occasion of the data."""
    return [
        Occasion(
            one["id"], one["title"], tuple(tuple(map(squeeze, group)) for group in one["signs"]), one["default"],
            {name: body for name, body in one["bodies"].items() if name in TO}, one["bodies"].get("note", ""),
            one.get("plain", False), one["bodies"].get("english", ""),
            tuple(map(squeeze, one.get("unless", ()))), one.get("subject", ""),
            one.get("of_figures", False),
        )
        for one in load("texts")["occasions"]
    ]  # fmt: skip


def occasion_in(text: str) -> Occasion | None:
    """The occasion that a text speaks of most."""
    said = Spoken(text)
    scored = [(_score(one, said), one) for one in occasions()]
    best = max(scored, key=lambda one: one[0])
    return best[1] if best[0] else None


def _score(one: Occasion, said: Spoken) -> int:
    if any(word in said for word in one.unless):
        return 0
    found = [max((len(word) for word in group if word in said), default=0) for group in one.signs]
    return sum(found) + len(found) if all(found) else 0


def occasion_of(name: str) -> Occasion | None:
    """The occasion of that id, None for a text of its own."""
    return next((one for one in occasions() if one.id == name), None)


def write_text(wish: TextInput) -> str:
    """The text that is wanted, one after the other where it is for several; blanks stand where nothing is known."""
    if wish.get("body"):
        return wish["body"]
    occasion = occasion_of(wish["occasion"])
    parts = []
    if occasion is None:
        matter = wish["slots"].get("matter")
        told = {"matter_line": f"{matter} 건으로 연락드립니다." if matter else "", "matter_title": matter or "( 제목 )"}
        parts.append(filled(_FREE[wish["kind"]], {**wish["slots"], **told}))
    elif wish.get("english") and occasion.english:
        parts.append(occasion.english.strip())
    else:
        wanted = [one for one in wish["audiences"] if one in occasion.bodies] or [occasion.default]
        for audience in wanted:
            body = filled(occasion.bodies[audience], wish["slots"]).strip()
            if wish["kind"] == "mail" and not occasion.plain:
                subject = filled(occasion.subject or occasion.title, wish["slots"])
                body = f"제목: {subject}\n\n{body}\n\n{wish['slots'].get('me') or _BLANKS['me']} 드림"
            parts.append(f"**{TO[audience]}**\n\n{body}" if len(wanted) > 1 else body)
    text = "\n\n".join(parts)
    for word in wish["without"]:
        text = without(text, word)
    return shortened(text, wish.get("lines") if len(parts) == 1 else None)


def filled(body: str, slots: Mapping[str, str]) -> str:
    """The body with what is known in its places."""
    shown = _SLOT.sub(lambda match: slots.get(match[1]) or _BLANKS.get(match[1], _BLANK), body)
    return re.sub(r"\(\s(?=\()|(?<=\))\s\)", "", shown)


def without(text: str, word: str) -> str:
    """The text without the sentences that speak of `word`."""
    lines = []
    for line in text.splitlines():
        sentences = re.split(r"(?<=[.!?])\s", line)
        lines.append(" ".join(one for one in sentences if word not in one))
    return "\n".join(lines)


def shortened(text: str, lines: int | None) -> str:
    """At most as many lines as are wanted; "한 줄" of a text that is one paragraph is that paragraph."""
    if not lines or lines < _FEW:
        return text
    kept = [line for line in text.splitlines() if line.strip()]
    return "\n".join(kept[:lines])


def figure_lines(findings: Sequence[Finding]) -> list[str]:
    """What was found, a line each."""
    return [f"- {one['sentence']}" for one in findings]


def minutes_of(total: int) -> dict[str, str]:
    """A meeting's minutes shared out over its five parts; they sum up to the whole."""
    parts = [max(1, round(total * share)) for share in SHARES]
    parts[1] += total - sum(parts)
    return {"minutes": str(total), **{f"p{number}": str(part) for number, part in enumerate(parts, 1)}}
