"""`/inputs`, `/set` and `/clear` in `madang chat`: what was understood, shown and put right without a sentence."""

import json
from typing import TYPE_CHECKING, Any

from madang.errors import MadangError

if TYPE_CHECKING:
    from rich.console import Console

    from madang.runtime import Runtime

HELP = "/inputs 이해한 내용 보기 · /set 항목=값 [항목=값 …] 고치기 · /clear 항목 [항목 …] 지우기"


async def form_command(runtime: "Runtime", session_id: str, text: str, screen: "Console") -> None:
    """Do what a line that begins with a slash says; one that isn't known gets the list of those that are."""
    from madang.runtime import conversations

    command, _, rest = text.strip().partition(" ")
    session = await runtime.sessions.get(session_id)
    try:
        if command == "/set" and rest:
            await _set(runtime, session, _pairs(rest), screen)
        elif command == "/clear" and rest:
            await _set(runtime, session, dict.fromkeys(rest.split()), screen)
        elif command == "/inputs":
            for one in await conversations.inputs(runtime, session):
                said = f"  [dim]“{one['words']}”[/]" if one["words"] else ""
                screen.print(f"{one['field']:<24} {one['title']}: {one['text'] or '-'}{said}")
        else:
            screen.print(HELP, markup=False)
    except MadangError as error:
        screen.print(str(error), markup=False)


async def _set(runtime: "Runtime", session: Any, values: dict[str, Any], screen: "Console") -> None:
    from madang.runtime import conversations

    run = await conversations.set_inputs(runtime, session, values)
    outcome = await runtime.outcome(run.run_id)
    screen.print(str((outcome["response"] or {}).get("answer") or f"({outcome['status']})"), markup=False)


def _pairs(text: str) -> dict[str, Any]:
    """`name=value` pairs; a value is JSON, or text as it stands. A value with blanks is written in quotes."""
    pairs: dict[str, Any] = {}
    name = ""
    for part in text.split(" "):
        before, equals, after = part.partition("=")
        if equals and before.replace("_", "").replace(".", "").isalnum():
            name = before
            pairs[name] = after
        elif name:
            pairs[name] += f" {part}"
    return {name: _value(given) for name, given in pairs.items()}


def _value(given: str) -> Any:
    try:
        return json.loads(given)
    except ValueError:
        return given.strip("\"'")
