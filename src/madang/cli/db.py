"""`madang db`: upgrade, look into, prune, check and adopt a database."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from madang.cli.opening import human_bytes, print_json, progress_bar, with_database
from madang.cli.options import Allow, Db, Json, parse_allow, settings_with
from madang.errors import ConfigurationError

if TYPE_CHECKING:
    from madang.store.database import Database
    from madang.store.repair import Report
    from madang.store.retention import Pruned
    from madang.store.stats import Stats

app = typer.Typer(no_args_is_help=True)
Sessions = Annotated[list[str] | None, typer.Option("--session", help="이 대화만 (여러 번 가능)", metavar="SESSION")]


@app.command()
def upgrade(db: Db = None, as_json: Json = False) -> None:
    """스키마를 지금 버전으로 올립니다. SQLite 파일은 먼저 복사해 둡니다."""
    from madang.store.database import Database
    from madang.store.schema import head, prepare_postgres

    url = settings_with(db).db_url
    if url.startswith("postgres"):
        from madang.store.database_postgres import translated

        with translated():
            prepare_postgres(url, upgrade=True)

    async def opened() -> None:
        await (await Database.connect(url)).close()

    asyncio.run(opened())
    if as_json:
        print_json({"schema": head()})
    else:
        typer.echo(f"스키마 {head()}")


@app.command()
def stats(
    db: Db = None,
    top: Annotated[int, typer.Option(min=1, max=10_000, help="가장 큰 대화 몇 개까지")] = 20,
    as_json: Json = False,
) -> None:
    """표마다, 대화마다, 한 턴마다 몇 바이트인지 보여줍니다."""

    async def measure(opened: "Database") -> "Stats":
        from madang.store.stats import stats as measured

        return await measured(opened, sessions=top)

    found = with_database(db, measure)
    if as_json:
        print_json(found.as_dict())
        return
    from madang.cli.display import print_rows, shortened

    typer.echo(f"{found.backend}, 모두 {human_bytes(found.total_bytes)}")
    print_rows(("표", "크기"), [(size.name, human_bytes(size.bytes)) for size in found.tables])
    typer.echo(f"대화 {found.session_count}개")
    sessions = [
        (
            one.session_id,
            shortened(one.title or ""),
            human_bytes(one.bytes),
            str(one.turns),
            human_bytes(one.bytes_per_turn),
        )
        for one in found.sessions
    ]
    print_rows(("대화", "제목", "크기", "턴", "턴마다"), sessions)


@app.command()
def prune(
    db: Db = None,
    keep_last: Annotated[int | None, typer.Option(min=1, help="대화마다 남길 체크포인트와 턴의 수")] = None,
    max_age: Annotated[float | None, typer.Option(min=0, help="며칠까지 남길지", metavar="DAYS")] = None,
    session: Sessions = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="지우지 않고 세기만 합니다")] = False,
    as_json: Json = False,
) -> None:
    """오래된 체크포인트, 턴, 이벤트를 지웁니다. 대화마다 metadata.retention 이 먼저입니다."""

    async def work(opened: "Database") -> "Pruned":
        from madang.store.retention import Retention
        from madang.store.retention import prune as pruned
        from madang.store.saver import SessionSaver

        rule = Retention(keep_last, timedelta(days=max_age) if max_age is not None else None)
        with progress_bar("정리", quiet=as_json) as report:
            saver = SessionSaver(opened)
            done = await pruned(opened, saver, rule, session_ids=session, dry_run=dry_run, progress=report)
            await saver.aclose()
            return done

    gone = with_database(db, work)
    counts = {**gone.as_dict(), "dry_run": dry_run}
    if as_json:
        print_json(counts)
    else:
        typer.echo(
            f"대화 {gone.sessions}개에서 체크포인트 {gone.checkpoints}개, 턴 {gone.runs}개, 이벤트 {gone.events}개, "
            f"기억 {gone.memories}개{' (지우지 않음)' if dry_run else ''}"
        )


@app.command()
def check(
    db: Db = None,
    repair: Annotated[bool, typer.Option("--repair", help="찾은 것을 고칩니다")] = False,
    session: Sessions = None,
    as_json: Json = False,
) -> None:
    """끊긴 참조, 주인 없는 줄, 읽을 수 없는 조각을 찾습니다. 남은 문제가 있으면 1로 끝납니다."""

    async def work(opened: "Database") -> "Report":
        from madang.store.repair import check as checked

        with progress_bar("점검", quiet=as_json) as report:
            return await checked(opened, repair=repair, session_ids=session, progress=report)

    found = with_database(db, work)
    if as_json:
        print_json(found.as_dict())
    else:
        for problem in found.problems:
            mark = "고침" if problem.mended else "문제"
            typer.echo(f"{mark}  {problem.kind}  {problem.where}  {problem.what}")
        typer.echo(f"대화 {found.sessions}개, 체크포인트 {found.checkpoints}개, 문제 {len(found.problems)}개")
    if any(not problem.mended for problem in found.problems):
        raise typer.Exit(1)


@app.command("seal")
def seal_all(db: Db = None, as_json: Json = False) -> None:
    """암호화하지 않고 저장한 것을 MADANG_ENCRYPTION_KEYS의 첫 키로 암호화합니다. 서버를 멈추고 한 번만 합니다."""
    from madang.bootstrap import keyring_of
    from madang.store.seal_database import seal_database

    settings = settings_with(db)
    keyring = keyring_of(settings)
    if keyring is None:
        raise ConfigurationError("no key is configured (MADANG_ENCRYPTION_KEYS)")
    counts = asyncio.run(seal_database(settings.db_url, keyring))
    if as_json:
        print_json(counts)
    else:
        typer.echo(f"행 {sum(counts.values())}개를 암호화했습니다" if counts else "이미 암호화되어 있습니다")


@app.command()
def adopt(
    db: Db = None,
    source: Annotated[
        str | None, typer.Option("--from", help="LangGraph 표가 있는 데이터베이스", metavar="URL")
    ] = None,
    allow: Allow = None,
    as_json: Json = False,
) -> None:
    """LangGraph 저장기의 체크포인트를 옮겨 옵니다. 원래 표는 남습니다."""
    from madang.bootstrap import keyring_of
    from madang.store.adopt import adopt as adopted

    settings = settings_with(db)
    with progress_bar("옮기기", quiet=as_json) as report:
        keyring, types = keyring_of(settings), parse_allow(allow)
        result = asyncio.run(adopted(settings.db_url, source=source, keyring=keyring, allow=types, progress=report))
    if as_json:
        print_json(result.as_dict())
        return
    typer.echo(
        f"스레드 {result.threads}개, 체크포인트 {result.checkpoints}개, 쓰기 {result.writes}개를 옮기고 견주었습니다"
    )
    if result.present:
        typer.echo(f"이미 다른 대화가 있어 그대로 둔 것: {', '.join(result.present)}")
    if result.kept_as:
        typer.echo(f"원래 표: {', '.join(result.kept_as)}")
