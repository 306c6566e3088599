"""Decision rules: what they cite, which question is judged by which, and which way round a question is asked."""

from datetime import date
from pathlib import Path

import pytest

from madang.assistants.homes.data.judgement_rules import Rule, load_rules
from madang.assistants.homes.tools.judgement import Judged, JudgementTool, questions_in
from madang.assistants.homes.tools.judgement_question import asks_whether, form_of, said_back
from madang.assistants.homes.tools.law_files import read_law

SHARED = Path("/work/shared/data/law")
TODAY = date(2026, 11, 18)
RULES = load_rules()


@pytest.fixture(scope="module")
def tool() -> JudgementTool:
    return JudgementTool()


def judged(tool: JudgementTool, text: str) -> Judged | None:
    found = (tool.judge(asked, {}, TODAY) for asked in questions_in(text, TODAY))
    return next((one for one in found if one is not None), None)


def test_there_are_rules_for_every_field_with_examples_and_near_misses() -> None:
    assert len(RULES) >= 150
    for rule in RULES:
        assert len(rule.asks) + len(rule.asks_reversed) >= 2, rule.id
        assert rule.near_misses, rule.id
        assert rule.articles or rule.outside or rule.id == "answer-to-office", rule.id
        assert not {case.verdict for case in rule.cases} - {"yes", "no", "depends"}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the statutes aren't here")
def test_every_cited_article_is_in_force() -> None:
    known = {
        f"{law.name} {article.number}" for law in read_law(SHARED) for article in law.articles if not article.deleted
    }
    missing = {name for rule in RULES for name in rule.articles} - known
    assert not missing


def test_a_rule_answers_its_own_examples_the_way_they_are_labelled(tool: JudgementTool) -> None:
    wrong = [
        (rule.id, text)
        for rule in RULES
        for text, reversed_ in [*((t, False) for t in rule.asks), *((t, True) for t in rule.asks_reversed)]
        if text[0] > "z" and not _fits(judged(tool, text), rule, reversed_)
    ]
    asked = sum(len(rule.asks) + len(rule.asks_reversed) for rule in RULES)
    assert len(wrong) <= 0.07 * asked, wrong


def _fits(found: Judged | None, rule: Rule, reversed_: bool) -> bool:
    """Judged by another rule or not at all is a miss; the opposite of the label is worse and never allowed."""
    if found is None or found.rule.id != rule.id:
        return False
    verdict = found.case.verdict if found.case else rule.verdict
    turned = {"yes": "no", "no": "yes", "depends": "depends"}[verdict] if reversed_ else verdict
    assert not (found.sure and {found.verdict, turned} == {"yes", "no"}), (rule.id, found.question)
    return found.verdict == turned


def test_a_near_miss_is_not_judged_by_the_rule_it_is_near(tool: JudgementTool) -> None:
    for rule in RULES:
        for text in rule.near_misses:
            found = judged(tool, text)
            assert found is None or found.rule.id != rule.id, (rule.id, text)


@pytest.mark.parametrize(
    "text",
    [
        "오늘 저녁에 비 올까요?",
        "김치찌개에 두부 넣어도 되나요?",
        "버팀목 대출 받을 수 있나요?",
        "이 동네 학군이 좋은가요?",
        "회사에서 연차를 거절할 수 있나요?",
        "강아지한테 초콜릿 줘도 되나요?",
        "과제도 해주면 안 돼요?",
        "엑셀로 줄 수 있음?",
    ],
)
def test_other_questions_are_not_judged(tool: JudgementTool, text: str) -> None:
    assert judged(tool, text) is None


@pytest.mark.parametrize(
    ("text", "verdict", "said"),
    [
        ("집이 팔렸다고 나가라는데 나가야 하나요?", "no", "나가지 않아도 됩니다"),
        ("집이 팔렸다고 나가라는데 안 나가도 되죠?", "yes", "나가지 않아도 됩니다"),
        ("집이 팔렸다고 나가라는데 거절할 수 있나요?", "yes", "거절할 수 있습니다"),
        ("세입자가 월세를 두 달 밀렸는데 계약을 해지할 수 있나요?", "yes", "해지할 수 있습니다"),
        ("세입자가 월세를 한 달 밀렸는데 계약을 해지할 수 있나요?", "no", "해지할 수 없습니다"),
        ("재계약하면서 월세를 20% 올려 달라는데 올려줘야 하나요?", "no", "올려 주지 않아도 됩니다"),
        ("월세 밀린 세입자 짐을 빼서 복도에 두는 건 안 되겠죠?", "yes", "두면 안 됩니다"),
        ("세입자가 관리비를 안 내는데 단전 단수해도 되나요?", "no", "단수하면 안 됩니다"),
        ("집주인이 물을 끊었는데 불법 아닌가요?", "yes", "전기·수도를 마음대로 끊는 것은 불법입니다"),
        ("남편이 몰래 집을 팔려고 하는데 막을 방법 없나요?", "yes", "막을 수 있습니다"),
        ("특약에 전입신고 안 하기로 했는데 전입신고 해도 되나요?", "yes", None),
        ("보증금 8천에 전세 계약했는데 전월세 신고 안 해도 되나요?", "no", "신고해야 합니다"),
        ("보증금 500에 월세 20인데 전월세 신고를 해야 하나요?", "no", None),
        ("만기가 한 달 남았는데 갱신요구권을 쓸 수 있나요?", "no", None),
    ],
)
def test_the_verdict_answers_in_the_questions_own_terms(
    tool: JudgementTool, text: str, verdict: str, said: str | None
) -> None:
    found = judged(tool, text)
    assert found is not None
    assert found.verdict == verdict
    assert found.sure
    assert said is None or found.say.endswith(said)


@pytest.mark.parametrize(
    ("text", "frame", "lemma", "sign"),
    [
        ("제가 돈 다 내야됨?", "must", "내", 1),
        ("안 내도 되죠?", "must", "내", -1),
        ("내지 않아도 되나요", "must", "내", -1),
        ("거절할 수 없나요", "may", "거절", 1),
        ("막을 방법 없나요?", "may", "막", 1),
        ("키우면 안 되나요", "let", "키우", 1),
        ("두는 건 안 되겠죠?", "let", "두", -1),
        ("나가야 하는 건 아니죠?", "must", "나가", -1),
        ("이거 불법 아님?", "so", "불법", 1),
        ("연 12% 청구 가능?", "may", "청구", 1),
        ("동의를 받아야 하나요", "must", "동의", 1),
        ("한 푼도 못 받는 건가요", "so", "받", -1),
    ],
)
def test_the_form_of_a_question(text: str, frame: str, lemma: str, sign: int) -> None:
    form = form_of(text)
    assert form is not None
    assert (form.frame, form.lemma, form.sign) == (frame, lemma, sign)


def test_a_verb_is_said_back_as_permission_or_duty() -> None:
    must, may = form_of("제가 고쳐야 하나요"), form_of("월세에서 빼도 되나요")
    assert must is not None
    assert may is not None
    assert (said_back(must, True), said_back(must, False)) == ("고쳐야 합니다", "고치지 않아도 됩니다")
    assert (said_back(may, True), said_back(may, False)) == ("빼도 됩니다", "빼면 안 됩니다")


def test_questions_of_what_or_how_much_are_not_whether() -> None:
    assert not asks_whether("복비가 얼마인가요? 어디서 떼나요?")
    assert not asks_whether("보증금 500에 35예요. 감사합니다")
    assert asks_whether("집주인이 나가라는데 나가야 됩니꺼")


def test_facts_told_before_the_question_are_told_for_it() -> None:
    [asked] = questions_in("월세가 세 달 밀렸습니다. 세입자는 연락이 없고요. 해지할 수 있나요?", TODAY)
    assert asked.question == "해지할 수 있나요?"
    assert "세 달" in asked.text
