"""Compliance: facts from texts, dated rules, the ledger, and what can't be told."""

import re
from datetime import date
from pathlib import Path

import pytest

from bench.works import score_situations, situations
from madang.assistants.works.tools.compliance import Judgement, LedgerEntry, judge, load_rules, read_facts

TODAY = date(2026, 3, 11)
LAW = Path("/work/shared/data/law/kr")


def judged(text: str, ledger: list[LedgerEntry] | None = None, book: Path | None = None) -> Judgement:
    return judge(read_facts(text, TODAY), load_rules(book), ledger or [], TODAY)


def status_of(judgement: Judgement, rule: str) -> str | None:
    return next((one.verdict.status for one in judgement.results if one.rule.id == rule), None)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_evaluation_sets_stay_above_their_goals(split: str) -> None:
    found = score_situations(split)
    assert found.right / found.rules >= 0.9
    assert found.overall_right / found.overall >= 0.9
    assert found.passed_violations == 0


def test_there_are_enough_situations() -> None:
    assert len(situations("dev")) + len(situations("test")) >= 40


def test_a_limit_is_included_and_the_next_won_is_not() -> None:
    at = judged("4월 20일 제품설명회, 원장 5명, 1인당 식사 10만원")
    over = judged("4월 20일 제품설명회, 원장 5명, 1인당 식사 100,001원")
    assert (at.status, over.status) == ("pass", "violation")


def test_points_and_risk() -> None:
    judgement = judged("원장님께 현금 50만원을 드리고 골프 라운딩")
    assert judgement.score == 50
    assert judgement.risk == "critical"
    assert judgement.status == "violation"
    assert judged("3월 13일 제품설명회, 5명, 1인당 식사 5만원").status == "pass"
    assert judged("3월 13일 제품설명회, 5명, 1인당 식사 5만원").score == 98


def test_repeated_benefits_are_summed_from_the_ledger() -> None:
    before = [LedgerEntry("새봄의원", "meal", 60_000, date(2026, 3, day)) for day in (2, 4, 6, 9)]
    text = "3월 20일 새봄의원 방문 디테일, 점심 4만원"
    assert judged(text, before[:3]).status == "pass"
    assert judged(text, before).status == "violation"
    same_day = [LedgerEntry("새봄의원", "meal", 70_000, date(2026, 3, 20))]
    assert judged(text, same_day).status == "violation"
    assert judged(text, [LedgerEntry("다른의원", "meal", 70_000, date(2026, 3, 20))]).status == "pass"
    fees = [LedgerEntry("가람병원", "lecture_fee", 500_000, date(2026, month, 1)) for month in (1, 2, 3)] * 2
    assert judged("가람병원 교수 강연료 1시간 50만원", fees).status == "violation"


@pytest.mark.parametrize(
    "text",
    [
        "규약상 골프 접대는 금지되어 있습니다.",
        "상품권은 제공하지 않았습니다.",
        "현금 제공은 불가하다고 안내했습니다. 이번 방문은 제품 설명만 진행했습니다.",
    ],
)
def test_a_quoted_prohibition_is_no_violation(text: str) -> None:
    assert judged(text).status == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "금지 규정이 있지만 원장님께 상품권 30만원을 드렸습니다.",
        "강의는 없음, 원장님께 현금 50만원 전달",
        "골프는 안 된다고 하는데 그래도 그린피 20만원을 내드릴 예정",
        "시판 후 조사 건당 9만원 지급, 추가 작업 없음",
    ],
)
def test_a_prohibition_does_not_hide_what_is_done(text: str) -> None:
    assert judged(text).status == "violation"


def test_asking_whether_it_is_allowed_is_not_quoting() -> None:
    assert judged("골프 접대는 금지인데 그래도 해도 되나요?").status == "violation"


@pytest.mark.parametrize("damage", ["", "not toml [", 'version = "1"\n[[rules]]\nid = "rebate_law.seminar_meal"\n'])
def test_a_rule_that_can_not_be_read_never_passes(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(damage, "utf-8")
    judgement = judged("4월 20일 제품설명회, 원장 5명, 1인당 식사 1만원", book=path)
    assert judgement.status == "unverified"
    assert not judgement.with_status("pass")


def test_a_rule_without_its_figure_is_unverified(tmp_path: Path) -> None:
    from importlib.resources import files

    text = (files("madang.assistants.works.data") / "rules.toml").read_text("utf-8")
    path = tmp_path / "rules.toml"
    path.write_text(text.replace("limit = 100000", "", 1), "utf-8")
    judgement = judged("4월 20일 제품설명회, 원장 5명, 1인당 식사 1만원", book=path)
    assert status_of(judgement, "rebate_law.seminar_meal") == "unverified"


@pytest.mark.skipif(not LAW.is_dir(), reason="the statutes are not on this machine")
def test_cited_articles_exist_and_are_as_recent_as_they_say() -> None:
    for rule in load_rules().rules.values():
        if not rule.file:
            continue
        text = (LAW / rule.file).read_text("utf-8")
        article = re.match(r"제\d+조(?:의\d+)?", rule.article)
        assert article is not None
        assert f"##### {article.group()} " in text, rule.id
        dates = re.findall(r"\d{4}-\d{2}-\d{2}", text[:3000])
        assert rule.as_of in dates, (rule.id, dates)


@pytest.mark.skipif(not LAW.is_dir(), reason="the statutes are not on this machine")
def test_figures_that_the_statute_itself_states() -> None:
    text = (LAW / "부정청탁및금품등수수의금지에관한법률" / "법률.md").read_text("utf-8")
    rule = load_rules()["anti_graft.total"]
    assert f"1회에 {rule.figure('limit') // 10_000}만원" in text
    assert f"매 회계연도에 {rule.figure('per_year') // 10_000}만원" in text


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("원장님과 둘이서 저녁 24만원 썼습니다", 2),
        ("설명회 도시락 15만원, 6인분", 6),
        ("도시락 6개 15만원어치 돌렸어요", 6),
        ("저까지 셋이 저녁 먹고 27만원 결제", 3),
        ("원장님과 저녁 먹고 24만원 나왔어요", None),
    ],
)
def test_a_bill_is_not_what_one_person_got(text: str, people: int | None) -> None:
    facts = read_facts(text, TODAY)
    assert facts.people == people
    assert [one.each for one in facts.benefits] == [None]


def test_a_beef_house_is_no_gift_of_beef() -> None:
    assert not any(one.kind == "gift" for one in read_facts("원장이랑 한우집에서 24만원 나왔습니다", TODAY).benefits)


@pytest.mark.parametrize(
    "text",
    [
        "골프는 없다",
        "배우자 동반과 골프는 없다",
        "골프나 배우자 동반은 하지 않습니다",
        "골프장은 안 가고 호텔에서만 합니다",
        "골프 접대는 취소했습니다",
        "골프 대신 회의실에서 발표만 합니다",
        "상품권은 안 드리고 자료만 보여 드려요",
        "선물 말고 자료만 전달",
        "No spouse, no golf",
        "배우자 동반은 안 합니다",
        "강연료는 안 받기로 하셨어요",
    ],
)
def test_what_is_said_not_to_happen_is_no_benefit(text: str) -> None:
    facts = read_facts(text, TODAY)
    assert (facts.benefits, facts.companion, facts.venue) == ((), None, None)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("원장님 골프 접대 예정", "entertainment"),
        ("골프와 식사를 제공하고 숙박은 없다", "entertainment"),
        ("골프를 안 칠 수 없어서 칩니다", "entertainment"),
        ("골프 안 치면 섭섭해하셔서 모시고 갑니다", "entertainment"),
        ("식사 대신 상품권 10만원 드립니다", "cash"),
        ("현금은 안 된다고 해서 상품권으로 드립니다", "cash"),
        ("선물이 없으면 서운하니 한우 세트 드립니다", "gift"),
    ],
)
def test_what_happens_all_the_same_is_read(text: str, kind: str) -> None:
    assert kind in {one.kind for one in read_facts(text, TODAY).benefits}
