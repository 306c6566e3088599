"""What live data are made of: what is kept and for how long, the figures, and a service that is slow or gone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.assistants.homes.services import HomesServices, services
from madang.assistants.homes.tools.market import SIZE_BANDS, MarketAnalysisTool, MarketDataTool, PriceQuestion, band_of
from madang.assistants.homes.tools.market_build import build_market
from madang.assistants.homes.tools.providers import LandMinistryApi, Transaction
from madang.assistants.homes.tools.providers.cache import LiveCache
from madang.assistants.homes.tools.providers.configured import configured
from madang.assistants.homes.tools.providers.live_prices import LivePrices, months_before
from madang.assistants.homes.tools.providers.transactions import Home, Kind
from madang.errors import AccessDenied, MadangError, QuotaExceeded
from madang.graph import Deployment

TODAY = date(2026, 11, 16)
HOUR, DAY = 3600.0, 24 * 3600.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Ministry(LandMinistryApi):
    """Transactions as a test gives them; it keeps what was asked, and fails or hangs if told to."""

    def __init__(self, *deals: Transaction, kind: Kind = "sale") -> None:
        self.deals, self.kind = deals, kind
        self.asked: list[tuple[str, str, Kind, Home]] = []
        self.error: MadangError | None = None
        self.hangs = False

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        yield

    async def transactions(
        self, code: str, month: str, kind: Kind = "sale", home: Home = "apartment"
    ) -> list[Transaction]:
        self.asked.append((code, month, kind, home))
        if self.hangs:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error
        return [deal for deal in self.deals if deal.day.strftime("%Y%m") == month and kind == self.kind]


def sold(price: int, day: date, area: float = 84.9, **more: Any) -> Transaction:
    return Transaction(
        name="한빛", neighbourhood="공덕동", area=area, floor=3, built=2000, day=day, price=price * 10_000, **more
    )


def question(*regions: str, area: float | None = 84.0) -> PriceQuestion:
    return PriceQuestion(regions or ("마포구",), ("매매",), "아파트", area)


prices = st.integers(30_000, 400_000)
days = st.dates(date(2026, 8, 1), date(2026, 11, 16))


@given(st.lists(st.tuples(prices, days, st.sampled_from([33.0, 59.9, 84.9, 120.0, 170.0])), max_size=30))
def test_live_figures_are_those_of_the_embedded_data_from_the_same_deals(deals: list[tuple[int, date, float]]) -> None:
    live = LivePrices(Ministry(*(sold(price, day, area) for price, day, area in deals)), LiveCache())
    asyncio.run(live.refresh(question(area=None), TODAY))
    rows = [
        {"Gu": "마포구", "Name": str(n), "Date": f"{day:%Y%m%d}", "Price": str(price), "Area": str(area)}
        for n, (price, day, area) in enumerate(deals)
    ]
    expected = build_market(rows)["districts"].get("마포구", {}) if rows else {}
    for band in SIZE_BANDS:
        found = live.figure("서울특별시", "마포구", "매매", "아파트", band)
        figures = found and {name: getattr(found, name) for name in ("low", "median", "high", "count")}
        assert figures == expected.get(band.key)


async def test_few_recent_deals_widen_the_time_to_a_year() -> None:
    ministry = Ministry(*(sold(100_000 + n, date(2026, 2, 1 + n)) for n in range(3)))
    live = LivePrices(ministry, LiveCache())
    assert await live.refresh(question(), TODAY) == []
    assert [month for _, month, _, _ in ministry.asked] == months_before("202611", 12)
    found = live.figure("서울특별시", "마포구", "매매", "아파트", band_of(84))
    assert found is not None
    assert (found.count, found.since, found.as_of) == (3, "2026-02-01", "2026-02-03")


async def test_monthly_rents_have_a_deposit_and_a_rent() -> None:
    leases = [
        sold(0, date(2026, 10, 1 + n), deposit=50_000_000 + n * 1_000_000, monthly_rent=rent * 10_000)
        for n, rent in enumerate((90, 100, 130))
    ]
    live = LivePrices(Ministry(*leases, kind="lease"), LiveCache())
    await live.refresh(PriceQuestion(("마포구",), ("월세",), "아파트", 84.0), TODAY)
    [figure] = MarketDataTool(live=live).query("마포구", "월세", area=84)
    assert (figure["median"], figure["monthly_rent"], figure["transaction_count"]) == (51_000_000, 1_000_000, 3)
    assert not figure["is_estimate"]


async def test_other_homes_are_estimated_from_what_apartments_sold_for() -> None:
    live = LivePrices(Ministry(*(sold(100_000, date(2026, 11, n)) for n in (1, 2, 3))), LiveCache())
    await live.refresh(PriceQuestion(("마포구",), ("매매",), "다가구", 84.0), TODAY)
    [figure] = MarketDataTool(live=live).query("마포구", "매매", area=84, property_kind="다가구")
    assert (figure["is_estimate"], figure["as_of"], figure["median"]) == (True, "2026-11-03", 500_000_000)


async def test_the_trend_is_that_of_the_months_that_were_fetched() -> None:
    deals = [sold(price, date(2026, month, n)) for month, price in ((9, 84_900), (10, 93_390)) for n in (1, 2, 3)]
    live = LivePrices(Ministry(*deals), LiveCache())
    await live.refresh(question(), TODAY)
    trend = MarketAnalysisTool(MarketDataTool(live=live)).trend("마포구")
    assert (trend.months, trend.change_percent) == (("2026-09", "2026-10"), 10.0)
    assert "2024" in MarketAnalysisTool(MarketDataTool(live=live)).trend("송파구").as_of


async def test_a_service_that_hangs_is_not_waited_for_beyond_the_budget() -> None:
    ministry = Ministry()
    ministry.hangs = True
    live = LivePrices(ministry, LiveCache(), budget=0.01)
    [told] = await live.refresh(question(), TODAY)
    assert "0.01초 안에" in told
    asked = len(ministry.asked)
    assert await live.refresh(question("송파구"), TODAY) == [told]
    assert len(ministry.asked) == asked


async def test_months_that_arrived_before_a_failure_count() -> None:
    ministry = Ministry(*(sold(100_000 + n, date(2026, 11, 1 + n)) for n in range(4)))
    cache, clock = LiveCache(), Clock()
    live = LivePrices(ministry, cache, clock=clock)
    await live.refresh(question(), TODAY)
    version = live.version
    ministry.error = QuotaExceeded("하루 한도를 넘었습니다")
    [told] = await live.refresh(question("마포구", "송파구"), TODAY)
    assert "한도" in told
    assert live.figure("서울특별시", "마포구", "매매", "아파트", band_of(84)) is not None
    assert live.version != version
    ministry.error = None
    clock.now += HOUR
    assert live.version == version
    assert await live.refresh(question("마포구", "송파구"), TODAY) == []


async def test_a_service_that_is_not_approved_does_not_stop_the_others() -> None:
    ministry = Ministry(*(sold(100_000, date(2026, 11, n)) for n in (1, 2, 3)))
    live = LivePrices(ministry, LiveCache())
    ministry.error = AccessDenied("인증키를 거절했습니다")
    [told] = await live.refresh(PriceQuestion(("마포구",), ("매매",), "오피스텔", 84.0), TODAY)
    assert "오피스텔 매매" in told
    assert "거절" in told
    ministry.error = None
    assert await live.refresh(question(), TODAY) == []
    assert live.figure("서울특별시", "마포구", "매매", "아파트", band_of(84)) is not None


async def test_recent_months_are_asked_for_again_sooner_than_old_ones(tmp_path: Path) -> None:
    ministry, clock = Ministry(*(sold(100_000, date(2026, 11, n)) for n in (1, 2, 3))), Clock()
    live = LivePrices(ministry, LiveCache(tmp_path, clock=clock), clock=clock)
    await live.refresh(question(), TODAY)
    version = live.version
    ministry.asked.clear()
    clock.now += DAY
    assert live.version != version
    await live.refresh(question(), TODAY)
    assert sorted(month for _, month, _, _ in ministry.asked) == ["202610", "202611"]
    assert live.version == version


async def test_only_so_many_regions_are_fetched_at_once() -> None:
    ministry = Ministry()
    regions = ["강남구", "서초구", "송파구", "강동구", "마포구", "용산구", "성동구"]
    told = await LivePrices(ministry, LiveCache()).refresh(question(*regions), TODAY)
    assert ["성동구" in line for line in told] == [True]
    assert len({code for code, _, _, _ in ministry.asked}) == 6


def test_what_is_kept_expires_and_is_bounded(tmp_path: Path) -> None:
    clock = Clock()
    cache = LiveCache(tmp_path, most=3, clock=clock)
    for number in range(5):
        cache.put(f"law-{number}", {"n": number}, 100 + number)
    assert cache.keys("law-") == ["law-2", "law-3", "law-4"]
    assert len(list(tmp_path.iterdir())) == 3
    other = LiveCache(tmp_path, clock=clock)
    assert other.get("law-4") == {"n": 4}
    assert other.version("law-") == cache.version("law-")
    clock.now += 103
    assert cache.keys("law-") == ["law-4"]
    assert cache.get("law-3") is None
    assert other.version("law-") == cache.version("law-") != ""


def test_the_same_content_has_the_same_version_whenever_it_came(tmp_path: Path) -> None:
    clock = Clock()
    cache = LiveCache(tmp_path, clock=clock)
    cache.put("loans-jeonse", [1], 10)
    version = cache.version("loans-")
    clock.now += 20
    assert cache.version("loans-") == ""
    cache.put("loans-jeonse", [1], 10)
    assert cache.version("loans-") == version
    cache.put("loans-jeonse", [2], 10)
    assert cache.version("loans-") != version
    assert len(list(tmp_path.iterdir())) == 1


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path) -> None:
    LiveCache(tmp_path).put("loans-jeonse", [1], 100)
    [file] = tmp_path.iterdir()
    file.write_text("{")
    assert LiveCache(tmp_path).get("loans-jeonse") is None


def test_services_are_off_without_a_key_and_versions_tell(tmp_path: Path) -> None:
    assert configured({"MADANG_LAND_API_URL": "http://x", "MADANG_LAW_API_KEY": "  "}) == {}
    off = services(Deployment(data_dir=tmp_path))
    assert (off.live_prices, off.live_loans, off.live_law) == (None, None, None)
    environ = {"MADANG_LAND_API_KEY": "k1", "MADANG_LOAN_API_KEY": "k2", "MADANG_LAW_API_KEY": "k3"}
    on = services(Deployment(data_dir=tmp_path, environ=environ))
    assert isinstance(on, HomesServices)
    changed = {name for name, version in on.data_versions.items() if version != off.data_versions[name]}
    assert changed == {"market", "loans", "statutes"}
    assert "k1" not in repr(on)


@pytest.mark.parametrize(("newest", "count", "months"), [("202602", 3, ["202602", "202601", "202512"])])
def test_months_go_back_over_the_year(newest: str, count: int, months: list[str]) -> None:
    assert months_before(newest, count) == months


def test_keys_in_an_env_file_reach_the_services_and_are_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from madang.bootstrap import deployment
    from madang.settings import Settings

    monkeypatch.chdir(tmp_path)
    url = "http://user:hidden@localhost/api"
    (tmp_path / ".env").write_text(f"MADANG_LAW_API_KEY=oc-4711\nMADANG_LAW_API_URL={url}\n")
    made = Settings()
    on = services(deployment(made))
    assert on.providers["law"].key == "oc-4711"
    assert on.providers["law"].base_url == url
    assert on.law_centre is not None
    assert "oc-4711" not in f"{made.effective()} {made.land_api_key!r} {made.law_api_key!r} {on!r}"
    assert made.effective()["MADANG_LAW_API_KEY"] == "(set)"
    assert made.effective()["MADANG_LAW_API_URL"] == "http://user:***@localhost/api"
