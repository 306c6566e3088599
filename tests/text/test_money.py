import pytest

from madang.text.money import Context, Money, find_money


def _only(text: str, context: Context | None = None) -> Money:
    [found] = find_money(text, context)
    return found.value


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("4억 3천", 430_000_000),
        ("1억2,500만원", 125_000_000),
        ("4.5억", 450_000_000),
        ("2억 8천 5백", 285_000_000),
        ("3억5", 350_000_000),
        ("만오천원", 15_000),
        ("3,000,000원", 3_000_000),
    ],
)
def test_amounts_with_a_unit_need_no_context(text: str, won: int) -> None:
    assert _only(text).won == won


@pytest.mark.parametrize(
    ("text", "won"),
    [("5 mil deposit", 5_000_000), ("it is 450k a month", 450_000), ("my budget is 2 million", 2_000_000)],
)
def test_english_amounts_are_won_where_their_use_is_named(text: str, won: int) -> None:
    assert [item.value.won for item in find_money(text)] == [won]
    assert find_money("I ran 10k and walked 2 million steps") == []


def test_a_bare_number_is_money_only_in_a_context_and_with_a_cue() -> None:
    assert find_money("예산 200") == []
    assert _only("예산 200", "travel").won == 2_000_000
    assert find_money("방 200호", "travel") == []
    assert find_money("성인 3 유아 1", "travel") == []


def test_an_implied_unit_is_less_sure_than_a_named_one() -> None:
    [implied] = find_money("백오십", "travel")
    [named] = find_money("백오십만원", "travel")
    assert implied.value.won == named.value.won == 1_500_000
    assert implied.confidence < named.confidence


def test_a_bare_travel_budget_may_be_for_each() -> None:
    [found] = find_money("예산 200", "travel")
    assert [reading.per for reading in found.readings] == [None, "person"]


@pytest.mark.parametrize(
    "text", ["보증금 5천에 월 60", "5000에 60", "5000/60", "보증금오천에월육십", "보증금 5천만원 월세 60만원"]
)
def test_a_deposit_and_its_rent_are_two_amounts(text: str) -> None:
    deposit, rent = (found.value for found in find_money(text, "housing"))
    assert (deposit.won, deposit.role) == (50_000_000, "deposit")
    assert (rent.won, rent.role, rent.per) == (600_000, "rent", "month")


def test_a_date_with_a_slash_is_not_a_deposit() -> None:
    assert find_money("12/24 입주", "housing") == []


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("200~250만원", 2_000_000, 2_500_000),
        ("3억에서 4억 사이", 300_000_000, 400_000_000),
        ("2~3억", 200_000_000, 300_000_000),
        ("예산 300에서 400", 3_000_000, 4_000_000),
    ],
)
def test_a_range_has_both_ends(text: str, low: int, high: int) -> None:
    money = _only(text, "travel")
    assert (money.won, money.upper) == (low, high)


def test_another_currency_is_flagged_and_never_taken_for_won() -> None:
    dollars = _only("$1,200", "travel")
    assert (dollars.won, dollars.currency, dollars.amount) == (0, "USD", 1200)
    assert _only("5만엔").amount == 50_000
    assert _only("달러 말고 원으로 200", "travel") == Money(2_000_000)


@pytest.mark.parametrize(
    ("text", "approx"),
    [
        ("이백 좀 안 되게", "under"),
        ("300 넘으면 안돼요", "under"),
        ("백 좀 넘게", "over"),
        ("한 120쯤", "about"),
        ("최대 250", "under"),
    ],
)
def test_limits_and_rough_figures(text: str, approx: str) -> None:
    assert _only(text, "travel").approx == approx


@pytest.mark.parametrize(
    "text", ["10만 명", "3만 개", "100만 회", "10조 1항", "백화점", "이만 갈게요", "천안 여행", "84타입"]
)
@pytest.mark.parametrize("context", ["housing", "travel", "sales", None])
def test_counts_articles_and_words_are_not_money(text: str, context: Context | None) -> None:
    assert find_money(text, context) == []


def test_a_figure_belongs_to_the_word_nearest_before_it() -> None:
    roles = [found.value.role for found in find_money("집값 10억 대출 4억 연봉 8천", "housing")]
    assert roles == ["price", "loan", "income"]


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("두당 90", "person"),
        ("1박 10만원", "night"),
        ("1박2일 20만원", None),
        ("11인 300만원", None),
        ("다 합쳐서 300만원", "total"),
        ("내년 2월에 300만원", None),
    ],
)
def test_per_what_an_amount_is(text: str, per: str | None) -> None:
    assert _only(text, "travel").per == per
