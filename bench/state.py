"""The state layer's cost on states of 50 to 400 kB, beside `copy.deepcopy` of the same state."""

import copy
from collections.abc import Callable
from time import perf_counter
from typing import Annotated, Any

from typing_extensions import TypedDict

from bench import Row
from madang.state.diff import apply, diff
from madang.state.fields import SENSITIVE
from madang.state.plain import json_safe
from madang.state.redaction import redact
from madang.state.reducers import merge_steps, merge_to_depth
from madang.state.size import measure
from madang.state.steps import ExecutionStepState, new_step
from madang.state.validation import require_valid

_SIZES = (50_000, 100_000, 200_000, 400_000)
_ROUNDS = 15
_PEER = "copy.deepcopy"


class BenchState(TypedDict):
    """The fields that make up most of an assistant's state."""

    session_id: str
    query: str
    phone: Annotated[str | None, SENSITIVE]
    execution_steps: Annotated[list[ExecutionStepState], merge_steps]
    team_results: Annotated[dict[str, dict[str, list[dict[str, Any]]]], merge_to_depth(2)]
    conversation: list[dict[str, str]]


def build_state(size: int) -> dict[str, Any]:
    """A state of about `size` bytes of JSON: two thirds search results, the rest steps and conversation."""
    articles: list[dict[str, Any]] = []
    turns: list[dict[str, str]] = []
    steps: list[ExecutionStepState] = []
    state: dict[str, Any] = {
        "session_id": "1f0a2b3c-1111-6222-8333-444455556666",
        "query": "전세금 5% 인상 가능해?",
        "phone": "010-1234-5678",
        "execution_steps": steps,
        "team_results": {"search": {"legal_search": articles}},
        "conversation": turns,
    }
    while sum(measure(state).values()) < size:
        for _ in range(max(1, size // 25_000)):
            _grow(articles, turns, steps)
    return state


def _grow(articles: list[dict[str, Any]], turns: list[dict[str, str]], steps: list[ExecutionStepState]) -> None:
    number = len(articles)
    articles.append(
        {
            "id": f"law-{number}",
            "law_name": "주택임대차보호법",
            "article": f"제{number}조의2",
            "content": f"임대인은 {number * 12_345:,}원을 2026-01-02까지 돌려주어야 한다. " * 8,
            "relevance_score": number / 1000,
            "published": "2025-10-20T14:30:05+09:00",
        }
    )
    turns.append(
        {
            "role": "user",
            "content": f"{number}번째 질문이에요. 연락처는 010-{number:04}-5678이고 보증금은 4억 3천이에요.",
        }
    )
    steps.append(
        new_step(
            f"step_{number}", step_type="search", agent_name="search_team", team="search", task="검색", description=""
        )
    )


def _edited(state: dict[str, Any]) -> dict[str, Any]:
    """The state after a turn: a step done, an article replaced, a message added."""
    changed = copy.deepcopy(state)
    changed["execution_steps"][0]["status"] = "completed"
    changed["team_results"]["search"]["legal_search"][-1]["content"] = "다른 내용"
    changed["conversation"].append({"role": "assistant", "content": "네, 가능합니다."})
    return changed


def _operations(state: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    changed = _edited(state)
    difference = diff(state, changed)
    return {
        _PEER: lambda: copy.deepcopy(state),
        "validate": lambda: require_valid(BenchState, state),
        "diff": lambda: diff(state, changed),
        "apply a diff": lambda: apply(difference, state),
        "redact": lambda: redact(state, state_type=BenchState),
        "convert to JSON data": lambda: json_safe(state),
    }


def _measure() -> dict[str, dict[int, float]]:
    """Milliseconds by operation and size: the quickest of several rounds, each of which goes through all sizes."""
    states = {size: build_state(size) for size in _SIZES}
    calls = {size: _operations(state) for size, state in states.items()}
    best: dict[str, dict[int, float]] = {name: dict.fromkeys(_SIZES, float("inf")) for name in calls[_SIZES[0]]}
    for _ in range(_ROUNDS):
        for size, operations in calls.items():
            for name, call in operations.items():
                begun = perf_counter()
                call()
                best[name][size] = min(best[name][size], (perf_counter() - begun) * 1000)
    return best


def cost() -> list[Row]:
    """Each operation at each size beside the peer, then its cost per byte against that at the smallest size."""
    best = _measure()
    peers = best.pop(_PEER)
    rows: list[Row] = []
    for name, spent in best.items():
        for size, milliseconds in spent.items():
            rows.append(
                Row(
                    measure=f"{name}, {size // 1000} kB",
                    value=milliseconds,
                    unit="ms",
                    peer=_PEER,
                    peer_value=peers[size],
                )
            )
        smallest = _SIZES[0]
        for size in _SIZES[1:]:
            rows.append(
                Row(
                    measure=f"{name}: cost per byte at {size // 1000} kB",
                    value=spent[size] / size * 1e6,
                    unit="ns",
                    peer=f"at {smallest // 1000} kB",
                    peer_value=spent[smallest] / smallest * 1e6,
                    goal="about 1 (linear)",
                )
            )
    return rows


SUITES: dict[str, Callable[[], list[Row]]] = {"state": cost}
