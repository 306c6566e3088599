"""Values over the size limit are stored beside the state, and agents never notice."""

from madang.graph import Context, agent
from madang.runtime import conversations
from tests.support.runtimes import new_session, open_trip, say
from tests.support.trip_assistant import City, Days, Flights, Found, Services, replaced

MANY = [f"편명 {i} {'가' * 40}" for i in range(1000)]


@agent(task="항공 검색", team="search")
async def flight(trip: City, ctx: Context[Services]) -> Flights:
    ctx.services.called("flight")
    return {"flights": MANY}


@agent(task="일정")
async def itinerary(trip: Found, ctx: Context[Services]) -> Days:
    ctx.services.called("itinerary")
    return {"days": [trip.flights[-1], *trip.hotels]}


async def test_a_reference_in_state_the_value_for_agents(db_url: str) -> None:
    agents = tuple(itinerary if a.name == "itinerary" else a for a in replaced(flight))
    async with open_trip(db_url, agents=agents) as runtime:
        session = await new_session(runtime)
        outcome = await say(runtime, session, "오사카 3")
        reference = outcome["state"]["flights"]
        assert reference["bytes"] > 64_000
        assert reference["summary"]["count"] == 1000
        assert outcome["state"]["results"]["plan"]["days"][0] == MANY[-1]
        services = runtime.served["trip"].services
        services.calls.clear()
        await say(runtime, session, "오사카 3")
        assert dict(services.calls) == {}
        for operation in (conversations.fork, conversations.copy):
            child = await operation(runtime, await runtime.sessions.get(session))
            changed = await say(runtime, child.session_id, "오사카 4")
            assert "flight" not in services.calls
            assert changed["state"]["results"]["plan"]["days"][0] == MANY[-1]
