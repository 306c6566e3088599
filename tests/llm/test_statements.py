"""A model's sentences held against facts: good ones stay, subtly wrong ones don't, however they are streamed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.statements import judged
from madang.llm.arithmetic import computed, same
from madang.llm.evidence import Evidence, Fact
from madang.llm.grounds import signed_figures
from madang.llm.sentences import EvidenceGuard
from madang.llm.statements import Statements

LABELLED = list(judged())


def test_the_labelled_sentences_are_told_apart() -> None:
    good = [problem is None for label, _, problem in LABELLED if label == "good"]
    wrong = [problem is not None for label, _, problem in LABELLED if label != "good"]
    assert len(good) >= 60
    assert len(wrong) >= 60
    assert sum(good) / len(good) >= 0.97
    assert sum(wrong) / len(wrong) >= 0.97


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("2천만 원", "20,000,000원"),
        ("3억 8,814만원", "388,140,400원"),
        ("25평", "84㎡"),
        ("17개", "17곳"),
        ("2년", "24개월"),
        ("120분", "2시간"),
        ("약 123만 원", "1,234,567원"),
    ],
)
def test_one_figure_in_any_form(said: str, known: str) -> None:
    assert same(signed_figures(said)[0].figure, signed_figures(known)[0].figure)


@pytest.mark.parametrize(
    ("said", "known"), [("2천만 달러", "2천만 원"), ("3년", "24개월"), ("30평", "84㎡"), ("3명", "2명")]
)
def test_another_figure_or_unit_is_another(said: str, known: str) -> None:
    assert not same(signed_figures(said)[0].figure, signed_figures(known)[0].figure)


def test_sums_and_shares_are_computed_never_believed() -> None:
    given_ = [one.figure for one in signed_figures("3,000만원 그리고 2,000만원")]
    assert computed(signed_figures("5,000만원")[0].figure, given_, (), "합치면 5,000만원")
    assert not computed(signed_figures("5,500만원")[0].figure, given_, (), "합치면 5,500만원")


TEXT = "보증금은 1억 원이에요. [F1] 한도는 9%예요. [F2] 문의하세요. [G]\n- 끝이 2.5억이에요. [F1]"
FACTS = (
    Fact(id="F1", kind="figure", text="보증금 1억 원, 매매가 2.5억"),
    Fact(id="F2", kind="figure", text="한도 5%", says="한도는 5%입니다."),
)
SHOWN = "보증금은 1억 원이에요. 한도는 5%입니다. 문의하세요.\n- 끝이 2.5억이에요."


@given(st.lists(st.integers(1, 12), max_size=60))
def test_a_streamed_answer_is_checked_alike_however_it_is_cut(cuts: list[int]) -> None:
    guard = EvidenceGuard(Statements(Evidence(facts=FACTS)))
    shown, rest = "", TEXT
    for cut in cuts:
        shown += guard.feed(rest[:cut])
        rest = rest[cut:]
    shown += guard.feed(rest) + guard.finish()
    assert shown == guard.text == SHOWN
    assert [one.problem for one in guard.sentences] == [None, "figure", None, None]


@given(st.text(max_size=200))
def test_any_text_can_be_checked(text: str) -> None:
    guard = EvidenceGuard(Statements(Evidence(facts=(Fact(id="F1", kind="note", text=text),))))
    guard.feed(text)
    guard.finish()


def test_what_is_put_forward_needs_no_fact_but_a_total_of_it_must_add_up() -> None:
    trip = Evidence(
        facts=(Fact(id="F1", kind="plan", text="교통비: 188,800원(추정)"),), told=("예산 60",), proposes="sums"
    )
    said = Statements(trip)
    assert said.problem("- 10:30 오동도 산책, 12:00 점심", ["P"]) is None
    assert said.problem("- 밥값: 12만원", ["P"]) is None
    assert said.problem("- 교통비: 188,800원", ["F1"]) is None
    assert said.problem("- 꽃과 케이크: 8만원쯤", []) is None
    assert said.problem("- 합계: 388,800원", ["P"]) is None
    assert said.problem("- 합계: 50만원", ["P"]) == "figure"
    assert said.problem("- 합계: 60만원", ["P"]) == "figure", "the budget is not their sum"
    assert said.problem("총액은 말씀하신 60만원 안이에요.", ["P"]) is None
    assert said.problem("- 교통비: 150,000원", ["F1"]) == "figure"
    assert said.problem("- 교통비: 150,000원, 09:30 출발", ["F1", "P"]) == "figure"
    assert said.problem("- 교통비: 188,800원, 09:30 출발", ["F1", "P"]) is None
    assert said.problem("여행자보험은 약관 제12조를 보세요.", ["P"]) == "citation"
    assert Statements(Evidence(facts=trip.facts)).problem("- 밥값: 12만원", ["P"]) == "figure"
    text = Statements(Evidence(facts=trip.facts, proposes="times"))
    assert text.problem("회신 기한: 11월 27일(금) 18:00", ["P"]) is None
    assert text.problem("회신 기한: 11월 27일(금)", []) == "figure"
    assert text.problem("식음료는 12만원까지입니다.", ["P"]) == "figure"


TOLD = ("연세 칠백에 보증금 300이고 전기세 6만원 유리문 15만원이 밀렸어요", "2억8천 30년 3.5%면 한달에 얼마?")


@pytest.mark.parametrize(
    "text",
    [
        "돌려줄 돈은 모두 570만 6,667원이에요. [U] 연세 700만원을 열두 달로 나누면 58만 3,333원이에요. [U] "
        "다섯 달치는 291만 6,667원이에요. [U] 보증금은 300만원에서 6만원과 15만원을 뺀 279만원이에요. [U] "
        "291만 6,667원과 279만원을 더하면 570만 6,667원이에요. [U]",
        "2억8천을 30년, 3.5%로 갚으면 한 달 약 125만 7천원이에요. [U]",
        "- “I need a room on the ground floor, please.” [G]",
        "만일을 생각해 두 곳에 물어보세요. [G]",
        "청탁금지법의 신고는 본인이 해요. [G]",
        "HUG 1566-9009에 물어보세요. [G]",
    ],
)
def test_a_right_sentence_stays(text: str) -> None:
    guard = EvidenceGuard(Statements(Evidence(told=TOLD)))
    guard.feed(text)
    guard.finish()
    assert [one.text for one in guard.sentences if one.problem] == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("보증금은 300만원에서 6만원과 15만원을 뺀 289만원이에요.", ["U"]),
        ("2억8천을 30년, 3.5%로 갚으면 한 달 약 155만 7천원이에요.", ["U"]),
        ("I can tell you everything about your new room on the ground floor.", []),
        ("청탁금지법 제8조에 따라 신고하세요.", []),
    ],
)
def test_a_wrong_sum_and_an_article_of_nowhere_go(text: str, ids: list[str]) -> None:
    assert Statements(Evidence(told=TOLD)).problem(text, ids)


def test_a_heading_with_nothing_left_under_it_goes_too() -> None:
    guard = EvidenceGuard(Statements(Evidence()))
    guard.feed("**얼마인지**\n\n- 한도는 37%예요. [F9]\n\n**할 일**\n- 먼저 물어보세요. [G]")
    guard.finish()
    assert guard.text == "**할 일**\n- 먼저 물어보세요."


SALES = (
    "96%는 찍어야 하는데 목표 183,030,000원에 151,206,400원이에요",
    "의원 일곱 군데에서 412만원, 1인당 95,000원 49명",
)


@pytest.mark.parametrize(
    "text",
    [
        "96%까지 183,030,000 × 0.96 - 151,206,400 = 24,502,400원 남았습니다.",
        "의원 한 곳 평균은 412만원 ÷ 7곳 ≈ 59만원입니다.",
        "저녁은 4,655,000원(95,000원 × 49명)입니다.",
        "Dinner comes to ₩4,655,000 = 95,000 × 49.",
        "하는 일만 적어 두면 됩니다.",
        "목표에서 뺀 183,030,000원 − 151,206,400원 = 31,823,600원이 모자랍니다.",
    ],
)
def test_a_working_that_comes_out_stays(text: str) -> None:
    language = "en" if text.startswith("Dinner") else "ko"
    assert Statements(Evidence(told=SALES), language).problem(text, ["U"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "96%까지 183,030,000 × 0.96 - 151,206,400 = 24,502,500원 남았습니다.",
        "96%까지 183,030,000 × 0.98 - 151,206,400 = 28,163,000원 남았습니다.",
        "의원 한 곳 평균은 412만원 ÷ 7곳 ≈ 69만원입니다.",
        "저녁은 4,755,000원(95,000원 × 49명)입니다.",
        "Dinner comes to ₩4,665,000 = 95,000 × 49.",
        "목표를 채우고 151,206,400원 − 183,030,000원 = 31,823,600원이 남습니다.",
    ],
)
def test_a_working_that_does_not_come_out_goes(text: str) -> None:
    language = "en" if text.startswith("Dinner") else "ko"
    assert Statements(Evidence(told=SALES), language).problem(text, ["U"]) == "figure"


def test_a_short_sum_has_the_unit_of_the_cited_one() -> None:
    fact = Fact(id="F1", kind="figure", text="증여재산공제는 10년간 5천만원입니다.")
    said = Statements(Evidence(facts=(fact,), told=("결혼할 때 3천만원 받았고 이번에 1억",)))
    assert said.problem("이미 받은 3천을 빼면 공제는 2천만원이 남아요.", ["F1", "U"]) is None
    assert said.problem("이미 받은 3천을 더해도 5천 안이에요.", ["F1", "U"]) is None
    assert said.problem("이미 받은 4천을 더해도 5천 안이에요.", ["F1", "U"]) == "figure"


def test_names_stay_in_an_answer_of_another_language() -> None:
    facts = (
        Fact(id="F1", kind="row", text="대전지점: 증감률 +20.8%", subject="대전지점"),
        Fact(id="F2", kind="row", text="텔미온정: 증감률 +162.4%", subject="텔미온정"),
    )
    said = Statements(Evidence(facts=facts), "en")
    assert said.problem("- 대전지점 +20.8%: 텔미온정 +162.4%", ["F1", "F2"]) is None
    assert said.problem("- 대전지점의 매출은 작년보다 20.8% 늘었습니다.", ["F1"]) == "language"


LAW = {
    ("민법", "제623조"): "임대인의 의무 임대인은 집을 쓸 수 있는 상태로 유지하고 수선할 의무가 있다.",
    ("주택임대차보호법", "제6조의3"): "임차인은 만료 6개월 전부터 2개월 전 사이에 한 번 갱신을 요구할 수 있다.",
}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("민법 제623조에 따라 임대인은 집을 수선할 의무가 있어요.", None),
        ("주택임대차보호법 제6조의3대로 만료 6개월 전부터 2개월 전 사이에 갱신을 요구할 수 있어요.", None),
        ("주택임대차보호법 제6조의3대로 만료 6개월 전부터 1개월 전 사이에 갱신을 요구할 수 있어요.", "figure"),
        ("민법 제623조에 따라 보증금에는 이자가 붙어요.", "citation"),
        ("민법 제1623조에 따라 임대인은 집을 수선할 의무가 있어요.", "citation"),
    ],
)
def test_an_article_of_general_knowledge_is_looked_up(text: str, problem: str | None) -> None:
    def article(law: str, number: str) -> str | None:
        return LAW.get((law, number))

    assert Statements(Evidence(article=article)).problem(text, []) == problem
