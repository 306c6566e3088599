"""`madang data`: statutes, prices and sales that the assistants then use, and what is loaded."""

import csv
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from madang.cli.data_law import load_law
from madang.cli.data_sales import load_sales
from madang.cli.data_services import homes_services
from madang.cli.data_status import status
from madang.cli.opening import print_json, progress_bar
from madang.cli.options import Json
from madang.errors import NotFound, UnreadableData

app = typer.Typer(no_args_is_help=True)
load = typer.Typer(no_args_is_help=True)
app.add_typer(load, name="load", help="법령, 거래, 판매 자료를 불러옵니다.")
app.command("status")(status)
load.command("law")(load_law)
load.command("sales")(load_sales)


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

    services = homes_services()
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
