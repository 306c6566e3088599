"""The trip to take away: a Markdown document, a calendar, a map; kept as a document of the conversation."""

import asyncio
from typing import Any

from madang.assistants.travel.answering.exports import TripDocument, to_icalendar, to_markdown, to_svg
from madang.assistants.travel.answering.phrases import nights_text
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.trip_facts import cities_of, current_plan, of_tier, stays_of
from madang.graph import Answer

FILES = {"markdown": ("md", "text/markdown"), "ics": ("ics", "text/calendar"), "map": ("svg", "image/svg+xml")}
_SAID = {
    "markdown": "여행 계획을 문서로 만들었어요.",
    "ics": "일정을 캘린더 파일로 만들었어요. 휴대폰이나 구글 캘린더에서 열면 일정이 들어가요.",
    "map": "날짜별 동선을 지도로 그렸어요.",
}


def trip_document(state: MultiAgentTravelState) -> TripDocument:
    """The trip with the plan in force."""
    cities, plan = cities_of(state), current_plan(state)
    return TripDocument(
        trip_id=state["session_id"],
        title=f"{'·'.join(cities)} {nights_text(state['duration'] or 0)}",
        timezone=locate(cities[0]).timezone,
        days=state["itinerary"]["days"],
        flight=of_tier(state["flight_options"], plan["flight_type"]),
        hotels=stays_of(of_tier(state["hotel_options"], plan["hotel_type"])),
        plans=state["final_plans"],
        recommendation=state["recommendation"],
        notes=state["itinerary"].get("notes", []),
    )


async def export(state: MultiAgentTravelState, form: str, ctx: TravelTurn) -> Answer:
    """The trip as a file; every form of it is kept as one document where there is a store."""
    trip = trip_document(state)
    made = {"markdown": to_markdown(trip), "ics": to_icalendar(trip), "map": to_svg(trip)}
    suffix, media_type = FILES[form]
    file = {"filename": f"{trip.title.replace('·', '-')}.{suffix}", "media_type": media_type, "content": made[form]}
    data: dict[str, Any] = {"files": [file]}
    if ctx.save_document is not None:
        data["document_id"] = await _saved(
            ctx,
            {
                "title": trip.title,
                "kind": "trip",
                "markdown": made["markdown"],
                "files": {FILES[name][0]: content.encode() for name, content in made.items()},
                "metadata": {"plan": current_plan(state)["type"], "as_of": state.get("updated_at")},
            },
        )
    text = _SAID[form] + (f"\n\n{made['markdown']}" if form == "markdown" else f" ({file['filename']})")
    return Answer(answer=text, structured_data=data)


async def _saved(ctx: TravelTurn, document: dict[str, Any]) -> str:
    """The document's id. Understanding runs beside the loop that the store belongs to."""

    async def save() -> str:
        assert ctx.save_document is not None
        return str(await ctx.save_document(document))

    if ctx.loop is None or ctx.loop is asyncio.get_running_loop():
        return await save()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(save(), ctx.loop))
