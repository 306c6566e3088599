"""Questions that continue the one before: 그럼 부산은?, 작년이랑 비교하면?, 상위 3개만."""

import re
from typing import cast

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.semantic_query import Filter, SemanticQuery

_BACK = re.compile(
    r"^(?:그럼|그러면|그렇다면|그거|그건|그걸|그중|그\s?중|거기|같은|똑같이|이번엔|그럼요|그리고|또|아니\s|아니,|그외|나머지|이걸|이거|여기서|거기서|그\s)|말고|(?:은|는)요?\s?\?$|[은는]\?|도\s?(?:보여|알려|뽑|줘)|로도\s?"
    r"|(?:비교|바꿔|다시)\S{0,4}\??$"
)
_STARTS_BACK = re.compile(r"^(?:그럼|그러면|그거|거기|같은|그중|이번엔|그리고|그)")
_SHORT = 24
_UNITS = {"branch", "team", "rep"}


def is_followup(text: str, metrics: list[str], says_something: bool, stands_alone: bool) -> bool:
    """Whether the text continues the question before: it refers back, or says only part of a question."""
    back = bool(_BACK.search(text))
    if metrics:
        return len(text) <= _SHORT and (not stands_alone or (back and bool(_STARTS_BACK.match(text))))
    return says_something and (back or len(text) <= _SHORT)


def carry_over(
    previous: SemanticQuery, said: SemanticQuery, text: str, *, named: bool, order: str | None = None
) -> SemanticQuery:
    """`previous` with what was said put in its place."""
    merged = dict(previous)
    merged["kind"] = "query"
    if named:
        also = re.search(r"도(?:\s|$|[?.!]|요)", text)
        merged["metrics"] = list(dict.fromkeys([*previous["metrics"], *said["metrics"]] if also else said["metrics"]))
        merged["sort"] = previous["sort"] if also else None
    if said["dimensions"] and said["dimensions"] != previous["dimensions"]:
        merged |= {"dimensions": said["dimensions"], "sort": None, "limit": None}
    merged["filters"] = _merged_filters(previous["filters"], said["filters"])
    if said["period"]:
        merged["period"] = said["period"] if not (said["compare"] and previous["period"]) else previous["period"]
    if said["compare"]:
        merged["compare"] = said["compare"]
    metrics = cast(list[str], merged["metrics"])
    count = said["limit"] or _count(text)
    if (order or count) and merged["dimensions"] and metrics:
        merged["sort"] = {"by": metrics[0], "order": "asc" if order == "asc" else "desc"}
        merged["limit"] = count
    return cast(SemanticQuery, merged)


def _count(text: str) -> int | None:
    match = re.search(
        r"(?:상위|하위|top|톱|탑|베스트|꼴찌)\s?(\d{1,3})|(\d{1,3})\s?(?:개|명|곳|위)만", text, re.IGNORECASE
    )
    return int(match[1] or match[2]) if match else None


def _merged_filters(before: list[Filter], said: list[Filter]) -> list[Filter]:
    """A new value takes the place of the old one of the same field; a new threshold that of the old of its metric."""
    fields = {one["field"] for one in said if one["op"] != "ne"}
    # A branch, a team and a rep each name who sold: one takes the place of another.
    replaced = fields | (_UNITS if fields & _UNITS and not fields & set(semantics().metrics) else set())
    return [*(one for one in before if one["field"] not in replaced), *said]
