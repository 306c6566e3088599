"""Prices, listings, loans and risk: what is real says its date, what is not says so."""

import pytest

from madang.assistants.homes.tools.listings import ListingQuery, RealEstateSearchTool, sample_listings
from madang.assistants.homes.tools.loans import LoanDataTool, LoanSimulator, PolicyMatcher, load_products
from madang.assistants.homes.tools.market import MarketAnalysisTool, MarketDataTool, band_of
from madang.assistants.homes.tools.market_build import build_market
from madang.assistants.homes.tools.risk import JeonseRiskTool
from madang.errors import InvalidInput, InvalidState, NotFound, UnreadableData

MARKET = MarketDataTool()


def row(price: str, area: str = "84.9", day: str = "20240115", gu: str = "마포구") -> dict[str, str]:
    return {"Gu": gu, "Dong": "합정동", "Name": "가", "Date": day, "Price": price, "Area": area, "Floor": price[-1]}


def test_seoul_sales_are_real_figures_with_date_and_count() -> None:
    figure = MARKET.query("마포", area=84)[0]
    assert not figure["is_estimate"]
    assert figure["low"] <= figure["median"] <= figure["high"]
    assert figure["transaction_count"]
    assert figure["as_of"] == "2024-02-29"


@pytest.mark.parametrize("args", [("마포구", "전세"), ("수원", "매매"), ("부산 해운대", "월세")])
def test_everything_else_is_an_estimate_that_says_so(args: tuple[str, str]) -> None:
    for figure in MARKET.query(args[0], args[1]):  # type: ignore[arg-type]
        assert figure["is_estimate"]
        assert figure["transaction_count"] is None
        assert str(figure["basis"]).startswith("추정")
        assert figure["low"] <= figure["median"] <= figure["high"]


def test_a_lease_is_cheaper_than_a_sale_and_a_villa_than_a_flat() -> None:
    sale, jeonse = MARKET.query("송파구", area=84)[0], MARKET.query("송파구", "전세", area=84)[0]
    assert jeonse["median"] < sale["median"]
    assert MARKET.query("송파구", area=84, property_kind="빌라")[0]["median"] < sale["median"]
    assert MARKET.query("송파구", "월세", area=84)[0]["monthly_rent"]


def test_unknown_places_deals_and_kinds_are_refused() -> None:
    with pytest.raises(NotFound):
        MARKET.query("아틀란티스")
    with pytest.raises(InvalidInput):
        MARKET.query("마포구", "교환")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        MARKET.query("마포구", property_kind="우주선")
    with pytest.raises(InvalidInput):
        band_of(2)


def test_a_comparison_can_be_drawn() -> None:
    result = MarketAnalysisTool().compare(["강서구", "양천구", "강남구"])
    chart = result.chart
    assert chart["labels"][0] == "강남구"
    assert all(len(series["values"]) == len(chart["labels"]) for series in chart["series"])
    assert min(result.gaps.values()) == 0
    assert "2024-02-29" in chart["note"]


def test_a_trend_only_where_there_are_months() -> None:
    trend = MarketAnalysisTool().trend("송파")
    assert trend.months == ("2024-01", "2024-02")
    first, last = trend.median_per_sqm
    assert trend.change_percent == round((last / first - 1) * 100, 1)
    with pytest.raises(NotFound):
        MarketAnalysisTool().trend("수원")


def test_the_market_is_computed_from_transactions_without_doubles() -> None:
    rows = [row("100000"), row("100000"), row("110001"), row("120002"), row("50003", area="59")]
    market = build_market(rows)
    assert market["districts"] == {
        "마포구": {"standard": {"low": 1_020_000_000, "median": 1_100_000_000, "high": 1_180_000_000, "count": 3}}
    }
    with pytest.raises(UnreadableData, match="line 2"):
        build_market([row("비싸요")])


def test_listings_are_samples_and_say_so() -> None:
    listings = sample_listings()
    assert len(listings) == 204
    assert all(listing.sample for listing in listings)


def test_listings_are_searched_by_what_is_wanted() -> None:
    tool = RealEstateSearchTool()
    wanted = ListingQuery(regions=["송파"], deal="전세", max_amount=900_000_000)
    found = tool.search(wanted, 50)
    assert found
    assert all(item.district == "송파구" and item.deal == "전세" and item.deposit <= 900_000_000 for item in found)
    assert [item.amount for item in found] == sorted(item.amount for item in found)
    assert tool.search(ListingQuery(max_station_minutes=5, min_area=60))[0].station_minutes <= 5
    with pytest.raises(InvalidInput):
        tool.search(ListingQuery(min_amount=2, max_amount=1))


def test_what_is_unknown_of_a_person_is_asked_not_assumed() -> None:
    matches = {match.product.id: match for match in PolicyMatcher().match({"homes": 0, "annual_income": 40_000_000})}
    youth = matches["beotimmok_youth"]
    assert youth.status == "unknown"
    assert "age" in youth.unknown
    assert len(youth.questions) == len(youth.unknown)
    assert all(match.status != "eligible" for match in matches.values())


def test_eligibility_follows_the_conditions() -> None:
    profile = {
        "age": 30,
        "homes": 0,
        "annual_income": 45_000_000,
        "net_assets": 100_000_000,
        "deposit": 200_000_000,
        "area": 59,
    }
    matches = {match.product.id: match for match in PolicyMatcher().match(profile, kinds=["jeonse"])}
    assert matches["beotimmok_youth"].status == "eligible"
    assert matches["beotimmok_newlywed"].status == "unknown"
    older = {match.product.id: match for match in PolicyMatcher().match({**profile, "age": 40}, kinds=["jeonse"])}
    assert older["beotimmok_youth"].failed == ("만 34세 이하",)
    with pytest.raises(InvalidState):
        PolicyMatcher().match({"age": "서른"})


def test_products_are_dated_and_found_by_name() -> None:
    products = load_products()
    assert len(products) >= 15
    assert all(product.as_of and product.source and product.conditions for product in products)
    assert LoanDataTool().search("디딤돌 대출")[0].name.endswith("디딤돌대출")
    assert {product.kind for product in LoanDataTool().search(kinds=["monthly"])} == {"monthly"}


def test_a_simulation_compares_three_ways() -> None:
    result = LoanSimulator().simulate(200_000_000, "0.04", 20)
    assert set(result["plans"]) == {"annuity", "equal_principal", "interest_only"}
    assert len(result["chart"]["series"][0]["values"]) == 3


def test_risk_follows_burden_and_signs_and_says_when_the_price_is_an_estimate() -> None:
    tool = JeonseRiskTool()
    safe = tool.analyse(200_000_000, price=500_000_000)
    heavy = tool.analyse(200_000_000, price=500_000_000, senior_debt=280_000_000)
    trust = tool.analyse(200_000_000, price=500_000_000, signs=("trust",))
    assert (safe["level"], heavy["level"], trust["level"]) == ("safe", "critical", "critical")
    assert (safe["score"] or 0) < (heavy["score"] or 0)
    assert any("신탁원부" in line for line in trust["advice"])
    guessed = tool.analyse(300_000_000, region="마포구", area=84)
    assert guessed["price_estimated"]
    assert any("2024-02-29 기준" in factor for factor in guessed["factors"])
    assert len(guessed["calculations"]) == 2
    with pytest.raises(InvalidState):
        tool.analyse(300_000_000)
    with pytest.raises(InvalidState, match="ghost"):
        tool.analyse(300_000_000, price=1_000_000_000, signs=("ghost",))
