"""Local Guide: what was asked beside the plan, answered from dated facts, climate and places."""

from datetime import date
from typing import Annotated

from madang.assistants.travel.data.facts import facts_source
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import OriginRequest
from madang.assistants.travel.state.results import AskedQuestion, GuideAnswer
from madang.assistants.travel.state.travel_state import DateWindow
from madang.assistants.travel.state.trip import party_of
from madang.assistants.travel.tools.filled_texts import filled
from madang.assistants.travel.tools.guide import Asker, answers_to, is_english
from madang.graph import At, Context, Writes, agent
from madang.search.faq import Faq

OWN = "직접 정리한 여행 정보"


class AskerRequest(OriginRequest):
    """What is known of who asks."""

    destination: str | None
    destinations: list[str] | None
    considered: list[str] | None
    depart_date: str | None
    depart_window: DateWindow | None
    assumed_departure: Annotated[str | None, At("assumptions.departure")]
    num_people: int | None
    assumed_people: Annotated[str | None, At("assumptions.people")]
    adults: int | None
    children: int | None
    infants: int | None
    child_months: list[int] | None
    climate: str | None
    leave_time: str | None
    duration: int | None
    assumed_nights: Annotated[str | None, At("assumptions.nights")]
    diet: list[str] | None
    access: list[str] | None
    pets: list[str] | None

    def asker(self, today: date) -> Asker:
        """Who asks, and when."""
        said = (
            self.depart_date or (self.depart_window["from"] if self.depart_window else None) or self.assumed_departure
        )
        cities = self.destinations or ([self.destination] if self.destination else self.considered or [])
        people = self.num_people or int(self.assumed_people or 0)
        return Asker(
            cities=tuple(cities),
            month=date.fromisoformat(said).month if said else None,
            origin=self.start,
            party=party_of(people, self.adults, self.children, self.infants) if people else None,
            child_months=tuple(self.child_months or ()),
            leave_time=self.leave_time,
            needs={"climate": self.climate, "diet": self.diet, "access": self.access, "pets": self.pets},
            today=today,
            depart=date.fromisoformat(self.depart_date) if self.depart_date else None,
            nights=self.duration or int(self.assumed_nights or 0) or None,
        )


class GuideRequest(AskerRequest):
    asked: list[AskedQuestion]


class GuideResult(Writes):
    guide_answers: list[GuideAnswer]


@agent(
    team="search",
    task="질문 답하기",
    description="비자, 날씨, 짐, 아이 동반 같은 질문",
    data=("facts", "climate", "faq"),
    today=True,
)
async def local_guide(request: GuideRequest, ctx: Context[TravelServices]) -> GuideResult:
    source, when = facts_source()
    ctx.source("guide_answers", tool="answers_to", source=source, as_of=when)
    asker = request.asker(ctx.today)
    narrow = [answer for one in request.asked for answer in narrow_answers(one, ctx.services.faq, asker)]
    return {"guide_answers": [*answers_to(request.asked, asker), *narrow]}


def narrow_answers(asked: AskedQuestion, faq: Faq, asker: Asker) -> list[GuideAnswer]:
    """The answers to the narrow questions that one is, or may be."""
    english, told = is_english(asked["words"]), asked.get("told") or {}
    found: list[GuideAnswer] = []
    for key in asked.get("faq") or ():
        one = faq.find(key)
        if one is None:
            raise KeyError(key)
        answer = filled(one.english if english and one.english else one.answer, asker, told)
        parts = [
            answer if one.text or "{" in one.answer else f"**{one.asked_in('en' if english else 'ko')}**\n{answer}"
        ]
        if one.text:
            parts.append("\n".join(f"> {line}".rstrip() for line in filled(one.text, asker, told).splitlines()))
        found.append(
            GuideAnswer(
                question=asked["words"],
                answer="\n\n".join(parts),
                source=OWN,
                as_of=one.as_of,
                near=not asked.get("faq_sure", False),
            )
        )
    return found
