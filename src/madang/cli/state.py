"""`madang state`: look into a conversation's state, edit it, fork it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.cli.opening import print_json
from madang.cli.options import Db, Json, SessionId, settings_with
from madang.errors import InvalidInput
from madang.state.nesting import NestedTooDeeply, read_json

if TYPE_CHECKING:
    from madang.runtime import Runtime
    from madang.store.sessions import Session

app = typer.Typer(no_args_is_help=True)
At = Annotated[str | None, typer.Option("--at", help="체크포인트 id", metavar="CHECKPOINT")]
Work = Callable[["Runtime", "Session"], Awaitable[Any]]


def _with(db: str | None, session_id: str, work: Work) -> Any:
    async def run() -> Any:
        from madang.bootstrap import open_runtime

        async with open_runtime(settings_with(db)) as runtime:
            return await work(runtime, await runtime.sessions.get(session_id))

    return asyncio.run(run())


@app.command()
def show(session: SessionId, at: At = None, db: Db = None, as_json: Json = False) -> None:
    """상태 전체를 보여줍니다."""
    from madang.runtime import conversations

    values = _with(db, session, lambda runtime, found: conversations.state(runtime, found, at))
    if as_json:
        print_json(values)
        return
    from madang.cli.display import console
    from madang.cli.tree import state_tree

    console().print(state_tree(session, values))


@app.command()
def history(
    session: SessionId,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="몇 개까지")] = 50,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """체크포인트를 새것부터 보여줍니다."""
    from madang.runtime import conversations

    rows = _with(db, session, lambda runtime, found: conversations.history(runtime, found, limit))
    if as_json:
        print_json(rows)
        return
    from madang.cli.display import local_time, print_rows

    shown = [
        (
            row["checkpoint_id"],
            str(row["step"]),
            row["source"],
            ", ".join(row["next"]) or "-",
            local_time(row["created_at"]),
            row["request_id"] or "",
        )
        for row in rows
    ]
    print_rows(("checkpoint", "step", "source", "next", "created", "request"), shown)


@app.command()
def diff(
    session: SessionId,
    before: Annotated[str, typer.Argument(metavar="FROM", help="앞 체크포인트")],
    after: Annotated[str | None, typer.Argument(metavar="TO", help="뒤 체크포인트 (없으면 지금)")] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """두 체크포인트 사이에 바뀐 것을 보여줍니다."""
    from madang.runtime import conversations

    changes = _with(db, session, lambda runtime, found: conversations.diff(runtime, found, before, after))
    if as_json:
        print_json(changes)
        return
    from madang.cli.display import console
    from madang.cli.tree import diff_table

    console().print(diff_table(changes))


@app.command()
def field(
    session: SessionId,
    path: Annotated[str, typer.Argument(metavar="PATH", help="예: planning_state.execution_steps[step_0].status")],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """한 항목의 값, 출처, 변화를 보여줍니다."""
    from madang.runtime import conversations

    found = _with(db, session, lambda runtime, found: conversations.field(runtime, found, path))
    if as_json:
        print_json(found)
        return
    print_json(found["value"])
    if found["source"]:
        typer.echo("출처: " + ", ".join(f"{k}={v}" for k, v in found["source"].items() if v))
    for change in found["history"]:
        typer.echo(f"  {change['label']}  {json.dumps(change['value'], ensure_ascii=False)[:120]}")


@app.command()
def fork(session: SessionId, at: At = None, db: Db = None, as_json: Json = False) -> None:
    """그 시점까지의 상태와 메시지로 새 대화를 만듭니다."""
    from madang.runtime import conversations

    made = _with(db, session, lambda runtime, found: conversations.fork(runtime, found, at)).as_dict()
    if as_json:
        print_json(made)
    else:
        typer.echo(made["session_id"])


@app.command()
def edit(
    session: SessionId,
    changes: Annotated[list[str], typer.Argument(metavar="PATH=VALUE", help="값은 JSON, 아니면 글자 그대로")],
    run: Annotated[bool, typer.Option(help="바뀐 것에 딸린 단계를 다시 실행")] = True,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """상태를 고치고, 그에 딸린 단계만 다시 실행합니다."""
    from madang.runtime import conversations

    parsed = dict(_change(text) for text in changes)

    async def work(runtime: "Runtime", found: "Session") -> Any:
        started = await conversations.edit(runtime, found, parsed, run=run)
        if started is not None:
            return await runtime.outcome(started.run_id)
        return {"session_id": session, "state": await conversations.state(runtime, found)}

    result = _with(db, session, work)
    if as_json:
        print_json(result)
        return
    typer.echo("고쳤습니다: " + ", ".join(parsed))
    from madang.cli.display import step_line

    events = result.get("events") or []
    steps: list[dict[str, Any]] = next((e["execution_steps"] for e in reversed(events) if "execution_steps" in e), [])
    for step in steps:
        typer.echo(step_line(step))


def _change(text: str) -> tuple[str, Any]:
    path, found, value = text.partition("=")
    if not found or not path:
        raise InvalidInput(f"{text!r} should be PATH=VALUE")
    try:
        return path, read_json(value)
    except NestedTooDeeply:
        raise
    except ValueError:
        return path, value
