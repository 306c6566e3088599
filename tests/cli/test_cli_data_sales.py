"""`madang data load sales` as a command."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from madang.cli.data import app
from madang.errors import InvalidState
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
