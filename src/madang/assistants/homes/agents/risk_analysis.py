"""How safe a deposit is, or what to check where there are no sums to judge by."""

from collections.abc import Sequence
from typing import Annotated

from madang.assistants.homes.data.policy import section
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.paths import PRICES, RAW
from madang.assistants.homes.state.results import JeonseRisk, MarketResult
from madang.assistants.homes.tools.risk import ALWAYS, SIGNS, JeonseRiskTool
from madang.assistants.homes.understanding.slots import HAPPENED
from madang.graph import At, Context, Reads, Writes, agent

_AFTERWARDS = (
    "이사하기 전에 임차권등기명령을 신청해 대항력을 지키세요 (주택임대차보호법 제3조의3).",
    "전세사기피해자 결정을 시·도나 전세사기피해지원센터에 신청하세요"
    " (전세사기피해자 지원 및 주거안정에 관한 특별법 제12조).",
    "전세보증금 반환보증에 들었다면 보증기관에 사고를 알리고 이행을 청구하세요.",
    "대한법률구조공단(132)에서 무료 법률 상담을 받으세요.",
)


class RiskRequest(Reads):
    deposit: int | None
    price: int | None
    senior_debt: int | None
    other_deposits: int | None
    region: str | None
    area_m2: float | None
    property_type: str | None
    risk_signs: list[str] | None
    # Nothing is taken from it, but a price that is looked up is looked up first.
    real_estate_search: Annotated[list[MarketResult] | None, At(PRICES)] = None


class RiskFound(Writes):
    jeonse_risk: Annotated[JeonseRisk, At(f"{RAW}.jeonse_risk")]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="보증금 위험 분석",
    description="전세가율과 부담률, 확인할 것",
    timeout=15,
    data=("policy", "market"),
)
async def risk_analysis(asked: RiskRequest, ctx: Context[HomesServices]) -> RiskFound:
    signs = tuple(sign for sign in asked.risk_signs or () if sign != HAPPENED)
    table = section("jeonse_risk")
    ctx.source("jeonse_risk", tool="JeonseRiskTool", source=table["source"], as_of=table["as_of"])
    if asked.deposit is None or (asked.price is None and not (asked.region and asked.area_m2)):
        return {"jeonse_risk": _checklist(signs, happened=HAPPENED in (asked.risk_signs or ()))}
    report = JeonseRiskTool(ctx.services.market).analyse(
        asked.deposit,
        price=asked.price,
        senior_debt=asked.senior_debt or 0,
        other_deposits=asked.other_deposits or 0,
        region=asked.region,
        area=asked.area_m2,
        property_kind=asked.property_type or "아파트",
        signs=signs,
    )
    unsaid = [] if asked.senior_debt is not None else ["선순위 채권(근저당)은 말씀이 없어 0원으로 보았습니다."]
    return {"jeonse_risk": {**report, "unsaid": unsaid}}


def _checklist(signs: Sequence[str], *, happened: bool) -> JeonseRisk:
    """What to do when there are no sums to judge by: before a contract, or after the harm is done."""
    named = [SIGNS[sign] for sign in signs]
    open_sums = "보증금과 시세(또는 지역과 전용면적), 근저당을 알려 주시면 부담률을 계산해 드립니다."
    return {
        "level": None,
        "level_name": None,
        "score": None,
        "factors": [] if happened else [name for name, _, _ in named],
        "advice": list(_AFTERWARDS) if happened else [*(advice for _, _, advice in named), *ALWAYS],
        "price_estimated": False,
        "calculations": [],
        "unsaid": [] if happened else [open_sums],
        "happened": happened,
    }
