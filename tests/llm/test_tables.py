"""Sentences over the rows of a table: counts, sums, shares and differences come out or go."""

from fractions import Fraction

import pytest

from madang.llm.evidence import Evidence, Fact, Table
from madang.llm.sentences import EvidenceGuard
from madang.llm.statements import Statements

HEADING = "지점별 매출 (전년 동기 대비)"
ROWS = {
    "부산지점": (195_890_500, 190_801_200, 5_089_300, "2.7", "104.1"),
    "대구지점": (142_310_000, 160_020_000, -17_710_000, "-11.1", "88.2"),
    "광주지점": (120_404_700, 118_000_100, 2_404_600, "2.0", "101.0"),
    "대전지점": (98_020_300, 99_120_300, -1_100_000, "-1.1", "97.3"),
    "제주지점": (40_100_900, 39_000_400, 1_100_500, "2.8", "120.4"),
}
LABELS = ("매출", "매출 (비교 기간)", "매출 증감", "매출 증감률", "달성률")
TABLE = Table(
    HEADING,
    LABELS,
    ("원", "원", "원", "%", "%"),
    tuple((name, tuple(Fraction(value) for value in values)) for name, values in ROWS.items()),
)


def facts() -> tuple[Fact, ...]:
    total = sum(values[0] for values in ROWS.values())
    summary = f"{HEADING}: 지점 5곳 가운데 부산지점의 매출이 가장 많습니다. 모두 더하면 {total:,}원입니다."
    made = [Fact(id="F1", kind="figure", text=summary, says="부산지점의 매출이 가장 많습니다.", table=HEADING)]
    for number, (name, values) in enumerate(ROWS.items(), 2):
        cells = f"매출 {values[0]:,}원, 매출 (비교 기간) {values[1]:,}원, 매출 증감 {values[2]:+,}원"
        text = f"{name}: {cells}, 매출 증감률 {values[3]}%, 달성률 {values[4]}%"
        made.append(Fact(id=f"F{number}", kind="row", text=text, says=f"{text}.", subject=name, table=HEADING))
    return tuple(made)


EVIDENCE = Evidence(facts=facts(), told=("지점별로 작년이랑 비교해줘",), tables=(TABLE,))
TOP3 = sum(values[0] for values in list(ROWS.values())[:3])
TOTAL = sum(values[0] for values in ROWS.values())


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("5곳 중 3곳이 늘었습니다.", ["F1"]),
        ("지점 5곳 가운데 2곳은 작년보다 줄었습니다.", ["F1"]),
        ("목표를 넘긴 지점은 3곳, 못 넘긴 지점은 2곳입니다.", ["F1"]),
        ("달성률이 100%에 못 미친 곳은 2곳입니다.", ["F1"]),
        ("매출이 1억원 이상인 지점은 3곳입니다.", ["F1"]),
        (f"상위 세 지점 합계는 {TOP3:,}원입니다.", ["F1"]),
        (f"상위 3곳의 비중은 {TOP3 / TOTAL * 100:.1f}%입니다.", ["F1"]),
        (f"부산지점과 제주지점을 빼면 나머지는 {TOTAL - 195_890_500 - 40_100_900:,}원입니다.", ["F1"]),
        ("광주지점과 제주지점은 합쳐 3,505,100원 늘었습니다.", ["F4", "F6"]),
    ],
)
def test_what_comes_out_over_the_rows_stays(text: str, ids: list[str]) -> None:
    assert Statements(EVIDENCE).problem(text, ids) is None


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("5곳 중 4곳이 늘었습니다.", ["F1"]),
        ("지점 5곳 가운데 3곳은 작년보다 줄었습니다.", ["F1"]),
        ("목표를 넘긴 지점은 4곳, 못 넘긴 지점은 1곳입니다.", ["F1"]),
        ("매출이 1억원 이상인 지점은 4곳입니다.", ["F1"]),
        (f"상위 세 지점 합계는 {TOP3 + 10_000_000:,}원입니다.", ["F1"]),
        (f"상위 3곳의 비중은 {TOP3 / TOTAL * 100 + 7:.1f}%입니다.", ["F1"]),
        ("광주지점과 제주지점은 합쳐 3,905,100원 늘었습니다.", ["F4", "F6"]),
    ],
)
def test_what_does_not_come_out_goes(text: str, ids: list[str]) -> None:
    assert Statements(EVIDENCE).problem(text, ids)


def test_a_replaced_sentence_brings_in_nobody_who_was_not_asked_about() -> None:
    guard = EvidenceGuard(Statements(EVIDENCE))
    guard.feed("**지점별**\n- 5곳 중 4곳이 늘었습니다. [F1]\n\n**다음**\n- 목표를 다시 보세요. [G]")
    guard.finish()
    assert guard.text == "**다음**\n- 목표를 다시 보세요."


def test_a_replaced_sentence_may_name_whom_the_user_named() -> None:
    asked = Evidence(facts=facts(), told=("부산지점 어때?",), tables=(TABLE,))
    guard = EvidenceGuard(Statements(asked))
    guard.feed("5곳 중 4곳이 늘었습니다. [F1]")
    guard.finish()
    assert guard.text == "부산지점의 매출이 가장 많습니다."


PERIOD = Fact(id="F1", kind="figure", text="지점·월별 매출 (2025-12-01 ~ 2026-02-28): 매출 12,000,000원")


@pytest.mark.parametrize(("text", "holds"), [("석 달 매출입니다.", True), ("넉 달 매출입니다.", False)])
def test_a_period_of_whole_months_may_be_counted(text: str, holds: bool) -> None:
    assert (Statements(Evidence(facts=(PERIOD,))).problem(text, ["F1"]) is None) == holds


LISTED = "dinner ₩95,000 x 49, souvenir ₩40,000 x 45, KTX ₩119,600 x 12, room ₩180,000 x 12, fee ₩500,000"


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Total: ₩10,550,200 = 4,655,000 + 1,800,000 + 1,435,200 + 2,160,000 + 500,000.", True),
        ("The total is ₩10,550,200.", True),
        ("Dinner comes to ₩4,655,000.", True),
        ("The total is ₩10,550,300.", False),
        ("Dinner comes to ₩4,655,500.", False),
        ("Total: ₩10,550,200 = 4,655,000 + 1,800,000 + 1,435,200 + 2,160,000 + 400,000.", False),
    ],
)
def test_what_a_persons_own_lines_come_to(text: str, holds: bool) -> None:
    assert (Statements(Evidence(told=(LISTED,)), "en").problem(text, ["U"]) is None) == holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("모두 5곳입니다.", True),
        ("매출이 딱 40,100,900원인 곳은 1곳입니다.", True),
        ("매출이 똑같이 40,100,900원인 곳은 3곳입니다.", False),
    ],
)
def test_rows_are_counted_whole_and_by_an_exact_value(text: str, holds: bool) -> None:
    assert (Statements(EVIDENCE).problem(text, ["F1"]) is None) == holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [("영업일 하루당으로는 약 -7.6%입니다.", True), ("영업일 하루당으로는 약 -4.6%입니다.", False)],
)
def test_growth_by_working_days_follows_from_what_is_known_of_them(text: str, holds: bool) -> None:
    days = "2026-10-01 ~ 2026-10-31의 영업일(주말·공휴일 제외) 20일", "2025-10-01 ~ 2025-10-31의 영업일 18일"
    known = (Fact(id="F7", kind="figure", text=days[0]), Fact(id="F8", kind="figure", text=days[1]))
    growth = Fact(id="F9", kind="row", text="부산지점: 매출 증감률 +2.7%", subject="부산지점", table=HEADING)
    statements = Statements(Evidence(facts=(*known, growth), told=("영업일 차이 감안해서",)))
    assert (statements.problem(text, ["F9"]) is None) == holds
