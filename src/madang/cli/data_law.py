"""`madang data load law`: statutes from a folder or from the law centre."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madang.cli.data_services import homes_services
from madang.cli.opening import Report, print_json, progress_bar
from madang.cli.options import Json
from madang.errors import ConfigurationError, InvalidInput

if TYPE_CHECKING:
    from madang.assistants.homes.services import HomesServices
    from madang.assistants.homes.tools.law_files import Statute


def load_law(
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DIR | 법령…", help="kr/<법령>/{법률,시행령,시행규칙}.md 가 있는 폴더, --live면 법령 이름들"
        ),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="국가법령정보센터에서 받습니다. 이름이 없으면 homes가 다루는 법령 모두")
    ] = False,
    as_json: Json = False,
) -> None:
    """법령 원문을 불러옵니다. 하나라도 읽을 수 없으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.homes.services import LAW_FOLDER
    from madang.assistants.homes.tools.law_files import store_law

    services = homes_services()
    assert services.data_dir is not None
    with progress_bar("법령", quiet=as_json) as report:
        statutes = _fetched(services, given or [], report) if live else _read(given or [])
        store_law(statutes, services.data_dir / LAW_FOLDER)
        indexed = len(services.legal)
    counts = {
        "statutes": len(statutes),
        "articles": sum(len(statute.articles) for statute in statutes),
        "indexed": indexed,
        "folder": str(services.data_dir / LAW_FOLDER),
        "names": [statute.name for statute in statutes],
    }
    if as_json:
        print_json(counts)
    else:
        typer.echo(f"법령 {counts['statutes']}개, 조문 {counts['articles']:,}개를 불러왔습니다 (색인 {indexed:,}개)")


def _read(given: Sequence[str]) -> "list[Statute]":
    from madang.assistants.homes.tools.law_files import read_law

    if len(given) != 1:
        raise InvalidInput("DIR: one folder is needed (or --live and names of laws)")
    return read_law(Path(given[0]))


def _fetched(services: "HomesServices", names: Sequence[str], report: Report) -> "list[Statute]":
    """The statutes from the law centre. Raises `ConfigurationError` without a key."""
    from madang.assistants.homes.data.legal_issues import load_issues
    from madang.assistants.homes.tools.legal_search import base_law
    from madang.assistants.homes.tools.providers.live_law import fetch_law

    if services.law_centre is None:
        raise ConfigurationError("MADANG_LAW_API_KEY is not set: --live needs the law centre's key (OC)")
    wanted = names or sorted({base_law(issue.law) for issue in load_issues()})
    return asyncio.run(fetch_law(services.law_centre, wanted, report))
