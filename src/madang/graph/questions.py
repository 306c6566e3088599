"""Reading a user's plain text as the answer to a pending question."""

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from madang.graph.state import Question
from madang.texts import say

DECISIONS = ("approve", "modify", "reject")


@cache
def answer_words() -> dict[str, Any]:
    """How people say yes, no, change it, the second one: `answer_words.toml`."""
    return tomllib.loads(files("madang.graph").joinpath("answer_words.toml").read_text(encoding="utf-8"))


@cache
def _asks() -> re.Pattern[str]:
    words = answer_words()
    return re.compile(rf"[?？]\s*$|({'|'.join(words['asked_to'])})\s*({'|'.join(words['please'])})")


@cache
def _ordinal() -> re.Pattern[str]:
    words = answer_words()
    named = "|".join([*(form for forms in words["ordinals"] for form in forms), *words["last"]])
    return re.compile(rf"(?:(?P<number>\d{{1,2}})|(?P<word>{named}))(?:{'|'.join(words['after_ordinal'])})*\.?")


def read_answer(question: Question, text: str) -> Any | None:
    """The answer that `text` gives to `question`, or None if it doesn't fit and is a new message instead."""
    text = text.strip()
    if not text:
        return None
    if question["kind"] == "approval":
        return read_approval(text)
    chosen = choose(question["choices"], text)
    if chosen is not None:
        return chosen
    if _asks().search(text) or len(text) > 200:
        return None
    return text


def read_approval(text: str) -> dict[str, str] | None:
    """`{"decision": approve|modify|reject, "note": text}`, or None when the text decides nothing."""
    lowered, words = text.lower(), answer_words()
    if any(word in lowered for word in words["modify"]):
        return {"decision": "modify", "note": text}
    if any(lowered.startswith(word) for word in words["reject"]):
        return {"decision": "reject", "note": text}
    if any(lowered.startswith(word) for word in words["approve"]) and not _asks().search(text):
        return {"decision": "approve", "note": text}
    return None


def _told(answer: Mapping[str, Any]) -> str:
    """The words of a form's answer: its own (`said`), else its fields by name; and what was written beside them."""
    if isinstance(answer.get("said"), str):
        return str(answer["said"]).strip()
    given = answer.get("fields") or answer.get("changes")
    fields = [f"{name} {value}" for name, value in given.items()] if isinstance(given, Mapping) else []
    return ", ".join([*fields, str(answer.get("note") or "").strip()]).strip(", ")


def in_words(answer: Any) -> str:
    """An answer as the user would have said it."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, Mapping) and answer.get("decision") in DECISIONS:
        decided, note = say(answer["decision"]), _told(answer)
        return f"{decided}: {note}" if note and note != decided else decided
    if isinstance(answer, Mapping) and isinstance(answer.get("fields"), Mapping) and (told := _told(answer)):
        return told
    return json.dumps(answer, ensure_ascii=False, default=str)


def choose(choices: list[str], text: str) -> str | None:
    """The choice that `text` names: by its words, or by its number ("2번", "둘째", "마지막 걸로")."""
    folded = re.sub(r"\s+", "", text).lower()
    for choice in choices:
        if re.sub(r"\s+", "", choice).lower() == folded:
            return choice
    number = _number(folded, len(choices))
    if number is not None:
        return choices[number - 1] if 1 <= number <= len(choices) else None
    named = [choice for choice in choices if re.sub(r"\s+", "", choice).lower() in folded]
    return named[0] if len(named) == 1 else None


def _number(folded: str, count: int) -> int | None:
    """Which one of `count` is meant, from 1; None if no number was said."""
    said = _ordinal().fullmatch(folded)
    if said is None:
        return None
    if said["number"]:
        return int(said["number"])
    places = enumerate(answer_words()["ordinals"], 1)
    return next((place for place, forms in places if said["word"] in forms), count)
