"""Why a step was not done, as people are told: what was written for them, never what a library said."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from madang.errors import AgentError, ConfigurationError, InvalidState, MadangError, StoredDataError
from madang.texts import DEFAULT, say

_OURS_ALONE = (AgentError, ConfigurationError, InvalidState, StoredDataError)
_TIMED_OUT = "NodeTimeoutError"
_SLIPS = frozenset({"KeyError", "IndexError", "TypeError", "AttributeError", "NameError", "AssertionError"})
HALF = Fraction(1, 2)


def excuse(step: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """The reason of a step that failed or was skipped. One that a program wrote for programs stays in the record of
    failures; people, and the model that words the answer, read that something went wrong."""
    types = {one["step_id"]: one["error_type"] for one in state.get("failures") or ()}
    kind, error = types.get(step["step_id"]), str(step["error"])
    language = state.get("language") or DEFAULT
    if kind in (None, _TIMED_OUT):
        return error
    korean = _is_korean(error) and kind not in _SLIPS
    meant = korean if language == DEFAULT else korean or kind in _for_people()
    return error if meant else say("internal_error", language)


@cache
def _for_people() -> frozenset[str]:
    """The names of our errors whose message is meant for whoever uses an assistant."""
    found, open_ = set[str](), [MadangError]
    while open_:
        one = open_.pop()
        open_ += one.__subclasses__()
        if not issubclass(one, _OURS_ALONE):
            found.add(one.__name__)
    return frozenset(found)


def _is_korean(text: str) -> bool:
    """Whether a text is a Korean sentence rather than a Korean word inside a program's."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and Fraction(sum("가" <= char <= "힣" for char in letters), len(letters)) >= HALF
