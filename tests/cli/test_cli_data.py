"""`madang data`: loading statutes and prices, and what is loaded, as a user does it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from madang.cli.data import app
from madang.errors import AccessDenied, ConfigurationError, InvalidInput, NotFound, UnreadableData
from tests.support.live_services import KEY, Answer, Service, entry, served
from tests.support.live_services import statute as statute_xml
from tests.support.sales_files import prepare

ROW = "Gu,Dong,Name,Date,Price,Area,Floor\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADANG_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def centre(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The law centre: 주택임대차보호법 and its decree."""

    def reply(path: str, query: dict[str, str]) -> Answer:
        if path.endswith("lawService.do"):
            return 200, statute_xml(query["MST"], "제7조", "차임", "청구할 수 있다.")
        names = ("주택임대차보호법 시행령", "주택임대차보호법")
        known = [name for name in names if query["query"] in name or "임대차" in query["query"]]
        listed = "".join(entry(name, name, "법률") for name in known)
        return 200, f"<LawSearch><totalCnt>{len(known)}</totalCnt>{listed}</LawSearch>"

    with served() as made:
        made.reply = reply
        monkeypatch.setenv("MADANG_LAW_API_KEY", KEY)
        monkeypatch.setenv("MADANG_LAW_API_URL", made.url)
        yield made


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def statute(folder: Path, name: str, text: str) -> Path:
    law = folder / "kr" / name
    law.mkdir(parents=True)
    (law / "법률.md").write_text(text, encoding="utf-8")
    return folder


def test_nothing_is_loaded_at_first(tmp_path: Path) -> None:
    status = json.loads(run("status", "--json"))
    assert status["law"]["statutes"] == 0
    assert status["prices"]["loaded"] is False
    assert "법령 원문 없음" in run("status")


def test_statutes_are_loaded_and_shown(tmp_path: Path) -> None:
    text = "---\n제목: 주택임대차보호법\n시행일자: 2026-01-02\n---\n##### 제7조 (차임)\n청구할 수 있다.\n"
    folder = statute(tmp_path / "law", "주택임대차보호법", text)
    loaded = json.loads(run("load", "law", str(folder), "--json"))
    assert (loaded["statutes"], loaded["articles"]) == (1, 1)
    status = json.loads(run("status", "--json"))
    assert status["law"]["newest"] == "2026-01-02"
    assert "법령 1개" in run("status")


def test_a_bad_statute_changes_nothing(tmp_path: Path) -> None:
    folder = statute(tmp_path / "law", "법", "no front matter")
    with pytest.raises(UnreadableData, match="법률"):
        run("load", "law", str(folder))
    with pytest.raises(NotFound):
        run("load", "law", str(tmp_path / "nowhere"))
    assert json.loads(run("status", "--json"))["law"]["statutes"] == 0


def test_prices_are_computed_from_transactions(tmp_path: Path) -> None:
    rows = "".join(f"마포구,공덕동,{n}단지,20260301,{120000 + n * 100},84.9,{n}\n" for n in range(5))
    file = tmp_path / "trades.csv"
    file.write_text(ROW + rows, encoding="utf-8")
    loaded = json.loads(run("load", "prices", str(file), "--json"))
    assert (loaded["transactions"], loaded["as_of"]) == (5, "2026-03-01")
    from madang.assistants.homes.services import HomesServices

    shared = HomesServices(data_dir=tmp_path / "data")
    [figure] = shared.market.query("마포구", "매매", area=84.0)
    assert (figure["median"], figure["transaction_count"]) == (1_202_000_000, 5)
    assert figure["as_of"] == "2026-03-01"
    assert shared.data_versions["market"].startswith("loaded-")


def test_a_file_without_prices_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "trades.csv"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UnreadableData, match="line 2"):
        run("load", "prices", str(file))
    with pytest.raises(NotFound):
        run("load", "prices", str(tmp_path / "nothing.csv"))
    assert json.loads(run("status", "--json"))["prices"]["loaded"] is False


def test_statutes_are_fetched_by_the_names_people_use(centre: Service, tmp_path: Path) -> None:
    loaded = json.loads(run("load", "law", "--live", "주임법", "--json"))
    assert loaded["names"] == ["주택임대차보호법", "주택임대차보호법 시행령"]
    from madang.assistants.homes.services import HomesServices

    quoted = HomesServices(data_dir=tmp_path / "data").legal.quotation("주택임대차보호법", "제7조")
    assert quoted == "「주택임대차보호법」 제7조(차임) [시행 2026-01-02]\n① 청구할 수 있다.\n  1. 첫째"
    status = json.loads(run("status", "--json"))
    assert status["law"]["statutes"] == 2
    assert KEY not in run("status") + run("status", "--json")


def test_a_law_that_is_not_there_changes_nothing(centre: Service) -> None:
    with pytest.raises(NotFound, match=r"상가임대차법.*비슷한 이름: 주택임대차보호법"):
        run("load", "law", "--live", "주임법", "새상가임대차법")
    assert json.loads(run("status", "--json"))["law"]["statutes"] == 0
    centre.reply = lambda _path, _query: (200, "<Response><result>실패</result><msg>OC 확인</msg></Response>")
    with pytest.raises(AccessDenied, match="OC 확인"):
        run("load", "law", "--live", "주임법")


def test_live_statutes_need_a_key_and_a_folder_needs_a_name() -> None:
    with pytest.raises(ConfigurationError, match="MADANG_LAW_API_KEY"):
        run("load", "law", "--live", "민법")
    with pytest.raises(InvalidInput, match="DIR"):
        run("load", "law")


def test_the_status_shows_sales_and_live_services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = json.loads(run("status", "--json"))
    assert (empty["sales"], [service["on"] for service in empty["live"]]) == ([], [False, False, False])
    loaded = json.loads(run("load", "sales", str(prepare(tmp_path)), "--json"))
    assert (loaded["company_id"], loaded["rows"]["sales"]) == ("acme", 3)
    monkeypatch.setenv("MADANG_LAND_API_KEY", KEY)
    status = json.loads(run("status", "--json"))
    [company] = status["sales"]
    assert (company["company_id"], company["rows"], company["version"]) == ("acme", loaded["rows"], loaded["version"])
    assert company["as_of"] is not None
    assert {service["name"]: service["on"] for service in status["live"]} == {"land": True, "loan": False, "law": False}
    shown = run("status")
    assert "판매 acme" in shown
    assert "국토교통부 실거래가: 켜짐 (https://apis.data.go.kr" in shown
    assert KEY not in shown


def test_a_broken_sales_file_is_shown_as_one(tmp_path: Path) -> None:
    run("load", "sales", str(prepare(tmp_path)))
    folder = tmp_path / "data" / "works" / "companies" / "acme"
    (folder / (folder / "current").read_text()).write_bytes(b"broken")
    assert "판매 acme: 읽을 수 없습니다" in run("status")
