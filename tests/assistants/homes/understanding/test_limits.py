"""Questions it does not judge are named as such, ordinary ones are not."""

from pathlib import Path

import pytest

from bench.homes import cases
from madang.assistants.homes.data.legal_issues import load_issues
from madang.assistants.homes.tools.legal_search import HybridLegalSearch
from madang.assistants.homes.understanding.limits import LIMITS


def touched(question: str) -> set[str]:
    return {limit.kind for limit in LIMITS if limit.touches(question)}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("양도세 줄이는 방법 알려줘", "tax"),
        ("보증금 소송하면 이길 수 있을까요", "court"),
        ("원상복구 관련 판례 찾아줘", "court"),
        ("일본에서 집 사려면 대출 되나요", "foreign"),
        ("내년에 집값 오를까", "forecast"),
    ],
)
def test_limits_are_named(question: str, kind: str) -> None:
    assert kind in touched(question)


def test_ordinary_questions_have_no_limits() -> None:
    questions = [case["question"] for case in cases("homes-legal", "dev")]
    assert sum(bool(touched(question)) for question in questions) <= len(questions) * 0.03


def test_a_stored_index_answers_as_the_built_one(tmp_path: Path) -> None:
    issues = load_issues()[:20]
    built = HybridLegalSearch(issues, stored_in=tmp_path)
    kept = sorted(path.name for path in tmp_path.iterdir())
    again = HybridLegalSearch(issues, stored_in=tmp_path)
    assert again.search("보증금을 안 돌려줘요") == built.search("보증금을 안 돌려줘요")
    assert sorted(path.name for path in tmp_path.iterdir()) == kept
    assert len(HybridLegalSearch(load_issues()[:21], stored_in=tmp_path)) == 21


def test_a_damaged_stored_index_is_built_anew(tmp_path: Path) -> None:
    issues = load_issues()[:5]
    HybridLegalSearch(issues, stored_in=tmp_path)
    for file in tmp_path.rglob("*"):
        if file.is_file():
            file.write_bytes(b"x")
    assert HybridLegalSearch(issues, stored_in=tmp_path).search("전입신고")
