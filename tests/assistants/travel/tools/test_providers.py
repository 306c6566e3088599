"""Live providers against a local server that speaks their format."""

import json
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.trip import Party, Trip
from madang.assistants.travel.tools.providers.flight_offers import LiveFlights
from madang.assistants.travel.tools.providers.hotel_offers import LiveHotels
from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi, SelfServiceKeys
from madang.errors import ConfigurationError, InvalidInput, QuotaExceeded, ServiceUnavailable

DAY = date(2026, 4, 17)
FLIGHT = Trip(("오사카",), DAY, 3, Party(2, 1))
STAY = Trip(("오사카",), DAY, 3, Party(2))


def segment(origin: str, goal: str, departs: str, arrives: str) -> dict[str, Any]:
    return {
        "departure": {"iataCode": origin, "at": departs},
        "arrival": {"iataCode": goal, "at": arrives},
        "carrierCode": "KE",
        "numberOfStops": 0,
    }


def offer(price: str, minutes: int, code: str = "KE") -> dict[str, Any]:
    there = segment("ICN", "KIX", "2026-04-17T09:40:00", "2026-04-17T11:25:00")
    back = segment("KIX", "ICN", "2026-04-20T17:20:00", "2026-04-20T19:10:00")
    return {
        "price": {"currency": "KRW", "grandTotal": price},
        "validatingAirlineCodes": [code],
        "itineraries": [
            {"duration": f"PT{minutes // 60}H{minutes % 60}M", "segments": [there]},
            {"duration": "PT1H50M", "segments": [back]},
        ],
    }


OFFERS = {
    "data": [offer("900000.00", 105), offer("520000.00", 300, "7C"), offer("610000.00", 110, "TW")],
    "dictionaries": {"carriers": {"KE": "KOREAN AIR", "7C": "JEJU AIR"}},
}
HOTEL_LIST = {"data": [{"hotelId": f"H{at}", "name": f"HOTEL {at}"} for at in range(4)]}
HOTEL_OFFERS = {
    "data": [
        {
            "hotel": {"hotelId": f"H{at}", "name": f"HOTEL {at}", "latitude": 34.67, "longitude": 135.5},
            "available": at != 3,
            "offers": [{"price": {"currency": "JPY", "total": str(20_000 * (at + 1))}}],
        }
        for at in range(4)
    ]
}


class Api:
    """A scripted self-service API: `script` holds statuses to give before the usual answers."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, list[str]]]] = []
        self.script: list[int] = []
        self.bodies: dict[str, Any] = {
            "/v2/shopping/flight-offers": OFFERS,
            "/v1/reference-data/locations/hotels/by-geocode": HOTEL_LIST,
            "/v3/shopping/hotel-offers": HOTEL_OFFERS,
        }
        self.tokens = 0
        self.url = ""

    def answer(self, method: str, path: str, query: dict[str, list[str]], token: str | None) -> tuple[int, Any]:
        self.seen.append((method, path, query))
        if path.endswith("/token"):
            if query.get("client_secret") != ["secret"]:
                return 401, {"error": "invalid_client"}
            self.tokens += 1
            return 200, {"access_token": f"token-{self.tokens}", "expires_in": 1799}
        if self.script:
            return self.script.pop(0), {"errors": []}
        if token != f"Bearer token-{self.tokens}":
            return 401, {"errors": []}
        return 200, self.bodies[path]


@pytest.fixture
def api() -> Iterator[Api]:
    script = Api()

    class Handler(BaseHTTPRequestHandler):
        def reply(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            query = parse_qs(self.rfile.read(length).decode() if length else parts.query)
            status, body = script.answer(self.command, parts.path, query, self.headers.get("Authorization"))
            payload = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            if status == 429:
                self.send_header("Retry-After", "7")
            self.end_headers()
            self.wfile.write(payload)

        do_GET = do_POST = reply  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        script.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield script
        server.shutdown()
        thread.join()


class Waits:
    """A sleep that only remembers."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def connect(api: Api, client: httpx.AsyncClient, waits: Waits, secret: str = "secret") -> SelfServiceApi:
    return SelfServiceApi(SelfServiceKeys("id", secret, api.url), client, sleep=waits)


async def test_flights_come_in_three_tiers_with_local_times(api: Api) -> None:
    async with httpx.AsyncClient() as client:
        found = await LiveFlights(connect(api, client, Waits())).flights(FLIGHT)
    assert [(option["type"], option["price"], option["airline"]) for option in found] == [
        ("budget", 520_000, "JEJU AIR"),
        ("standard", 610_000, "TW"),
        ("premium", 900_000, "KOREAN AIR"),
    ]
    assert found[0]["outbound"]["depart_at"] == "2026-04-17T09:40+09:00"
    assert found[0]["outbound"]["duration_minutes"] == 300
    assert not found[0]["is_estimate"]
    query = api.seen[-1][2]
    assert query["originLocationCode"] == ["ICN"]
    assert query["destinationLocationCode"] == ["KIX"]
    assert query["returnDate"] == ["2026-04-20"]
    assert (query["adults"], query["children"]) == (["2"], ["1"])


async def test_hotels_are_looked_up_near_the_centre_and_priced_in_won(api: Api) -> None:
    async with httpx.AsyncClient() as client:
        found = await LiveHotels(connect(api, client, Waits())).hotels(STAY)
    assert [option["type"] for option in found] == ["budget", "standard", "premium"]
    assert [option["name"] for option in found] == ["HOTEL 0", "HOTEL 1", "HOTEL 1"]
    assert found[0]["total_price"] == 186_000
    assert api.seen[-1][2]["checkOutDate"] == ["2026-04-20"]
    assert api.seen[-1][2]["hotelIds"] == ["H0,H1,H2,H3"]


async def test_the_token_is_fetched_once_and_again_when_refused(api: Api) -> None:
    async with httpx.AsyncClient() as client:
        live = LiveFlights(connect(api, client, Waits()))
        await live.flights(FLIGHT)
        await live.flights(FLIGHT)
        assert api.tokens == 1
        api.script = [401]
        await live.flights(FLIGHT)
    assert api.tokens == 2


async def test_a_passing_failure_is_retried_after_a_wait(api: Api) -> None:
    waits = Waits()
    api.script = [503, 429]
    async with httpx.AsyncClient() as client:
        assert len(await LiveFlights(connect(api, client, waits)).flights(FLIGHT)) == 3
    assert waits.seconds == [0.5, 7.0]


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ([500] * 3, ServiceUnavailable),
        ([429] * 3, QuotaExceeded),
        ([400], InvalidInput),
        ([401, 401], ConfigurationError),
    ],
)
async def test_each_failure_has_its_name(api: Api, script: list[int], error: type[Exception]) -> None:
    api.script = script
    async with httpx.AsyncClient() as client:
        with pytest.raises(error):
            await LiveFlights(connect(api, client, Waits())).flights(FLIGHT)


@pytest.mark.parametrize("body", [b"<html>", [1], {"data": [{"price": {}}]}])
async def test_an_answer_in_another_form_is_no_flight(api: Api, body: Any) -> None:
    api.bodies["/v2/shopping/flight-offers"] = body
    async with httpx.AsyncClient() as client:
        with pytest.raises(ServiceUnavailable):
            await LiveFlights(connect(api, client, Waits())).flights(FLIGHT)


async def test_a_refused_key_and_a_dead_server_are_told_apart(api: Api) -> None:
    waits = Waits()
    async with httpx.AsyncClient() as client:
        with pytest.raises(ConfigurationError):
            await LiveFlights(connect(api, client, waits, secret="wrong")).flights(FLIGHT)
        dead = SelfServiceApi(SelfServiceKeys("id", "secret", "http://127.0.0.1:9"), client, sleep=waits)
        with pytest.raises(ServiceUnavailable):
            await LiveFlights(dead).flights(FLIGHT)
    assert waits.seconds == [0.5, 1.0]


async def test_nothing_flies_to_a_city_without_an_airport(api: Api) -> None:
    async with httpx.AsyncClient() as client:
        assert await LiveFlights(connect(api, client, Waits())).flights(Trip(("강릉",), DAY, 1, Party(1))) == []
    assert api.seen == []


def test_without_a_key_there_is_no_provider() -> None:
    for without in (TravelServices(), TravelServices({"MADANG_TRAVEL_API_ID": "id"})):
        assert without.flight_provider is None
        assert without.hotel_provider is None
        assert without.data_versions["live_flights"] == "off"
    both = TravelServices({"MADANG_TRAVEL_API_ID": "id", "MADANG_TRAVEL_API_SECRET": "secret"})
    assert both.flight_provider is not None
    assert both.hotel_provider is not None
    assert both.data_versions["live_flights"] == "live"
    assert "secret" not in repr(SelfServiceKeys("id", "secret"))
