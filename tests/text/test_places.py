import pytest

from madang.text.gazetteer import Gazetteer
from madang.text.places import all_regions, find_regions

CITIES = Gazetteer(
    {
        "오사카": "KIX",
        "후쿠오카": "FUK",
        "제주": "CJU",
        "제주도": "CJU",
        "바르셀로나": "BCN",
        "쿠알라룸푸르": "KUL",
        "다낭": "DAD",
        "New York": "NYC",
    }
)


def _names(text: str) -> list[str]:
    return [found.value.name for found in find_regions(text)]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("오사카로 가요", ["KIX"]),
        ("제주도에서 다낭까지", ["CJU", "DAD"]),
        ("쿠알라 룸푸르 여행", ["KUL"]),
        ("오사카여행", ["KIX"]),
        ("오사카후쿠오카", ["KIX", "FUK"]),
        ("new york 갈래", ["NYC"]),
        ("바르셀로냐 갈래요", ["BCN"]),
        ("후쿠오까는?", ["FUK"]),
        ("아무데나", []),
    ],
)
def test_a_gazetteer_forgives_particles_spacing_and_typos(text: str, codes: list[str]) -> None:
    assert [found.value for found in CITIES.find(text)] == codes


def test_a_typo_is_less_sure_and_can_be_refused() -> None:
    [exact], [typo] = CITIES.find("오사카"), CITIES.find("오사까")
    assert typo.confidence < exact.confidence
    assert CITIES.find("오사까", typos=False) == []


def test_a_name_inside_another_word_is_not_found() -> None:
    assert CITIES.find("아다낭고 슈퍼제주맛") == []


def test_a_district_of_several_cities_keeps_its_readings_until_the_city_is_named() -> None:
    [unsure] = find_regions("중구 전세")
    assert len({reading.sido for reading in unsure.readings}) > 3
    [_, sure] = find_regions("부산 중구 전세")
    assert sure.value.sido == "부산광역시"
    assert sure.readings == ()


def test_everyday_words_are_places_only_where_places_are_meant() -> None:
    assert _names("동작이 느려요") == []
    assert _names("동작 전세") == ["동작구"]
    assert _names("이천만원") == []
    assert _names("이천 아파트") == ["이천시"]


def test_a_station_knows_its_district() -> None:
    [found] = find_regions("강남역 근처")
    assert (found.value.kind, found.value.sigungu, found.value.sido) == ("station", "강남구", "서울특별시")


def test_all_districts_of_seoul_are_known_by_name_and_alias() -> None:
    seoul = [region.name for region in all_regions() if region.kind == "sigungu" and region.sido == "서울특별시"]
    assert len(seoul) == 25
    for name in seoul:
        assert name in _names(f"서울 {name} 전세")
        if name != "중구":
            assert name in _names(f"서울 {name[:-1]} 전세")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("익산 전세", "익산시"),
        ("경산 원룸", "경산시"),
        ("김천 보증금 5천", "김천시"),
        ("충주에서 전세", "충주시"),
        ("고창 빌라", "고창군"),
    ],
)
def test_a_smaller_city_by_its_short_name_is_not_taken_for_another(text: str, name: str) -> None:
    assert [item.value.sigungu for item in find_regions(text)] == [name]


@pytest.mark.parametrize("text", ["보증금 이천에 월세 오십", "보증금 사천에 월 40", "이천에 구십 사는데"])
def test_a_sum_that_sounds_like_a_city_is_no_place(text: str) -> None:
    assert find_regions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "광고 회사",
        "동산 등기",
        "분단 국가",
        "교통이 편해요",
        "부상을 입어서",
        "구매하려고",
        "안사요",
        "대전제로",
        "정주 여건",
    ],
)
def test_a_word_of_the_dictionary_is_no_misspelt_place(text: str) -> None:
    assert find_regions(text) == []


def test_a_name_is_never_made_into_another() -> None:
    names = Gazetteer({"교토": 1, "삿포로": 2, "다낭": 3})
    assert names.find("교통편") == []
    assert names.find("정주에서") == []
    near = Gazetteer({"강남구": 1, "강난구": 2})
    assert near.find("강나구") == [], "between two names as near nothing is chosen"


def test_what_was_typed_stays_beside_what_was_understood() -> None:
    [typo] = find_regions("관약구 월세")
    assert (typo.text, typo.value.name) == ("관약구", "관악구")
    assert typo.confidence < 0.8


def test_an_ordinary_noun_that_begins_like_a_place_is_no_place() -> None:
    assert find_regions("고양이 키우는데 나가래요") == []
    assert [item.text for item in find_regions("고양에 사는 고양이")] == ["고양"]
