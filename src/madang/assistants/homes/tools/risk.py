"""Jeonse risk: how safe a deposit is, from the price, senior claims and what the register shows."""

from collections.abc import Mapping

from madang.assistants.homes.state.results import JeonseRisk, MarketResult
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.calculators.jeonse_risk import LEVEL_NAMES, Level, jeonse_risk
from madang.assistants.homes.tools.calculators.small_deposit import small_deposit
from madang.assistants.homes.tools.market import MarketDataTool
from madang.errors import FieldProblem, InvalidState

_ORDER: tuple[Level, ...] = ("safe", "caution", "danger", "critical")

# What a register or a contract may show: how it reads, and the least level it means.
SIGNS: Mapping[str, tuple[str, Level, str]] = {
    "trust": (
        "신탁등기",
        "critical",
        "신탁원부로 임대 권한을 확인하고 수탁자의 동의와 계좌를 확인하세요 (부동산등기법 제81조)",
    ),
    "auction": ("경매·공매 진행", "critical", "계약하지 마세요"),
    "seizure": ("압류·가압류·가처분", "critical", "해제를 확인하기 전에는 계약하지 마세요 (부동산등기법 제94조)"),
    "provisional": ("가등기", "critical", "본등기가 되면 임차권이 지워질 수 있습니다 (부동산등기법 제88조)"),
    "lease_registration": (
        "임차권등기 이력",
        "danger",
        "이전 임차인이 보증금을 못 받은 집입니다 (주택임대차보호법 제3조의3)",
    ),
    "tax_arrears": ("세금 체납", "danger", "납세증명서를 요구하세요 (주택임대차보호법 제3조의7)"),
    "illegal_building": ("위반건축물", "danger", "보증보험과 대출이 안 될 수 있습니다. 건축물대장을 확인하세요"),
    "multi_household": (
        "다가구 주택",
        "caution",
        "다른 세입자의 보증금 합계를 확정일자 부여현황으로 확인하세요 (주택임대차보호법 제3조의6)",
    ),
    "new_owner": ("최근 소유자 변경", "caution", "계약 직전·직후 소유자가 바뀌면 반환 능력을 확인하세요"),
    "agent": ("대리인 계약", "caution", "위임장·인감증명서와 소유자 통화를 확인하세요 (민법 제114조)"),
}
ALWAYS = (
    "계약 당일과 잔금일에 등기사항증명서를 다시 확인하세요.",
    "잔금일에 전입신고와 확정일자를 마치세요 (주택임대차보호법 제3조, 제3조의2).",
    "전세보증금 반환보증 가입이 되는지 계약 전에 확인하고 특약에 적으세요.",
)


class JeonseRiskTool:
    """Judges a deposit. Without a price it uses the market figure of the region and says that it did."""

    def __init__(self, market: MarketDataTool | None = None) -> None:
        self._market = market or MarketDataTool()

    def analyse(
        self,
        deposit: int,
        *,
        price: int | None = None,
        senior_debt: int = 0,
        other_deposits: int = 0,
        region: str | None = None,
        area: float | None = None,
        property_kind: str = "아파트",
        signs: tuple[str, ...] = (),
    ) -> JeonseRisk:
        """The report. Raises `InvalidState` for an unknown sign or when neither price nor region and area are given."""
        if unknown := [sign for sign in signs if sign not in SIGNS]:
            raise InvalidState(
                [FieldProblem("signs", f"{', '.join(unknown)}은(는) 모르는 표시입니다", ", ".join(SIGNS))]
            )
        market = self._figure(region, area, property_kind) if price is None else None
        value = market["median"] if market is not None else int(price or 0)
        burden = jeonse_risk(value, deposit, senior_debt=senior_debt, other_deposits=other_deposits)
        calculations = [burden]
        ratio = float(burden.values["burden_ratio"] or 0)
        level: Level = _level(str(burden.values["level"]), signs)
        factors = [SIGNS[sign][0] for sign in signs]
        if region:
            first = small_deposit(region, deposit, house_price=value)
            calculations.append(first)
            covered = bool(first.values["eligible"])
            factors.append(f"소액임차인 최우선변제 {'대상' if covered else '대상 아님'}")
        if market is not None:
            factors.append(
                f"집값은 {market['region']} {market['size_band']} {market['property_type']} 매매 중위 {won(value)}"
                f"({market['source']}, {market['as_of']} 기준)으로 본 것이라 실제 거래가로 다시 확인해야 합니다"
            )
        return {
            "level": level,
            "level_name": LEVEL_NAMES[level],
            "score": _score(level, ratio, len(signs)),
            "factors": factors,
            "advice": [*(SIGNS[sign][2] for sign in signs), *ALWAYS],
            "price_estimated": market is not None,
            "calculations": [one.as_record() for one in calculations],
            "unsaid": [],
            "happened": False,
        }

    def _figure(self, region: str | None, area: float | None, kind: str) -> MarketResult:
        if region is None or area is None:
            missing = [FieldProblem("price", "시세를 알려 주세요(또는 지역과 전용면적)")]
            raise InvalidState(missing)
        return self._market.query(region, "매매", area=area, property_kind=kind)[0]


def _score(level: Level, ratio: float, signs: int) -> int:
    """0 to 100: the burden ratio and the signs, never below what the level means."""
    floor = {"safe": 0, "caution": 50, "danger": 70, "critical": 85}[level]
    return min(100, max(floor, round(min(ratio, 100) * 0.7)) + 4 * signs)


def _level(computed: str, signs: tuple[str, ...]) -> Level:
    levels = [_ORDER.index(next(level for level in _ORDER if level == computed))]
    levels += [_ORDER.index(SIGNS[sign][1]) for sign in signs]
    return _ORDER[max(levels)]
