"""The runner of the public sets, on a folder of our own sentences in their two formats."""

import json
from pathlib import Path

import pytest

from bench.values import eval_values, results
from madang.errors import InvalidInput

NUMBERS = [
    {"Input": "표가 삼백 장", "Results": [{"Text": "삼백", "TypeName": "number", "Resolution": {"value": "300"}}]},
    {"Input": "값은 7", "Results": [{"Text": "7", "TypeName": "number", "Resolution": {"value": "8"}}]},
    {"Input": "아무것도", "Results": [{"Text": "아무", "TypeName": "number", "Resolution": {"value": "1"}}]},
    {"Input": "없다", "Results": []},
]
SETS = [{"Input": "매주", "Results": [{"Text": "매주", "Type": "set", "Value": {"Timex": "P1W"}}]}]
CORPUS = """allExamples = concat
  [ examples (NumeralValue 3)
             [ "셋"
             , "3"
             ]
  ]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, cases in (("Number/Korean/NumberModel", NUMBERS), ("DateTime/Korean/SetParser", SETS)):
        path = tmp_path / "Specs" / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(cases), "utf-8")
    corpus = tmp_path / "Duckling" / "Numeral" / "KO" / "Corpus.hs"
    corpus.parent.mkdir(parents=True)
    corpus.write_text(CORPUS, "utf-8")
    return tmp_path


def test_each_case_is_right_not_read_wrong_or_left_out(folder: Path) -> None:
    verdicts = {case.text: verdict for case, verdict in results(folder)}
    assert verdicts == {
        "표가 삼백 장": "right", "값은 7": "wrong", "아무것도": "not read", "없다": "right",
        "매주": "left out", "셋": "right", "3": "right",
    }  # fmt: skip


def test_the_suite_names_what_is_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row.measure: row for row in eval_values(str(folder))}
    assert rows["all"].note.startswith("4/6, not read 1, wrong 1")
    assert [name for name in rows if name.startswith("left out")] == ["left out: a recurrence (매주): no value of ours"]
    assert "wrong: Number/NumberModel [7] 값은 7" in capsys.readouterr().err


def test_a_folder_without_the_sets_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no Specs"):
        results(tmp_path)
