"""What homes can be given: statutes and prices; and which live services are on."""

import asyncio
import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.assistants.homes.services import LAW_FOLDER, PRICES_FILE, HomesServices, services
from madang.errors import ConfigurationError, InvalidInput, NotFound, UnreadableData
from madang.graph import Deployment
from madang.graph.data_source import DataSource, Loaded, Report
from madang.state.redaction import redact_url

if TYPE_CHECKING:
    from madang.assistants.homes.tools.law_files import Statute


def load_law(
    deployment: Deployment,
    report: Report,
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DIR | 법령…", help="kr/<법령>/{법률,시행령,시행규칙}.md 가 있는 폴더, --live면 법령 이름들"
        ),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="국가법령정보센터에서 받습니다. 이름이 없으면 homes가 다루는 법령 모두")
    ] = False,
) -> Loaded:
    """법령 원문을 불러옵니다. 하나라도 읽을 수 없으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.homes.tools.law_files import store_law

    homes, folder = services(deployment), deployment.data_dir / LAW_FOLDER
    statutes = _fetched(homes, given or [], report) if live else _read(given or [])
    store_law(statutes, folder)
    articles, indexed = sum(len(statute.articles) for statute in statutes), len(homes.legal)
    figures = {
        "statutes": len(statutes),
        "articles": articles,
        "indexed": indexed,
        "folder": str(folder),
        "names": [statute.name for statute in statutes],
    }
    return Loaded(figures, f"법령 {len(statutes)}개, 조문 {articles:,}개를 불러왔습니다 (색인 {indexed:,}개)")


def _read(given: Sequence[str]) -> "list[Statute]":
    from madang.assistants.homes.tools.law_files import read_law

    if len(given) != 1:
        raise InvalidInput("DIR: one folder is needed (or --live and names of laws)")
    return read_law(Path(given[0]))


def _fetched(homes: HomesServices, names: Sequence[str], report: Report) -> "list[Statute]":
    """The statutes from the law centre. Raises `ConfigurationError` without a key."""
    from madang.assistants.homes.data.legal_issues import load_issues
    from madang.assistants.homes.tools.legal_search import base_law
    from madang.assistants.homes.tools.providers.live_law import fetch_law

    if homes.law_centre is None:
        raise ConfigurationError("MADANG_LAW_API_KEY is not set: --live needs the law centre's key (OC)")
    wanted = names or sorted({base_law(issue.law) for issue in load_issues()})
    return asyncio.run(fetch_law(homes.law_centre, wanted, report))


def law_status(deployment: Deployment) -> dict[str, Any]:
    from madang.assistants.homes.tools.law_files import stored_statutes

    statutes = stored_statutes(deployment.data_dir / LAW_FOLDER)
    dates = sorted(statute.effective for statute in statutes)
    return {
        "statutes": len(statutes),
        "articles": sum(len(statute.articles) for statute in statutes),
        "oldest": dates[0] if dates else None,
        "newest": dates[-1] if dates else None,
        "names": [statute.name for statute in statutes],
    }


def law_lines(law: dict[str, Any]) -> Iterator[str]:
    if law["statutes"]:
        yield f"법령 {law['statutes']}개, 조문 {law['articles']:,}개 (시행일 {law['oldest']} ~ {law['newest']})"
    else:
        yield "법령 원문 없음: 쟁점 요약만 씁니다 (madang data load law DIR)"


def load_prices(
    deployment: Deployment,
    report: Report,
    file: Annotated[
        Path, typer.Argument(metavar="CSV", help="Gu, Dong, Name, Date, Price(만원), Area, Floor 열이 있는 거래 파일")
    ],
) -> Loaded:
    """실거래 파일에서 자치구와 면적대별 시세를 계산해 둡니다. 읽을 수 없으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.homes.tools.market_build import build_market

    rows = _rows(file)

    def counted() -> Iterator[dict[str, str]]:
        for number, row in enumerate(rows, 1):
            if number % 200 == 0 or number == len(rows):
                report(number, len(rows))
            yield row

    market = build_market(counted())
    target = deployment.data_dir / PRICES_FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(market, ensure_ascii=False), encoding="utf-8")
    partial.replace(target)
    districts, as_of = len(market["districts"]), market["as_of"]
    figures = {"transactions": len(rows), "districts": districts, "as_of": as_of, "file": str(target)}
    return Loaded(figures, f"거래 {len(rows):,}건, 자치구 {districts}곳, {as_of} 기준")


def _rows(file: Path) -> list[dict[str, str]]:
    """The file's rows. Raises `NotFound` or `UnreadableData`."""
    if not file.is_file():
        raise NotFound(f"{file} is not a file", path=str(file))
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            rows = list(csv.DictReader(opened))
    except (UnicodeDecodeError, csv.Error) as error:
        raise UnreadableData(f"{file}: not a CSV file in UTF-8: {error}") from error
    if not rows:
        raise UnreadableData(f"{file}: no transactions in it")
    return rows


def prices_status(deployment: Deployment) -> dict[str, Any]:
    prices = services(deployment).market.prices
    return {
        "loaded": (deployment.data_dir / PRICES_FILE).is_file(),
        "as_of": prices["as_of"],
        "districts": len(prices["districts"]),
        "source": prices["source"],
    }


def prices_lines(prices: dict[str, Any]) -> Iterator[str]:
    where = "불러온 자료" if prices["loaded"] else "내장 자료"
    yield f"시세 {prices['as_of']} 기준, 자치구 {prices['districts']}곳 ({where})"


def live_status(deployment: Deployment) -> list[dict[str, Any]]:
    """Which live services are on; never their keys."""
    from madang.assistants.homes.tools.providers.configured import SERVICES

    on = services(deployment).providers
    return [
        {
            "name": name,
            "title": service.title,
            "on": name in on,
            "url": redact_url(on[name].base_url) if name in on else None,
            "setting": service.key,
        }
        for name, service in SERVICES.items()
    ]


def live_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    for service in found:
        state = f"켜짐 ({service['url']})" if service["on"] else f"꺼짐 ({service['setting']})"
        yield f"실시간 {service['title']}: {state}"


SOURCES = {
    "law": DataSource(title="법령", status=law_status, lines=law_lines, load=load_law),
    "prices": DataSource(title="거래", status=prices_status, lines=prices_lines, load=load_prices),
    "live": DataSource(title="실시간", status=live_status, lines=live_lines),
}
