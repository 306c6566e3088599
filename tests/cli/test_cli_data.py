"""`madang data`: loading statutes and prices, and what is loaded, as a user does it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from madang.cli.data import app
from madang.errors import NotFound, UnreadableData

ROW = "Gu,Dong,Name,Date,Price,Area,Floor\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADANG_DATA_DIR", str(tmp_path / "data"))


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
    from madang.assistants.homes.services import Services

    shared = Services(data_dir=tmp_path / "data")
    [figure] = shared.market.query("마포구", "매매", area=84.0)
    assert (figure.median, figure.count, figure.as_of) == (1_202_000_000, 5, "2026-03-01")
    assert shared.data_versions["market"].startswith("loaded-")


def test_a_file_without_prices_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "trades.csv"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UnreadableData, match="line 2"):
        run("load", "prices", str(file))
    with pytest.raises(NotFound):
        run("load", "prices", str(tmp_path / "nothing.csv"))
    assert json.loads(run("status", "--json"))["prices"]["loaded"] is False
