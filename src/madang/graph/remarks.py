"""What the kit adds to an answer: help in danger before it; what was heard and what was not read after it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.graph.assistant import Assistant
from madang.graph.danger import danger_answer, in_danger, was_said
from madang.graph.reading import ASIDE, NAMED_AT_MOST, Reading
from madang.text.normalise import squeeze
from madang.texts import say

_FIGURE, _WORD = re.compile(r"\d+"), re.compile(r"(?<!\d)[가-힣A-Za-z]{2,}")
State = Mapping[str, Any]
LETTERS = 2
MANY = 4
UNUSABLE = frozenset({"bad_json", "schema", "refusal", "empty", "tool_call", "truncated", "unsourced"})
_WHY = {
    "timeout": "why_slow", "turn_over": "why_slow", "rate_limited": "why_busy", "key": "why_key",
    "configuration": "why_set_up", "context": "why_long", "circuit_open": "why_resting", "refusal": "why_refused",
}  # fmt: skip


def opening(state: State) -> str:
    """What must be said before anything else, set apart by a blank line; empty when no one is in danger."""
    reading: Reading | None = state.get("reading")
    query = state.get("query") or ""
    spans = [act["span"] for act in reading["acts"] if act["kind"] == "danger"] if reading else []
    if not spans:
        return ""
    # The words that are the danger tell its kind; the rest of a message is about something else.
    said = danger_answer(" ".join(query[slice(*span)] for span in spans) or query, state.get("language"))
    earlier = [str(message.text) for message in state.get("messages") or () if message.type == "ai"]
    # Once in a conversation: said again each turn it is not heard any more. Another danger in so many words is.
    again = [part for part in said.split("\n\n") if not any(part in text for text in earlier)]
    known = any(was_said(text) for text in earlier) and not in_danger(query)
    return "" if known or not again else "".join(f"{part}\n\n" for part in again)


def closing(assistant: Assistant, state: State, response: Mapping[str, Any]) -> str:
    """A line that says back what was heard, and one that names what was not read; empty when there is neither."""
    shown = shown_reading(assistant, state)
    language = state.get("language")
    lines = []
    read, left = shown.get("read", ()), worth_naming(state)
    if "statements" in (response.get("structured_data") or {}):
        # A model says back what it heard in its own words; what it inferred may be wrong and is named.
        read = [item for item in read if item["inferred"] and not isinstance(item["value"], list)]
        left = [words for words in left if not _is_said(words, response["answer"])]
    if phrases := [item["text"] for item in read if item["text"] not in response["answer"]]:
        lines.append(say("heard", language, phrases=" · ".join(dict.fromkeys(phrases))))
    unread = [f"“{_short(words)}”" for words in left][:NAMED_AT_MOST]
    if unread and not (response.get("structured_data") or {}).get("names_left"):  # the answer says so itself
        lines.append(say("not_read", language, words=", ".join(unread)))
    return "".join(f"\n\n_{line}_" for line in lines)


def _is_said(words: str, answer: str) -> bool:
    """Whether an answer has these words, or each of their figures and words by itself: 11/9 식사 as 11월 9일 식사."""
    if squeeze(words) in squeeze(answer):
        return True
    figures = set(_FIGURE.findall(words.replace(",", "")))
    told = [word[:LETTERS] in answer for word in _WORD.findall(words)]
    # Of a long story an answer has most in words of its own.
    enough = all(told) if len(figures) < MANY else sum(told) * 2 >= len(told)
    return enough and len("".join(figures)) > 1 and figures <= set(_FIGURE.findall(answer.replace(",", "")))


def model_failed(state: State, notes: Sequence[Mapping[str, Any]]) -> str:
    """One phrase when a model was set and could not be used in this turn: that, and why."""
    reasons = [note["reason"] for note in (*(state.get("fallbacks") or ()), *notes)]
    if not reasons:
        return ""
    language = state.get("language")
    name = "model_unusable" if reasons[0] in UNUSABLE else "model_failed"
    return f"\n\n_{say(name, language, why=say(_WHY.get(reasons[0], 'why_unreachable'), language))}_"


def tools_lost(state: State) -> str:
    """One phrase when a server's tools were wanted and could not be had."""
    lost = list(dict.fromkeys(state.get("tools_lost") or ()))
    return f"\n\n_{say('tools_lost', state.get('language'), servers=', '.join(lost))}_" if lost else ""


def worth_naming(state: State) -> list[str]:
    """Of what is left over the words a person would miss in the answer: whole questions first, then the longest; a bare
    number or syllable says nothing by itself."""
    reading: Reading | None = state.get("reading")
    if reading is None:
        return []
    asked = [act["span"] for act in reading["acts"]]
    telling = [left for left in reading["left"] if sum(letter.isalpha() for letter in left["words"]) >= LETTERS]
    ordered = sorted(telling, key=lambda left: (left["span"] not in asked, -len(left["words"])))
    return [left["words"] for left in ordered]


def shown_reading(assistant: Assistant, state: State) -> dict[str, Any]:
    """The reading as clients show it: `read` with each value in words, `not_read` with what is left over."""
    reading: Reading | None = state.get("reading")
    if reading is None:
        return {}
    inputs = {one.path: one for one in assistant.form}
    read = [
        {
            "field": claim["field"],
            "title": inputs[claim["field"]].title,
            "value": claim["value"],
            "text": f"{inputs[claim['field']].title} {inputs[claim['field']].shown(claim['value'])}",
            "words": claim["words"],
            "inferred": claim["inferred"],
        }
        for claim in reading["claims"]
        if claim["field"] in inputs and claim["field"] != ASIDE and claim["value"] is not None
    ]
    not_read = [{"words": left["words"], "text": f"“{_short(left['words'])}”"} for left in reading["left"]]
    return {"read": read, "not_read": not_read}


def _short(words: str, longest: int = 40) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"
