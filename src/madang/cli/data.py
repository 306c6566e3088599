"""`madang data`: statutes, prices and sales that the assistants then use, and what is loaded."""

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.cli.data_sales import load_sales
from madang.cli.opening import print_json, progress_bar
from madang.cli.options import Json
from madang.errors import NotFound, UnreadableData

if TYPE_CHECKING:
    from madang.assistants.homes.services import Services

app = typer.Typer(no_args_is_help=True)
load = typer.Typer(no_args_is_help=True)
app.add_typer(load, name="load", help="법령, 거래, 판매 자료를 불러옵니다.")
load.command("sales")(load_sales)


@load.command("law")
def load_law(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="kr/<법령>/{법률,시행령,시행규칙}.md 가 있는 폴더")],
    as_json: Json = False,
) -> None:
    """법령 원문을 불러옵니다. 하나라도 읽을 수 없으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.homes.services import LAW_FOLDER
    from madang.assistants.homes.tools.law_files import load_law as stored

    services = _services()
    assert services.data_dir is not None
    with progress_bar("법령", quiet=as_json) as report:
        report(0, 2)
        statutes = stored(directory, services.data_dir / LAW_FOLDER)
        report(1, 2)
        indexed = len(services.legal)
        report(2, 2)
    counts = {
        "statutes": len(statutes),
        "articles": sum(len(statute.articles) for statute in statutes),
        "indexed": indexed,
        "folder": str(services.data_dir / LAW_FOLDER),
    }
    if as_json:
        print_json(counts)
    else:
        typer.echo(f"법령 {counts['statutes']}개, 조문 {counts['articles']:,}개를 불러왔습니다 (색인 {indexed:,}개)")


@load.command("prices")
def load_prices(
    file: Annotated[
        Path, typer.Argument(metavar="CSV", help="Gu, Dong, Name, Date, Price(만원), Area, Floor 열이 있는 거래 파일")
    ],
    as_json: Json = False,
) -> None:
    """실거래 파일에서 자치구와 면적대별 시세를 계산해 둡니다. 읽을 수 없으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.homes.services import PRICES_FILE
    from madang.assistants.homes.tools.market_build import build_market

    services = _services()
    assert services.data_dir is not None
    rows = _rows(file)
    with progress_bar("거래", quiet=as_json) as report:

        def counted() -> Any:
            for number, row in enumerate(rows, 1):
                if number % 200 == 0 or number == len(rows):
                    report(number, len(rows))
                yield row

        market = build_market(counted())
    target = services.data_dir / PRICES_FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(market, ensure_ascii=False), encoding="utf-8")
    partial.replace(target)
    counts = {"transactions": len(rows), "districts": len(market["districts"]), "as_of": market["as_of"]}
    if as_json:
        print_json({**counts, "file": str(target)})
    else:
        typer.echo(f"거래 {len(rows):,}건, 자치구 {counts['districts']}곳, {counts['as_of']} 기준")


@app.command()
def status(as_json: Json = False) -> None:
    """무엇이 불려 와 있는지 보여줍니다."""
    found = {"law": _law_status(), "prices": _prices_status()}
    if as_json:
        print_json(found)
        return
    law, prices = found["law"], found["prices"]
    if law["statutes"]:
        typer.echo(f"법령 {law['statutes']}개, 조문 {law['articles']:,}개 (시행일 {law['oldest']} ~ {law['newest']})")
    else:
        typer.echo("법령 원문 없음: 쟁점 요약만 씁니다 (madang data load law DIR)")
    where = "불러온 자료" if prices["loaded"] else "내장 자료"
    typer.echo(f"시세 {prices['as_of']} 기준, 자치구 {prices['districts']}곳 ({where})")


def _law_status() -> dict[str, Any]:
    from madang.assistants.homes.services import LAW_FOLDER
    from madang.assistants.homes.tools.law_files import stored_statutes

    services = _services()
    assert services.data_dir is not None
    statutes = stored_statutes(services.data_dir / LAW_FOLDER)
    dates = sorted(statute.effective for statute in statutes)
    return {
        "statutes": len(statutes),
        "articles": sum(len(statute.articles) for statute in statutes),
        "oldest": dates[0] if dates else None,
        "newest": dates[-1] if dates else None,
        "names": [statute.name for statute in statutes],
    }


def _prices_status() -> dict[str, Any]:
    from madang.assistants.homes.services import PRICES_FILE

    services = _services()
    assert services.data_dir is not None
    prices = services.market.prices
    return {
        "loaded": (services.data_dir / PRICES_FILE).is_file(),
        "as_of": prices["as_of"],
        "districts": len(prices["districts"]),
        "source": prices["source"],
    }


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


def _services() -> "Services":
    from madang.assistants.homes.services import Services
    from madang.settings import Settings

    return Services(data_dir=Settings().data_dir)
