"""`madang ask` and `madang chat`: a turn in the terminal, with its TODO list and its streamed answer."""

import asyncio
import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.cli.form import form_command
from madang.cli.options import Db, Json, Today, parse_today, settings_with
from madang.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from madang.runtime import Runtime
    from madang.runtime.file_text import FileText

# A cancelled turn ends as shells expect of Ctrl-C.
EXIT = {"failed": 1, "cancelled": 130}
Session = Annotated[str | None, typer.Option("--session", help="이어서 할 대화의 id", metavar="ID")]
User = Annotated[int | None, typer.Option("--user", help="사용자 번호", metavar="N")]
Assistant = Annotated[str, typer.Argument(metavar="ASSISTANT", help="homes, works, travel …")]


def ask(
    assistant: Assistant,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="질문")],
    file: Annotated[list[Path] | None, typer.Option("--file", help="함께 읽을 파일 (txt md csv docx pdf xlsx)")] = None,
    session: Session = None,
    user: User = None,
    today: Today = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """한 번 묻고 답을 받습니다. --session으로 대화를 이어갑니다."""
    raise typer.Exit(asyncio.run(_ask(assistant, text, file or [], session, user, today, db, as_json)))


async def _ask(
    assistant: str,
    text: str,
    files: list[Path],
    session: str | None,
    user: int | None,
    today: str | None,
    db: str | None,
    as_json: bool,
) -> int:
    from madang.bootstrap import open_runtime

    if not text.strip():
        raise InvalidInput("TEXT: the question is empty")
    check_assistant(assistant)
    texts = [await read_path(path) for path in files]
    async with open_runtime(settings_with(db), only=assistant, today=parse_today(today)) as runtime:
        session_id = await session_for(runtime, assistant, session, user)
        outcome = await turn(runtime, session_id, text, show=sys.stderr, files=texts)
        if as_json:
            sys.stdout.write(json.dumps(outcome, ensure_ascii=False) + "\n")
        else:
            print_answer(said(outcome))
            sys.stderr.write(f"{spent(outcome)}session {session_id}\n")
        return EXIT.get(outcome["status"], 0)


async def read_path(path: Path) -> "FileText":
    """The text of a file. Raises `InvalidInput` for one that can't be read."""
    from madang.runtime.file_text import LARGEST, read_file

    try:
        with path.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise InvalidInput(f"--file: {path}: {error.strerror}") from error
    return await read_file(path.name, data)


def print_answer(text: str) -> None:
    """The answer: laid out on a terminal, as it is for other programs."""
    if not sys.stdout.isatty():
        sys.stdout.write(text + "\n")
        return
    from madang.cli.display import console, laid_out

    console().print(laid_out(text))


def check_assistant(name: str) -> None:
    """Raise `InvalidInput` for an assistant that isn't there."""
    from madang.runtime.loading import installed

    known = [entry.name for entry in installed()]
    if name not in known:
        raise InvalidInput(f"ASSISTANT: {name!r} is not one of {', '.join(known) or '(none is installed)'}")


async def session_for(runtime: "Runtime", assistant: str, session: str | None, user: int | None) -> str:
    """The session to talk in: the one named, which must exist and belong to this assistant, or a new one."""
    if session is None:
        await check_user(runtime, user)
        return (await runtime.sessions.create(assistant=assistant, user_id=user)).session_id
    found = await runtime.sessions.get(session)
    if found.assistant != assistant:
        raise InvalidInput(f"session {session!r} is a conversation with {found.assistant}, not with {assistant}")
    if user is not None and found.user_id != user:
        raise NotFound(f"no session {session!r}")
    return session


async def check_user(runtime: "Runtime", user: int | None) -> None:
    """Raise `NotFound` for a user who isn't there."""
    from madang.store.users import Users

    if user is not None:
        try:
            await Users(runtime.db).get(user)
        except NotFound:
            raise NotFound(f"no user {user}") from None


@contextmanager
def on_interrupt(do: Callable[[], object]) -> Iterator[None]:
    """Ctrl-C does this, however often, and nothing else; afterwards it ends the program again."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(signal.SIGINT, do)
    except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


async def turn(
    runtime: "Runtime", session_id: str, text: str, *, show: Any, live: Any = None, files: Sequence["FileText"] = ()
) -> dict[str, Any]:
    """One turn, its progress shown as it goes. Ctrl-C cancels the turn and keeps the session."""
    from madang.cli.display import Progress
    from madang.events import TERMINAL
    from madang.runtime import TurnRequest
    from madang.runtime.attaching import with_files

    after = await runtime.events.last_seq(session_id)
    asked = TurnRequest(text=text)
    run = await runtime.start(session_id, with_files(asked, files) if files else asked)
    progress = live or Progress(show)

    async def follow() -> None:
        async for frame in runtime.hub.follow(session_id, after):
            progress.show(frame)
            if frame["type"] in TERMINAL and frame["request_id"] == run.request_id:
                return

    following = asyncio.create_task(follow())
    with on_interrupt(following.cancel):
        try:
            await following
        except asyncio.CancelledError:
            await runtime.cancel(run.run_id)
            show.write("취소했습니다. 대화는 그대로 있습니다.\n")
        return dict(await runtime.outcome(run.run_id))


def said(outcome: dict[str, Any]) -> str:
    """The answer as plain text; a failure as one line."""
    if outcome["response"]:
        return str(outcome["response"]["answer"])
    errors = [event["message"] for event in outcome["events"] if event["type"] == "error"]
    return errors[-1] if errors else f"({outcome['status']})"


def spent(outcome: dict[str, Any]) -> str:
    """What the models of a turn have cost, in a line; nothing where none was asked."""
    from madang.llm.accounting import counted, totals

    used = totals(counted((outcome["state"] or {}).get("usage")))
    if not (calls := sum(used["api_calls_made"].values())):
        return ""
    cost = "요금 모름" if used["cost_usd"] is None else f"${used['cost_usd']:.4f}"
    return f"모델 {calls}번, 토큰 {used['total_tokens_used']:,}개, {cost}\n"


def chat(assistant: Assistant, session: Session = None, user: User = None, today: Today = None, db: Db = None) -> None:
    """대화합니다. 할 일 목록과 답이 실시간으로 보입니다. 끝내려면 Ctrl-D."""
    check_assistant(assistant)
    asyncio.run(_chat(assistant, session, user, today, db))


async def _chat(assistant: str, session: str | None, user: int | None, today: str | None, db: str | None) -> None:
    from rich.markup import escape

    from madang.bootstrap import open_runtime
    from madang.cli.display import SPEAKERS, LiveTurn, console

    screen = console()
    async with open_runtime(settings_with(db), only=assistant, today=parse_today(today)) as runtime:
        session_id = await session_for(runtime, assistant, session, user)
        about = runtime.served[assistant].about
        screen.print(f"[bold]{about.title}[/]  [dim]{session_id}[/]")
        for message in (await runtime.messages.latest(session_id, limit=20)).items:
            screen.print(f"[dim]{SPEAKERS.get(message.role, message.role)}:[/] {escape(message.content)}")
        if about.greeting and not session:
            screen.print(about.greeting, markup=False)
        while (text := _prompt()) is not None:
            if text.startswith("/"):
                await form_command(runtime, session_id, text, screen)
            elif text.strip():
                with LiveTurn(screen) as live:
                    outcome = await turn(runtime, session_id, text, show=sys.stderr, live=live)
                screen.print(spent(outcome), end="", markup=False, style="dim")


def _prompt() -> str | None:
    """What is typed; None at Ctrl-D and Ctrl-C. Nothing runs meanwhile, so the loop may wait: a thread that reads
    couldn't be interrupted."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input("> ")
    except (EOFError, KeyboardInterrupt):
        # It closes by itself now, which takes seconds on a busy machine: a Ctrl-C more must not cut that short.
        previous = signal.SIG_IGN
        sys.stdout.write("\n")
        return None
    finally:
        signal.signal(signal.SIGINT, previous)
