"""The composer's guard: what has a source stays, what has none goes with its sentence."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.llm import ClaimGuard, check_claims, sources_of
from madang.text.laws import LawRef


@pytest.mark.parametrize(
    "said", ["2,000만원", "20,000,000원", "2천만 원", "2천만원", "이천만 원", "20000000원", "0.2억 원"]
)
@pytest.mark.parametrize(
    "known", [20_000_000, "20,000,000원", "보증금 2천만 원", {"deposit": [{"won": 20_000_000}]}, 2e7]
)
def test_one_amount_in_any_form(said: str, known: object) -> None:
    text = f"보증금은 {said}입니다."
    assert check_claims(text, known).text == text
    assert check_claims(text, 21_000_000).flagged[0].kind == "figure"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("인상률은 5%입니다.", 0.05),
        ("인상률은 5퍼센트입니다.", 5),
        ("전세가율은 약 72.3%입니다.", 0.7234),
        ("월세는 약 123만 원입니다.", 1_234_567),
        ("매매가는 12억 정도입니다.", 1_190_000_000),
        ("매매가는 2.3억 원입니다.", 231_000_000),
        ("계약은 2년입니다.", "24개월"),
        ("계약은 두 달 뒤 끝납니다.", "2개월"),
        ("금리는 3~5%입니다.", [3, 5]),
        ("시세는 1~2억 원입니다.", ["1억", 200_000_000]),
        ("4억 3천만 원입니다.", 430_000_000),
        ("4억 3천입니다.", 430_000_000),
        ("2026년 3월 1일에 끝납니다.", date(2026, 3, 1)),
        ("3월 1일에 끝납니다.", "2026-03-01"),
        ("2025년 기준입니다.", {"year": 2025}),
        ("84㎡입니다.", {"area": "84.0제곱미터"}),
        ("상담은 1588-1234입니다.", "대표번호 1588-1234"),
        ("방법은 3가지이고 2단계로 합니다.\n1. 첫째\n2. 둘째", None),
        ("집주인에게 먼저 알리세요.", None),
        ("1주택자라면 2분기에 102동 1203호를 보세요.", None),
        ("A4 용지에 제1항부터 적고 1:1로 상담하세요.", None),
        ("오후 3시 30분에 출발합니다.", "15:00 출발, 3시 30분 집합"),
        ("3박 4일에 1인당 45만 원입니다.", ["3박", 450_000]),
        ("7월 10일~13일과 10월 3~5일입니다.", ["2026-07-10", "2026-07-13", "10월 3일", "10월 5일"]),
        ("1인 가구에 맞습니다.", None),
        ("500mg 2정입니다.", ["500mg", "2정"]),
        ("총 2명이며 3박입니다.", {"people": "2명", "nights": 3}),
    ],
)
def test_what_has_a_source_stays(text: str, known: object) -> None:
    checked = check_claims(text, known)
    assert checked.flagged == ()
    assert checked.text == text


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("인상률은 7%입니다.", [5, 0.05]),
        ("전세가율은 72.3%입니다.", 0.7334),
        ("월세는 약 130만 원입니다.", 1_234_567),
        ("월세는 123만 원입니다.", 1_234_567),
        ("보증금은 2천만 원입니다.", "2천만 달러"),
        ("계약은 3년입니다.", "24개월"),
        ("2026년 4월 1일에 끝납니다.", date(2026, 3, 1)),
        ("모두 세 명입니다.", "2명"),
        ("상담은 1577-1234입니다.", "대표번호 1588-1234"),
        ("총 123456입니다.", None),
        ("오후 3시에 출발합니다.", "4시"),
        ("모두 2명이에요.", "3명"),
        ("7월 10~14일입니다.", ["2026-07-10", "2026-07-13"]),
        ("250mg입니다.", "500mg"),
        ("30일짜리 비자입니다.", "90일"),
    ],
)
def test_what_has_no_source_goes(text: str, known: object) -> None:
    checked = check_claims(text, known)
    assert checked.text == ""
    assert len(checked.flagged) == 1


ALLOWED = ["주택임대차보호법 제7조", "주택임대차보호법 시행령 제9조", "민법 제623조 제1항", "대법원 2020다12345"]


@pytest.mark.parametrize(
    "text",
    [
        "주택임대차보호법 제7조에 따릅니다.",
        "주임법 7조 2항에 따릅니다.",
        "「주택임대차보호법」 제7조 제1항에 따릅니다.",
        "주택임대차보호법에 따릅니다.",
        "주택임대차보호법 제7조와 같은 법 시행령 제9조를 보세요.",
        "민법 제623조 제1항이 근거입니다.",
        "제7조를 보세요.",
        "대법원 2020다12345 판결이 있습니다.",
        "주택임대차보호법에서 정합니다. 같은 법 제7조를 보세요.",
    ],
)
def test_allowed_citations_stay(text: str) -> None:
    assert check_claims(text, None, ALLOWED).text == text


@pytest.mark.parametrize(
    "text",
    [
        "주택임대차보호법 제8조에 따릅니다.",
        "주택임대차보호법 제7조의2에 따릅니다.",
        "민법 제7조에 따릅니다.",
        "민법 제623조 제2항에 따릅니다.",
        "도로교통법 제7조에 따릅니다.",
        "상가건물 임대차보호법에 따릅니다.",
        "「없는 것에 관한 법률」에 따릅니다.",
        "주택임대차보호법 시행령 제7조에 따릅니다.",
        "대법원 2021다12345 판결이 있습니다.",
        "제99조를 보세요.",
    ],
)
def test_invented_citations_go(text: str) -> None:
    checked = check_claims(text, None, ALLOWED)
    assert checked.text == ""
    assert checked.flagged[0].kind == "citation"


def test_same_law_means_the_one_before_also_across_sentences() -> None:
    checked = check_claims("민법 제623조 제1항을 보세요. 같은 법 제7조도 그렇습니다.", None, ALLOWED)
    assert checked.text == "민법 제623조 제1항을 보세요."
    assert checked.flagged[0].text == "제7조"


def test_resolved_references_are_accepted() -> None:
    reference = LawRef("주택임대차보호법", "법률", "제3조의3")
    assert check_claims("주택임대차보호법 제3조의3을 보세요.", None, [reference]).ok


def test_only_the_sentence_with_the_unsourced_claim_is_dropped() -> None:
    text = (
        "## 결과\n\n- 보증금은 1억 원입니다. 인상 한도는 9%입니다.\n- 월세는 77만 원입니다.\n\n자세한 것은 5%를 보세요."
    )
    checked = check_claims(text, [100_000_000, 5])
    assert checked.text == "## 결과\n\n- 보증금은 1억 원입니다.\n\n자세한 것은 5%를 보세요."
    assert [claim.text for claim in checked.flagged] == ["9%", "77만 원"]
    assert [claim.text for claim in checked.sourced] == ["1억 원", "5%"]
    assert "인상 한도" in checked.flagged[0].sentence


amounts = st.integers(1, 99_999).map(lambda tens_of_thousands: tens_of_thousands * 10_000)


def written(won: int) -> list[str]:
    eok, man = divmod(won // 10_000, 10_000)
    spoken = " ".join(part for part in (f"{eok}억" if eok else "", f"{man:,}만" if man else "") if part)
    return [f"{won:,}원", f"{won}원", f"{won // 10_000:,}만 원", f"{spoken} 원", f"{spoken.replace(' ', '')}원"]


@given(amounts, amounts, st.integers(0, 4), st.integers(0, 4))
def test_an_amount_matches_itself_and_no_other(won: int, other: int, form: int, source_form: int) -> None:
    text = f"금액은 {written(won)[form]}입니다."
    assert check_claims(text, written(won)[source_form]).ok
    assert check_claims(text, won).ok
    assert check_claims(text, other).ok is (won == other)


@given(st.lists(st.integers(1, 12), max_size=40))
def test_a_streamed_answer_is_checked_alike_however_it_is_cut(cuts: list[int]) -> None:
    text = "보증금은 1억 원입니다. 한도는 9%입니다! 주택임대차보호법 제7조를 보세요.\n- 끝이 2.5억입니다."
    guard = ClaimGuard(sources_of([100_000_000, "2.5억"], ["주택임대차보호법 제7조"]))
    shown, rest = "", text
    for cut in cuts:
        shown += guard.feed(rest[:cut])
        rest = rest[cut:]
    shown += guard.feed(rest) + guard.finish()
    assert shown == text.replace(" 한도는 9%입니다!", "")
    assert [claim.text for claim in guard.flagged] == ["9%"]


@given(st.text(max_size=200))
def test_any_text_can_be_checked(text: str) -> None:
    checked = check_claims(text, text, [text])
    assert len(checked.text) <= len(text)
