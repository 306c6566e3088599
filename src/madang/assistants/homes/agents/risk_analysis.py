"""How safe a deposit is, or what to check where there are no sums to judge by."""

from collections.abc import Sequence
from typing import Any

from madang.assistants.homes.data.policy import section
from madang.assistants.homes.state.paths import ANALYSIS_TEAM, PRICES, RAW
from madang.assistants.homes.tools.risk import SIGNS, JeonseRiskTool
from madang.assistants.homes.understanding.slots import HAPPENED
from madang.graph import AgentContext, View, agent


@agent(
    **ANALYSIS_TEAM,
    reads=(
        "deposit",
        "price",
        "senior_debt",
        "other_deposits",
        "region",
        "area_m2",
        "property_type",
        "risk_signs",
        PRICES,
    ),
    optional=(PRICES,),
    writes=(f"{RAW}.jeonse_risk",),
    task="보증금 위험 분석",
    description="전세가율과 부담률, 확인할 것",
    timeout=15,
    data=("policy", "market"),
)
async def risk_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    signs = tuple(sign for sign in asked.risk_signs or () if sign != HAPPENED)
    table = section("jeonse_risk")
    ctx.source("jeonse_risk", tool="JeonseRiskTool", source=table["source"], as_of=table["as_of"])
    can_judge = asked.deposit is not None and (asked.price is not None or (asked.region and asked.area_m2))
    if not can_judge:
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
    found = report.as_dict()
    found["unsaid"] = [] if asked.senior_debt is not None else ["선순위 채권(근저당)은 말씀이 없어 0원으로 보았습니다."]
    return {"jeonse_risk": found}


_AFTERWARDS = (
    "이사하기 전에 임차권등기명령을 신청해 대항력을 지키세요 (주택임대차보호법 제3조의3).",
    "전세사기피해자 결정을 시·도나 전세사기피해지원센터에 신청하세요"
    " (전세사기피해자 지원 및 주거안정에 관한 특별법 제12조).",
    "전세보증금 반환보증에 들었다면 보증기관에 사고를 알리고 이행을 청구하세요.",
    "대한법률구조공단(132)에서 무료 법률 상담을 받으세요.",
)


def _checklist(signs: Sequence[str], *, happened: bool) -> dict[str, Any]:
    """What to do when there are no sums to judge by: before a contract, or after the harm is done."""
    report = JeonseRiskTool().analyse(0, price=1, signs=())
    named = [SIGNS[sign] for sign in signs]
    if happened:
        return {
            "level": None, "level_name": None, "score": None, "factors": [], "advice": list(_AFTERWARDS),
            "price_estimated": False, "calculations": [], "unsaid": [], "happened": True,
        }  # fmt: skip
    return {
        "level": None,
        "level_name": None,
        "score": None,
        "factors": [name for name, _, _ in named],
        "advice": [*(advice for _, _, advice in named), *report.advice],
        "price_estimated": False,
        "calculations": [],
        "unsaid": ["보증금과 시세(또는 지역과 전용면적), 근저당을 알려 주시면 부담률을 계산해 드립니다."],
    }
