"""What is wanted of the law, of a contract and of loans."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.tools.market import DEAL_NAMES
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.limits import without_limits
from madang.assistants.homes.understanding.slots import loan_kinds

_RISK_OF_ITS_OWN = re.compile(
    r"사기|피해|경매|공매|신탁|압류|가등기|근저당|체납|임차권|위반|불법|대리|확정일자|전입|보증보험|다가구"
)
_BEFOREHAND = re.compile(r"안\s?당하|예방|피하(?:려|는)|막으려|조심|주의할|확인해야|체크")
RISK_IN_GENERAL = "전세 계약하기 전에 보증금을 지키려면 대항력 확정일자 우선변제"


def legal_question(parts: Sequence[str], asked: Mapping[str, str]) -> str | None:
    """What to look for in the law. A plain question of risk is about how a deposit is protected."""
    if IntentType.LEGAL_CONSULT in asked:
        question = asked[IntentType.LEGAL_CONSULT]
    elif IntentType.RISK_ANALYSIS in asked:
        question = asked[IntentType.RISK_ANALYSIS]
        if not _RISK_OF_ITS_OWN.search(question) or _BEFOREHAND.search(question):
            return RISK_IN_GENERAL
    elif list(parts) == [IntentType.UNCLEAR]:
        question = asked[IntentType.UNCLEAR]
    else:
        return None
    return without_limits(question) or question


def wanted_template(message: str, known: Mapping[str, Any]) -> str | None:
    """Which contract is wanted: 전세, 월세, 매매; None if the message doesn't say."""
    for name, words in (
        ("월세", r"월세|반전세|사글세"),
        ("전세", r"전세"),
        ("매매", r"매매|매도|매수|집\s?파는|집\s?사는"),
    ):
        if re.search(words, message):
            return name
    deal = known.get("deal_type")
    return DEAL_NAMES[deal] if re.search(r"임대차|임대|세\s?놓", message) and deal not in (None, "sale") else None


def wanted_loans(message: str, parts: Sequence[str], known: Mapping[str, Any]) -> list[str]:
    """Kinds of loans to look at: said, or by the deal in question; all if nothing tells."""
    if re.search(r"차이|비교", message):
        return []
    said = loan_kinds(message)
    if said:
        return said
    by_deal = {"jeonse": ["jeonse"], "monthly_rent": ["monthly"], "sale": ["purchase"]}
    return by_deal.get(str(known.get("deal_type")), []) if parts else []
