"""`madang sessions`: list, show, rename, delete, export and import conversations."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.cli.opening import print_json, with_database
from madang.cli.options import Allow, Db, Json, SessionId, parse_allow
from madang.errors import InvalidInput, UnreadableData
from madang.state.nesting import NestedTooDeeply, read_json

if TYPE_CHECKING:
    from madang.store.database import Database
    from madang.store.messages import Message
    from madang.store.paging import Page
    from madang.store.sessions import Session

app = typer.Typer(no_args_is_help=True)
STANDARD = "-"


@app.command("list")
def list_sessions(
    db: Db = None,
    assistant: Annotated[str | None, typer.Option(help="homes, works, travel")] = None,
    user: Annotated[int | None, typer.Option(help="사용자 번호")] = None,
    search: Annotated[str | None, typer.Option(help="제목이나 주고받은 말에 든 말")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="몇 개까지")] = 50,
    cursor: Annotated[str | None, typer.Option(help="앞 쪽이 알려준 다음 자리")] = None,
    as_json: Json = False,
) -> None:
    """대화를 새것부터 보여줍니다."""

    async def work(opened: "Database") -> "Page[Session]":
        from madang.store.sessions import Sessions

        found = Sessions(opened)
        return await found.list(user_id=user, assistant=assistant, search=search, limit=limit, cursor=cursor)

    page = with_database(db, work)
    if as_json:
        print_json({"sessions": [one.as_dict() for one in page.items], "next_cursor": page.next_cursor})
        return
    from madang.cli.display import local_time, print_rows, shortened

    rows = [
        (
            one.session_id,
            one.assistant or "",
            "(손상됨)" if one.damaged else shortened(one.title or one.last_message or ""),
            str(one.message_count),
            local_time(one.updated_at),
        )
        for one in page.items
    ]
    print_rows(("대화", "도우미", "제목", "메시지", "고친 때"), rows)
    if page.next_cursor:
        typer.echo(f"다음: --cursor {page.next_cursor}", err=True)


@app.command()
def show(
    session: SessionId,
    db: Db = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="마지막 메시지 몇 개까지")] = 50,
    as_json: Json = False,
) -> None:
    """대화 하나를 메시지와 함께 보여줍니다."""

    async def work(opened: "Database") -> "tuple[Session, Page[Message]]":
        from madang.store.messages import Messages
        from madang.store.sessions import Sessions

        return await Sessions(opened).get(session), await Messages(opened).latest(session, limit=limit)

    found, page = with_database(db, work)
    if as_json:
        print_json({**found.as_dict(), "messages": [message.as_dict() for message in page.items]})
        return
    typer.echo(f"{found.session_id}  {found.assistant or ''}  {found.title or ''}")
    from madang.cli.display import SPEAKERS, local_time

    typer.echo(f"메시지 {found.message_count}개, {local_time(found.created_at)} ~ {local_time(found.updated_at)}")
    for message in page.items:
        typer.echo(f"\n{SPEAKERS.get(message.role, message.role)}  {local_time(message.created_at)}\n{message.content}")


@app.command()
def rename(
    session: SessionId,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="새 제목")],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """대화의 제목을 바꿉니다."""

    async def work(opened: "Database") -> "Session":
        from madang.store.sessions import Sessions

        return await Sessions(opened).rename(session, title)

    renamed = with_database(db, work)
    if as_json:
        print_json(renamed.as_dict())
    else:
        typer.echo(f"{renamed.session_id}  {renamed.title}")


@app.command()
def delete(
    session: SessionId,
    db: Db = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="묻지 않습니다")] = False,
    as_json: Json = False,
) -> None:
    """대화를 딸린 것까지 모두 지웁니다."""

    async def check(opened: "Database") -> "Session":
        from madang.store.sessions import Sessions

        return await Sessions(opened).get(session)

    async def work(opened: "Database") -> bool:
        from madang.store.sessions import Sessions

        return await Sessions(opened).delete(session)

    found = with_database(db, check)
    if not yes and not as_json:
        typer.confirm(f"{found.title or session}: 메시지 {found.message_count}개까지 모두 지울까요?", abort=True)
    deleted = with_database(db, work)
    if as_json:
        print_json({"session_id": session, "deleted": deleted})
    else:
        typer.echo(f"지웠습니다: {session}")


@app.command("export")
def export_one(
    session: SessionId,
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON 파일 (- 는 표준 출력)")] = STANDARD,
    redacted: Annotated[bool, typer.Option("--redacted", help="나눠도 되게 개인 정보를 가립니다")] = False,
    allow: Allow = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """대화 하나를 JSON 파일 하나로 내보냅니다."""

    async def work(opened: "Database") -> dict[str, Any]:
        from madang.store.export import export_session
        from madang.store.saver import SessionSaver

        saver = SessionSaver(opened, allow=parse_allow(allow))
        return await export_session(opened, saver, session, redacted=redacted)

    exported = with_database(db, work)
    text = json.dumps(exported, ensure_ascii=False, separators=(",", ":"))
    if file == STANDARD:
        typer.echo(text)
        return
    _write(Path(file), text)
    counts = {part: len(exported[part]) for part in ("messages", "runs", "events", "documents", "checkpoints")}
    if as_json:
        print_json({"session_id": session, "file": file, "redacted": redacted, **counts})
    else:
        typer.echo(f"{file}: 메시지 {counts['messages']}개, 체크포인트 {counts['checkpoints']}개")


@app.command("import")
def import_one(
    file: Annotated[str, typer.Argument(metavar="FILE", help="내보낸 JSON 파일 (- 는 표준 입력)")],
    as_id: Annotated[str | None, typer.Option("--as", help="다른 id로", metavar="NEW")] = None,
    allow: Allow = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """내보낸 대화를 들여옵니다. 같은 id가 있으면 거절합니다."""
    exported = _read(file)

    async def work(opened: "Database") -> "Session":
        from madang.store.importing import import_session
        from madang.store.saver import SessionSaver

        saver = SessionSaver(opened, allow=parse_allow(allow))
        imported = await import_session(opened, saver, exported, as_id=as_id)
        await saver.aclose()
        return imported

    session = with_database(db, work)
    if as_json:
        print_json(session.as_dict())
    else:
        typer.echo(f"들여왔습니다: {session.session_id} (메시지 {session.message_count}개)")


def _write(path: Path, text: str) -> None:
    try:
        # Beside it first: a disk that fills up must not leave half a file under the name asked for.
        part = path.with_name(f"{path.name}.part")
        part.write_text(text, "utf-8")
        part.replace(path)
    except OSError as problem:
        raise InvalidInput(f"{path} can't be written: {problem.strerror or problem}") from problem


def _read(file: str) -> Any:
    try:
        raw = sys.stdin.buffer.read() if file == STANDARD else Path(file).read_bytes()
    except OSError as problem:
        raise InvalidInput(f"{file} can't be read: {problem.strerror or problem}") from problem
    try:
        return read_json(raw)
    except NestedTooDeeply:
        raise
    except ValueError as problem:
        raise UnreadableData(f"{file} is not JSON: it is damaged or something else") from problem
