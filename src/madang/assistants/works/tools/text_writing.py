"""Texts for people: a message, a mail, a notice, points to say, written from what the conversation knows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from madang.assistants.works.data import load
from madang.assistants.works.state.documents import Finding, TextInput, TextPart
from madang.assistants.works.tools.guide import Spoken
from madang.text.morphemes import morphemes
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
TO = {
    "customer": "거래처에", "boss": "상사에게", "colleague": "동료에게", "everyone": "모두에게",
    "department": "담당 부서에",
}  # fmt: skip
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
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The topics of a conversation that make a text for a reader this one."""


def occasions() -> list[Occasion]:
    """Every occasion of the data."""
    return [
        Occasion(
            one["id"], one["title"], tuple(tuple(map(squeeze, group)) for group in one["signs"]), one["default"],
            {name: body for name, body in one["bodies"].items() if name in TO}, one["bodies"].get("note", ""),
            one.get("plain", False), one["bodies"].get("english", ""),
            tuple(map(squeeze, one.get("unless", ()))), one.get("subject", ""),
            one.get("of_figures", False), {name: tuple(topics) for name, topics in one.get("topics", {}).items()},
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


def occasion_about(topic: str, audience: str) -> Occasion | None:
    """What a text for that reader is for in a conversation about the topic."""
    return next((one for one in occasions() if topic in one.topics.get(audience, ())), None)


def occasion_of(name: str) -> Occasion | None:
    """The occasion of that id, None for a text of its own."""
    return next((one for one in occasions() if one.id == name), None)


def write_text(wish: TextInput) -> str:
    """The texts that are wanted, one after the other; blanks stand where nothing is known."""
    if wish.get("body"):
        return wish["body"]
    texts = [_written(one, wish) for one in wish["parts"]]
    heads = [_head(one) for one in wish["parts"]]
    text = (
        texts[0]
        if len(texts) == 1
        else "\n\n".join(f"**{head}**\n\n{one}" for head, one in zip(heads, texts, strict=True))
    )
    for word in wish["without"]:
        text = without(text, word)
    return text


def title_of(parts: Sequence[TextPart]) -> str:
    """What the texts are called together."""
    return " · ".join(
        dict.fromkeys(found.title if (found := occasion_of(one["occasion"])) else _LABELS[one["kind"]] for one in parts)
    )


def _head(part: TextPart) -> str:
    to = TO.get(part["audience"]) if part["kind"] != "memo" else None
    return f"{to} — {title_of([part])}" if to else title_of([part])


def _written(part: TextPart, wish: TextInput) -> str:
    occasion, slots = occasion_of(part["occasion"]), {**wish["slots"], "to": _addressed(part, wish["slots"])}
    if occasion is None or (occasion.of_figures and ("figures_line" not in slots or part["lines"])):
        return drafted(part, slots)
    if wish.get("english") and occasion.english:
        return occasion.english.strip()
    audience = part["audience"] if part["audience"] in occasion.bodies else occasion.default
    body = _with_told(filled(occasion.bodies[audience], slots).strip(), occasion, audience, slots)
    if part["kind"] == "mail" and not occasion.plain:
        subject = filled(occasion.subject or occasion.title, slots)
        body = f"제목: {subject}\n\n{body}\n\n{slots.get('me') or _BLANKS['me']} 드림"
    return shortened(body, part["lines"])


def _with_told(body: str, occasion: Occasion, audience: str, slots: Mapping[str, str]) -> str:
    """A text with what was told: what happened, for one's own people; what is to be said, for a customer."""
    if audience in {"boss", "department"}:
        facts = slots.get("facts")
        if not facts or occasion.plain or "{facts}" in occasion.bodies[audience]:
            return body
        first, found, rest = body.partition("\n\n")
        return f"{first}\n\n[들은 내용·경위]\n{facts}\n\n{rest}" if found else f"{body}\n\n{facts}"
    extra = [
        one for one in re.split(r"(?<=\.)\s", slots.get("sayings") or "") if one and not _tells(one, occasion, body)
    ]
    if not extra or occasion.plain:
        return body
    at = max(body.rfind(mark) for mark in (". ", "! ", "? "))
    return f"{body[: at + 1]} {' '.join(extra)}{body[at + 1 :]}" if at > 0 else f"{body}\n{' '.join(extra)}"


def _tells(sentence: str, occasion: Occasion, body: str) -> bool:
    """Whether the occasion's own text says it already."""
    stem = squeeze(sentence)
    nouns = [one.form for one in morphemes(sentence) if one.tag.startswith("NN") and len(one.form) > 1]
    said = [one for one in nouns if one in body]
    return any(word[:2] in stem for word in occasion.signs[0]) or (bool(nouns) and len(said) == len(nouns))


def drafted(part: TextPart, slots: Mapping[str, str]) -> str:
    """A text of its own, of what was told and found: the sections of its kind that have something to tell."""
    kind, inside = part["kind"], part["audience"] in {"boss", "department", ""}
    draft = load("texts")["drafts"].get(kind) or load("texts")["drafts"]["message"]
    if part["lines"]:
        return _in_lines(part["lines"], slots)
    told = {**slots, "matter": slots.get("matter") or "( 제목 )"}
    shown = [] if not inside and kind not in {"memo", "talk"} else ["facts", "figures", "table", "unsure", "plan"]
    sections = []
    for name, head in draft["sections"].items():
        if name in shown or name in {"points", "asks"}:
            content = slots.get(name) or (draft["asks"] if name == "asks" else "")
            sections += [f"{head}\n{content}".strip()] if content else []
    if not any(slots.get(name) for name in (*shown, "points")):
        sections.insert(0, "- ( 전할 내용 )")
    opening, closing = filled(draft["opening"], told).strip(), filled(draft["closing"], told).strip()
    if kind == "message":
        return " ".join(
            filter(
                None,
                [
                    opening,
                    slots.get("sayings") or _BLANK if not inside else "",
                    "" if not inside else "\n" + "\n".join(sections) + "\n",
                    closing,
                ],
            )
        ).strip()
    return "\n\n".join(filter(None, [opening, *sections, closing]))


def _in_lines(count: int, slots: Mapping[str, str]) -> str:
    """As many lines as are wanted: the figures, what is to be said, what happened, what is to be done."""
    told = [
        line.removeprefix("- ")
        for name in ("figures", "points", "facts")
        for line in (slots.get(name) or "").splitlines()
    ]
    told += [line.removeprefix("- ") for line in (slots.get("plan") or "").splitlines()]
    lines = list(dict.fromkeys([*told, "( 요청하거나 결정할 것 )"]))
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines[:count], 1))


_LABELS = {
    "message": "문자", "mail": "메일", "notice": "안내문", "talk": "말할 내용", "checklist": "점검표", "agenda": "안건",
    "minutes": "회의록", "report": "보고", "memo": "방문 노트", "application": "신청·요청서",
}  # fmt: skip


def _addressed(part: TextPart, slots: Mapping[str, str]) -> str:
    name = {"customer": "customer_to", "boss": "boss_to", "colleague": "colleague_to"}.get(part["audience"])
    return f"{slots[name]} " if name and slots.get(name) else ""


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
    if not lines or lines == 1:
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
