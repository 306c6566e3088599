"""Areas, rates, numbers, normalising, particles that are written, and spans that are blanked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.text.areas import Area, find_areas
from madang.text.normalise import closest, fold, jamo_distance, normalise, to_jamo
from madang.text.numbers import find_numbers, parse_number
from madang.text.parsed import blanked
from madang.text.particles import with_object, with_subject, with_topic
from madang.text.rates import Rate, find_rates


def test_areas_know_their_basis() -> None:
    found = [item.value for item in find_areas("전용 84㎡, 33평형, 84타입, 국평, 20평대")]
    assert [area.basis for area in found] == ["exclusive", "supply", "exclusive", "exclusive", None]
    assert found[-1] == Area(66.12, None, None, 99.17, 20.0)


@pytest.mark.parametrize("text", ["평생", "불평", "평균 시세", "태평양", "평당 3천만원"])
def test_words_with_pyeong_in_them_are_not_areas(text: str) -> None:
    assert find_areas(text) == []


def test_rates_in_their_units() -> None:
    found = [item.value for item in find_rates("연 4.2%, 0.4%p, 25bp, 3부 이자, 2할, 4~5%")]
    assert found == [
        Rate(4.2, "%", "year"),
        Rate(0.4, "%p"),
        Rate(0.25, "%p"),
        Rate(3.0, "%", "month"),
        Rate(20.0),
        Rate(4.0, "%", None, 5.0),
    ]


def test_rates_can_be_limits() -> None:
    found = [item.value.approx for item in find_rates("달성률 50% 미만, 5% 넘게, 최대 10%, 3% 정도, 4.2%")]
    assert found == ["under", "over", "under", "about", None]


@pytest.mark.parametrize("text", ["아이폰 15 프로", "프로 선수", "5부 인쇄", "전부"])
def test_words_with_pro_or_bu_in_them_are_not_rates(text: str) -> None:
    assert find_rates(text) == []


def test_particles_are_not_digits() -> None:
    assert [item.value for item in find_numbers("3억이 있어요")] == [300_000_000]
    assert find_numbers("이 집은 일이 많다") == []


@pytest.mark.parametrize("text", ["", "사과", "이십억조", "1,23", "백만송이", "--", "１０만개"])
def test_what_spells_no_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_normalising_mends_what_people_type() -> None:
    assert normalise("보즘금  안 돌려줘요ㅠㅠㅠ １００만원") == "보증금 안 돌려줘요 100만원"


@given(left=st.text(max_size=12), right=st.text(max_size=12))
def test_distance_is_symmetric_and_zero_only_for_equals(left: str, right: str) -> None:
    assert jamo_distance(left, right) == jamo_distance(right, left)
    assert (jamo_distance(left, right) == 0) == (to_jamo(left) == to_jamo(right))


@given(text=st.text(max_size=40))
def test_folding_covers_the_text_in_order(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert list(folded.starts) == sorted(folded.starts)
    assert all(start < end for start, end in zip(folded.starts, folded.ends, strict=True))


def test_the_closest_candidate_or_none() -> None:
    assert closest("강나구", ["강남구", "강북구"]) == "강남구"
    assert closest("사과", ["강남구", "강북구"]) is None
    assert closest("", ["강남구"]) is None


def test_particles_follow_the_last_letter() -> None:
    assert [with_object(word) for word in ("보고서", "신청문", "CSV")] == ["보고서를", "신청문을", "CSV를"]
    assert [with_subject(word) for word in ("매출", "횟수")] == ["매출이", "횟수가"]
    assert [with_topic(word) for word in ("'강릉지점'", "담당자")] == ["'강릉지점'은", "담당자는"]


def test_blanked_spans_leave_everything_else_in_its_place() -> None:
    text = "지난달 서울 매출"
    assert blanked(text, [(0, 3), (7, 9)]) == "    서울   "
    assert len(blanked(text, [(0, 3)])) == len(text)
