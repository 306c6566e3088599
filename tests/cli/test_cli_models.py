"""`madang models prompt`: what is sent in each call, for people to read."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from madang.cli.models import app
from tests.support.model_turns import act, reading, step

TEXT = "오사카랑 후쿠오카 중에 어디가 나아?"
COMPARE = {"question": "견주기", "topics": ["compare"], "cities": ["오사카", "후쿠오카"], "places": []}
READ = reading(
    "answer_questions", act(TEXT, "ask_which", "ask_place"), steps=[step("local_guide", questions=[COMPARE])]
)


@pytest.mark.parametrize(
    ("call", "says"),
    [("understand", "이해 담당"), ("explore", "탐색 담당"), ("answer", "## 쓰는 법")],
)
def test_each_call_is_printed_as_it_is_sent(
    call: str, says: str, tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MADANG_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MADANG_DB", sqlite_url)
    file = tmp_path / "reading.json"
    file.write_text(json.dumps(READ, ensure_ascii=False), encoding="utf-8")
    result = CliRunner().invoke(app, ["prompt", call, "travel", TEXT, "--reading", str(file)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert says in result.stdout
    assert TEXT in result.stdout
    assert ("### schema" in result.stdout) is (call != "answer")
