"""Guide Lookup: one more question about cities, looked up while they are compared; its answers accumulate."""

from madang.assistants.travel.agents.local_guide import AskerRequest
from madang.assistants.travel.data.facts import facts_source
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.results import AskedQuestion, GuideAnswer
from madang.assistants.travel.tools.guide import answers_to
from madang.graph import Argument, Context, Writes, agent


class LookupRequest(AskerRequest):
    question: Argument[AskedQuestion]


class LookupResult(Writes):
    looked_up: list[GuideAnswer]


@agent(
    team="search",
    task="견주어 볼 정보",
    description="견주는 도시의 날씨, 거리, 볼거리",
    data=("facts", "climate"),
    today=True,
    runs=12,
)
async def guide_lookup(request: LookupRequest, ctx: Context[TravelServices]) -> LookupResult:
    source, when = facts_source()
    ctx.source("looked_up", tool="answers_to", source=source, as_of=when)
    return {"looked_up": answers_to([request.question], request.asker(ctx.today))}
