"""Reading a user's plain text as the answer to a pending question."""

import json
import re
from collections.abc import Mapping
from typing import Any

from madang.graph.state import Question
from madang.texts import say

APPROVE = ("승인", "네", "예", "응", "좋아", "좋습니다", "그래", "확인", "ㅇㅇ", "ok", "okay", "yes", "approve", "진행")
REJECT = ("거절", "아니", "취소", "안 할", "안할", "그만", "반려", "no", "reject", "ㄴㄴ", "됐어")
MODIFY = ("수정", "바꿔", "변경", "고쳐", "modify")
DECISIONS = ("approve", "modify", "reject")
_ASKS = re.compile(r"[?？]\s*$|(알려|찾아|추천해|보여|만들어|계산해|비교해)\s*(줘|주세요|줄래)")


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
    if _ASKS.search(text) or len(text) > 200:
        return None
    return text


def read_approval(text: str) -> dict[str, str] | None:
    """`{"decision": approve|modify|reject, "note": text}`, or None when the text decides nothing."""
    lowered = text.lower()
    if any(word in lowered for word in MODIFY):
        return {"decision": "modify", "note": text}
    if any(lowered.startswith(word) for word in REJECT):
        return {"decision": "reject", "note": text}
    if any(lowered.startswith(word) for word in APPROVE) and not _ASKS.search(text):
        return {"decision": "approve", "note": text}
    return None


def in_words(answer: Any) -> str:
    """An answer as the user would have said it."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, Mapping) and answer.get("decision") in DECISIONS:
        decided, note = say(answer["decision"]), str(answer.get("note") or "").strip()
        return f"{decided}: {note}" if note and note != decided else decided
    return json.dumps(answer, ensure_ascii=False, default=str)


def choose(choices: list[str], text: str) -> str | None:
    """The choice that `text` names: by its words, or by its number ("2", "2번")."""
    folded = re.sub(r"\s+", "", text).lower()
    for choice in choices:
        if re.sub(r"\s+", "", choice).lower() == folded:
            return choice
    number = re.fullmatch(r"(\d{1,2})(번|번째|\.)?", folded)
    if number and 1 <= int(number[1]) <= len(choices):
        return choices[int(number[1]) - 1]
    named = [choice for choice in choices if re.sub(r"\s+", "", choice).lower() in folded]
    return named[0] if len(named) == 1 else None
