"""Tables that an answer puts in by their id: where it says so, once, and nowhere else."""

import pytest

from madang.llm.evidence import Evidence, Exhibit, Fact
from madang.llm.sentences import EvidenceGuard
from madang.llm.statements import Statements

TABLE = "**지점별 매출** — 2026-10\n\n| 지점 | 매출(원) |\n|---|---|\n| 부산지점 | 1,200 |"


def shown(text: str, piece: int = 7) -> str:
    fact = Fact(id="F1", kind="row", text="부산지점: 매출 3,400,000원", subject="부산지점")
    evidence = Evidence(facts=(fact,), exhibits=(Exhibit("T1", "지점별 매출", TABLE),))
    guard = EvidenceGuard(Statements(evidence))
    sent = "".join(guard.feed(text[at : at + piece]) for at in range(0, len(text), piece)) + guard.finish()
    assert sent.strip().replace("\n\n\n", "\n\n").split() == guard.text.split()
    return guard.text


@pytest.mark.parametrize("piece", [3, 40, 1000])
def test_a_table_stands_where_its_id_stands(piece: int) -> None:
    text = shown("부산지점 매출은 3,400,000원입니다. [F1]\n\n**지점별**\n[T1]\n자료를 확인하세요. [G]", piece)
    assert text.index("3,400,000원") < text.index("**지점별**") < text.index("| 부산지점 |") < text.index("자료를")
    assert "[T1]" not in text


def test_a_table_is_put_in_once() -> None:
    assert shown("[T1]\n부산지점 매출은 3,400,000원입니다. [F1]\n[T1]\n").count("| 부산지점 |") == 1


def test_a_table_may_stand_behind_a_sentence_that_holds() -> None:
    text = shown("부산지점 매출은 3,400,000원입니다. [F1,T1]\n")
    assert text.index("3,400,000원") < text.index("| 부산지점 |")


def test_a_wrong_sentence_does_not_come_in_with_a_table() -> None:
    text = shown("부산지점 매출은 9,900,000원입니다. [F1,T1]\n")
    assert "9,900,000" not in text
    assert "| 부산지점 |" in text


def test_without_its_id_no_table_is_shown_and_an_unknown_id_is_nothing() -> None:
    assert "|" not in shown("부산지점 매출은 3,400,000원입니다. [F1]\n[T7]\n")
