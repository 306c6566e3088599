"""`madang users`: add, list and revoke users and API keys."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.cli.opening import print_json, with_database
from madang.cli.options import Db, Json

if TYPE_CHECKING:
    from madang.store.database import Database

app = typer.Typer(no_args_is_help=True)


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="이름")],
    company: Annotated[str | None, typer.Option(help="회사 id")] = None,
    role: Annotated[str, typer.Option(help="역할")] = "user",
    key_name: Annotated[str, typer.Option(help="키의 이름")] = "",
    db: Db = None,
    as_json: Json = False,
) -> None:
    """사용자를 만들고 API 키를 한 번 보여줍니다. 이미 있는 사용자에게는 키를 하나 더 줍니다."""

    async def work(opened: "Database") -> dict[str, Any]:
        from madang.store.users import Users

        users = Users(opened)
        user = await users.find(name) or await users.add(name, company_id=company, role=role)
        key, text = await users.issue_key(user.id, name=key_name)
        return {**user.as_dict(), "key_id": key.key_id, "api_key": text}

    made = with_database(db, work)
    if as_json:
        print_json(made)
        return
    typer.echo(f"사용자 {made['id']}: {made['name']}")
    typer.echo(f"API 키 (다시 볼 수 없습니다): {made['api_key']}")


@app.command("list")
def list_users(
    db: Db = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="몇 명까지")] = 100,
    cursor: Annotated[str | None, typer.Option(help="앞 쪽이 알려준 다음 자리")] = None,
    as_json: Json = False,
) -> None:
    """사용자와 키를 보여줍니다."""

    async def work(opened: "Database") -> dict[str, Any]:
        from madang.store.users import Users

        users = Users(opened)
        page = await users.list(limit=limit, cursor=cursor)
        found = [
            {**user.as_dict(), "keys": [key.as_dict() for key in await users.keys(user.id)]} for user in page.items
        ]
        return {"users": found, "next_cursor": page.next_cursor}

    page = with_database(db, work)
    if as_json:
        print_json(page)
        return
    from madang.cli.display import local_time, print_rows

    rows = []
    for user in page["users"]:
        keys = "\n".join(
            f"{key['key_id']} {key['name']}{' (막음)' if key['revoked_at'] else ''}" for key in user["keys"]
        )
        rows.append(
            (str(user["id"]), user["name"], user["company_id"], user["role"], keys, local_time(user["revoked_at"]))
        )
    print_rows(("번호", "이름", "회사", "역할", "키", "막음"), rows)
    if page["next_cursor"]:
        typer.echo(f"다음: --cursor {page['next_cursor']}", err=True)


@app.command()
def revoke(
    who: Annotated[str, typer.Argument(metavar="USER|KEY", help="사용자 번호나 이름, 또는 키 id")],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """키 하나, 또는 사용자와 그 키 모두를 막습니다."""

    async def work(opened: "Database") -> dict[str, Any]:
        from madang.errors import NotFound
        from madang.store.users import Users

        users = Users(opened)
        user = await users.find(who)
        if user is None and who.isdigit() and len(who) < 10:
            user = await users.get(int(who))
        if user is not None:
            return {"user_id": (await users.revoke(user.id)).id, "key_id": None}
        try:
            await users.revoke_key(who)
        except NotFound:
            raise NotFound(f"no user and no key {who!r}") from None
        return {"user_id": None, "key_id": who}

    revoked = with_database(db, work)
    if as_json:
        print_json(revoked)
    else:
        typer.echo(f"막았습니다: {who}")


@app.command()
def link(
    who: Annotated[str, typer.Argument(metavar="USER", help="사용자 번호나 이름")],
    rep: Annotated[str, typer.Option(help="판매 자료에 있는 담당자 이름")],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """사용자를 판매 자료의 담당자와 잇습니다. works가 '내', '우리 팀'을 이것으로 압니다."""

    async def work(opened: "Database") -> dict[str, Any]:
        from madang.errors import NotFound
        from madang.store.users import Users

        users = Users(opened)
        user = await users.find(who)
        if user is None and who.isdigit() and len(who) < 10:
            user = await users.get(int(who))
        if user is None:
            raise NotFound(f"no user {who!r}")
        return user.as_dict()

    linked = _linked(with_database(db, work), rep)
    if as_json:
        print_json(linked)
    else:
        typer.echo(f"이었습니다: {linked['name']} → {linked['rep']} ({linked['team']}, {linked['branch']})")


def _linked(user: dict[str, Any], rep: str) -> dict[str, Any]:
    from datetime import datetime

    from madang.assistants.works.services import WorksServices
    from madang.assistants.works.tools.links import link_user
    from madang.assistants.works.understanding.hearing import SAMPLE
    from madang.bootstrap import SEOUL, deployment
    from madang.settings import Settings

    services = WorksServices(deployment(Settings()))
    company = user["company_id"] or SAMPLE
    found = link_user(services.warehouse, services.folder, company, str(user["id"]), rep, datetime.now(SEOUL).date())
    return {"user_id": user["id"], "name": user["name"], "company_id": company, **found}
