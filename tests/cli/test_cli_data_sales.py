"""`madang data load sales` as a command."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from madang.cli.data import app
from madang.errors import InvalidInput, InvalidState
from tests.support.sales_files import FILES, prepare


def test_the_command_loads_and_says_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADANG_DATA_DIR", str(tmp_path / "data"))
    result = CliRunner().invoke(app, ["load", "sales", str(prepare(tmp_path))])
    assert result.exit_code == 0, result.output
    assert "acme" in result.output
    assert "sales 3" in result.output
    assert (tmp_path / "data" / "works" / "companies" / "acme" / "current").exists()


def test_the_command_fails_without_changing_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADANG_DATA_DIR", str(tmp_path / "data"))
    mapping = prepare(tmp_path, sales_csv=FILES["sales.csv"].replace("20000원", "이만원"))
    result = CliRunner().invoke(app, ["load", "sales", str(mapping)])
    assert isinstance(result.exception, InvalidState)
    assert "sales.csv 3행 '금액'" in str(result.exception)
    assert not (tmp_path / "data" / "works" / "companies" / "acme" / "current").exists()


def test_a_mapping_is_proposed_shown_and_used_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADANG_DATA_DIR", str(tmp_path / "data"))
    export = tmp_path / "export.csv"
    export.write_bytes("매출일,거래처명,품명,금액\n2026-01-05,한마음의원,첫째정,1000\n".encode("cp949"))
    proposed = CliRunner().invoke(app, ["load", "sales", str(export), "--guess", "--company", "acme"])
    assert proposed.exit_code == 0, proposed.output
    assert 'amount = "금액"' in proposed.output
    assert not (tmp_path / "data").exists()
    written = tmp_path / "sales-mapping.toml"
    assert written.read_text("utf-8") in proposed.output
    again = CliRunner().invoke(app, ["load", "sales", str(export), "--guess"])
    assert isinstance(again.exception, InvalidInput)
    checked = CliRunner().invoke(app, ["load", "sales", str(written), "--check"])
    assert "불러오지 않았습니다" in checked.output
    loaded = CliRunner().invoke(app, ["load", "sales", str(written), "--json"])
    assert json.loads(loaded.output)["rows"] == {"customers": 1, "products": 1, "sales": 1}
    other = ["--guess", "--write", str(tmp_path / "other.toml"), "--company", "acme", "--load", "--add"]
    added = CliRunner().invoke(app, ["load", "sales", str(export), *other])
    assert added.exit_code == 0, added.output
    assert "이미 있는 것과 같은 행: 1" in added.output
    assert "sales 1 " in added.output
