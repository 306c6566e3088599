"""What works can be given: a company's own sales data, by a mapping file."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madang.errors import InvalidInput, InvalidState
from madang.graph import Deployment
from madang.graph.data_source import DataSource, Loaded, Report

if TYPE_CHECKING:
    from madang.assistants.works.tools.sales_data import LoadedSales

FOLDER = "works"


def load_sales(
    deployment: Deployment,
    report: Report,
    source: Annotated[str, typer.Argument(help="매핑 파일(TOML). --guess면 자료 파일, 폴더, 데이터베이스 주소")],
    folder: Annotated[Path | None, typer.Option("--dir", help="자료 파일이 있는 폴더(기본: 매핑 파일의 폴더)")] = None,
    company: Annotated[str | None, typer.Option("--company", help="회사 식별자(기본: 매핑 파일의 company_id)")] = None,
    guess: Annotated[bool, typer.Option("--guess", help="머리글과 값을 보고 매핑 파일을 제안합니다")] = False,
    write: Annotated[Path | None, typer.Option("--write", help="제안한 매핑을 쓸 파일")] = None,
    load: Annotated[bool, typer.Option("--load", help="제안한 매핑으로 바로 불러옵니다")] = False,
    check: Annotated[bool, typer.Option("--check", help="보고만 하고 불러오지 않습니다")] = False,
    add: Annotated[bool, typer.Option("--add", help="있는 자료에 더합니다(기본: 바꿉니다)")] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="문제 있는 행을 빼고 불러옵니다")] = False,
) -> Loaded:
    """판매 자료를 CSV, 엑셀, 데이터베이스에서 불러옵니다. 문제가 있으면 무엇인지 알리고 아무것도 바꾸지 않습니다."""
    from madang.assistants.works.tools import sales_data
    from madang.assistants.works.tools.warehouse import Warehouse

    said: list[str] = []
    path = Path(source)
    if guess:
        path, said = _propose(source, write, company)
        if not (load or check):
            proposed = {"mapping": str(path), "proposed": path.read_text("utf-8")}
            return Loaded(proposed, "\n".join([*said, f"불러오려면: madang data load sales {path}"]))
    mapping = sales_data.read_mapping(path, folder, deployment.environ)
    company_id = company or mapping.company_id
    if not company_id:
        raise InvalidInput("회사 식별자가 필요합니다: 매핑 파일의 company_id 나 --company")
    how = sales_data.Loading(add=add, skip_bad=skip_bad, check=check)
    try:
        loaded = sales_data.load_sales(
            Warehouse(deployment.data_dir / FOLDER), company_id, mapping.sources, how, report
        )
    except InvalidState as error:
        raise InvalidState(error.problems, "\n".join([*said, error.message])) from error
    figures: dict[str, Any] = {
        "company_id": company_id, "rows": loaded.rows, "version": loaded.version, "report": loaded.report.as_dict(),
        **({"mapping": str(path)} if guess else {}),
    }  # fmt: skip
    return Loaded(figures, "\n".join([*said, *loaded.report.lines(), _outcome(loaded)]))


def _propose(source: str, write: Path | None, company: str | None) -> tuple[Path, list[str]]:
    """Guess a mapping and write it to a file that isn't there yet. Raises `InvalidInput`."""
    from madang.assistants.works.tools import sales_data

    database = "://" in source
    given = Path(source)
    if not (database or given.exists()):
        raise InvalidInput(f"파일이 없습니다: {given}")
    base = Path() if database else given if given.is_dir() else given.parent
    path = write or base / "sales-mapping.toml"
    if path.exists():
        raise InvalidInput(f"{path} 파일이 이미 있습니다. 다른 이름을 --write 로 주세요")
    places = [sales_data.Place(database=source)] if database else sales_data.places_of(given)
    found = sales_data.guess_mapping(places, company)
    text = sales_data.mapping_text(found.mapping, path.parent, found.notes)
    path.write_text(text, "utf-8")
    return path, [f"제안한 매핑 ({path}):", "", text]


def _outcome(loaded: "LoadedSales") -> str:
    if loaded.version is None:
        return "보고만 했습니다: 불러오지 않았습니다"
    rows = ", ".join(f"{table} {count:,}" for table, count in loaded.rows.items())
    left = f" 문제 있는 {loaded.report.bad_rows:,}행은 뺐습니다." if loaded.report.bad_rows else ""
    return f"{loaded.company_id}: {rows} (version {loaded.version}){left}"


def sales_status(deployment: Deployment) -> list[dict[str, Any]]:
    """Each company whose data were loaded: rows by table and the newest sale; `error` for a file that can't be read."""
    found = sorted((deployment.data_dir / FOLDER / "companies").glob("*/current"))
    return [{"company_id": pointer.parent.name, **_contents(pointer)} for pointer in found]


def _contents(pointer: Path) -> dict[str, Any]:
    import duckdb

    from madang.assistants.works.data.tables import COLUMNS

    file = pointer.parent / pointer.read_text(encoding="utf-8").strip()
    try:
        with duckdb.connect(str(file), read_only=True) as connection:
            counts = {name: _one(connection, f"SELECT count(*) FROM {name}") for name in COLUMNS}  # noqa: S608
            newest = _one(connection, "SELECT max(date) FROM sales")
    except duckdb.Error as error:
        return {"rows": {}, "as_of": None, "version": None, "error": str(error).splitlines()[0]}
    return {
        "rows": {name: count for name, count in counts.items() if count},
        "as_of": newest.isoformat() if newest else None,
        "version": file.stem.removeprefix("sales-"),
    }


def _one(connection: Any, sql: str) -> Any:
    return connection.execute(sql).fetchone()[0]


def sales_lines(companies: list[dict[str, Any]]) -> Iterator[str]:
    if not companies:
        yield "판매 자료 없음: 예시 회사만 씁니다 (madang data load sales MAPPING)"
    for company in companies:
        if company.get("error"):
            yield f"판매 {company['company_id']}: 읽을 수 없습니다 ({company['error']})"
            continue
        rows = ", ".join(f"{table} {count:,}" for table, count in company["rows"].items())
        yield f"판매 {company['company_id']}: {rows} ({company['as_of'] or '날짜 없음'} 기준)"


SOURCES = {"sales": DataSource(title="판매 자료", status=sales_status, lines=sales_lines, load=load_sales)}
