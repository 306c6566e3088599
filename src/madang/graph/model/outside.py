"""Tools of MCP servers as further tools of a loop: typed for a model, run as steps, their words those of others."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from madang.graph.context import Offered, OfferedTool
from madang.graph.model.prompt import plain
from madang.graph.outside_tools import OUTSIDE
from madang.graph.plan import StepRequest
from madang.graph.state import ToolResult

if TYPE_CHECKING:
    from madang.graph.assistant import Assistant
    from madang.graph.context import TurnContext
    from madang.llm.evidence import Evidence

State = Mapping[str, Any]
LONGEST, DESCRIBED = 2000, 240
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![a-z0-9.-])(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)
NOTHING = Offered()


async def offered_to(assistant: "Assistant", context: "TurnContext[Any]") -> Offered:
    """The tools that this assistant's loop may call; none where it declares no agent that would."""
    if context.tools is None or OUTSIDE not in assistant.by_name:
        return NOTHING
    return await context.tools.offered(assistant.name)


def outside_line(tool: OfferedTool) -> str:
    """A tool as a model reads it: what its server says of it is somebody's text."""
    said = plain(" ".join(tool.description.split()))[:DESCRIBED]
    return f"- {tool.name} (외부 도구. 서버의 설명: <자료>{said}</자료>)"


def outside_step(tool: OfferedTool, arguments: Mapping[str, Any]) -> StepRequest | None:
    """A step that calls the tool; None if an argument is not the JSON that it should be."""
    try:
        given = tool.read(arguments)
    except json.JSONDecodeError:
        return None
    return StepRequest(OUTSIDE, description=tool.name, arguments={"tool": tool.name, "arguments": given})


def with_outside(evidence: "Evidence", state: State) -> "Evidence":
    """The evidence with what tools outside said, as text of others. Addresses in it lead nowhere: they are left out, so
    that a sentence with one rests on nothing."""
    from madang.llm.evidence import Fact

    first = len(evidence.facts) + 1
    told = tuple(
        Fact(
            id=f"F{number}",
            kind="guide",
            text=f"외부 도구 {one['tool']}의 답: {_shown(one)} ({one['as_of']})",
            of_others=True,
        )
        for number, one in enumerate(state.get("tool_results") or (), first)
    )
    return replace(evidence, facts=(*evidence.facts, *told)) if told else evidence


def _shown(one: ToolResult) -> str:
    """The answer as a model reads it; what is left out of it is said, so that nobody takes it for the whole."""
    text = _ADDRESS.sub("(주소)", one["text"])[:LONGEST]
    return f"{text} …(답이 길어 여기까지만 읽음: 뒤는 모름)" if is_cut(one) else text


def is_cut(one: ToolResult) -> bool:
    """Whether only the beginning of a tool's answer was read."""
    return one["letters"] > LONGEST


def outside_ids(evidence: "Evidence", state: State) -> frozenset[str]:
    """The facts that tools outside gave."""
    count = len(state.get("tool_results") or ())
    return frozenset(fact.id for fact in evidence.facts[-count:]) if count else frozenset()
