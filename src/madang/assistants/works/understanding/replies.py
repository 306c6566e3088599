"""Fixed texts: refusals with the nearest thing that can be done, questions with choices, guidance."""

from madang.assistants.works.data import load
from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.understanding.question import Understood
from madang.graph import Answer
from madang.text.cues import cue_kinds

PERIODS = ["이번 달", "지난달", "이번 분기", "최근 3개월", "올해"]
TABLES = ("지난달 지점별 매출", "이번 분기 담당자별 달성률", "올해 월별 매출")
GREETING = (
    "안녕하세요. 영업 도우미 works입니다. "
    "판매 자료에 대한 질문, 방문보고서와 제품설명회 신청서 작성, 규정 검토, 문서 보관을 도와드립니다."
)
EXAMPLES = (
    "지난달 지점별 매출 알려줘",
    "이번 분기 목표 대비 실적은?",
    "최근 3개월 방문 없는 거래처",
    "제품설명회 신청서 만들고 규정까지 봐줘",
    "의사에게 식사 12만원 제공해도 돼?",
)
REFUSALS = {
    "reject_write": (
        "판매 자료는 읽기만 할 수 있어서 바꾸거나 지우는 요청은 처리하지 않습니다. 자료 정정은 담당 부서에 "
        "요청해 주세요. "
        "바꾸려는 값을 조회해 드릴 수는 있습니다."
    ),
    "reject_access": (
        "다른 회사의 자료나 의료인·직원의 개인정보는 볼 수 없습니다. "
        "우리 회사의 매출·방문·설명회 집계는 보여드릴 수 있습니다."
    ),
    "unsupported_forecast": (
        "앞으로의 값은 자료에 없어 예측하지 않습니다. "
        "대신 지금까지의 추이, 전년 동기와의 비교, 목표 달성률을 계산해 드릴 수 있습니다."
    ),
}


def answer_for(reading: Understood) -> Answer:
    """The answer to a message that isn't computed."""
    kind = reading.query["kind"]
    if kind != "clarify":
        return Answer(type="refusal", answer=REFUSALS[kind], structured_data={"kind": kind, "reason": reading.reason})
    choices = choices_for(reading)
    if reading.unknown_metric:
        nearest = semantics().metrics[load("semantics")["unknown"][reading.unknown_metric]].label
        words = f"'{reading.unknown_metric}' 자료는 없습니다. 가장 가까운 것은 {nearest}입니다. 무엇을 볼까요?"
    elif reading.asks == "export":
        words = "아직 내려받을 표가 없습니다. 먼저 볼 것을 물어보시면 그 표를 CSV 파일(엑셀에서 열림)로 드립니다."
    elif reading.asks == "period":
        words = "어느 기간을 볼까요?"
    else:
        words = "무엇을 계산할까요?"
    listed = ", ".join(f"{i}) {choice}" for i, choice in enumerate(choices, 1))
    return Answer(type="clarification", answer=f"{words} {listed}", structured_data={"choices": choices})


def stay_safe() -> Answer:
    """What follows the numbers to call: nothing of work."""
    words = (
        "말씀해 주셔서 고마워요. 지금 안전한 곳에 계신가요? 혹시 오늘 밤에도 그런 생각이 드시나요? "
        "운전 중이라면 먼저 세우고, 곁에 있는 분께 지금 이 이야기를 해 주세요. 내일은 쉬어도 괜찮고, "
        "진료나 상담(정신건강 1577-0199)을 받는 것도 방법이에요. "
        "일 이야기는 나중에 같이 하면 됩니다."
    )
    return Answer(type="guidance", answer=words, structured_data={})


def nothing_open(task: str) -> Answer:
    """What is missing when something is referred to and nothing is open."""
    return Answer(type="clarification", answer=_NOTHING_OPEN[task], structured_data={"choices": []})


_NOTHING_OPEN = {
    "check": "무엇을 검토할까요? 누구에게 무엇을 얼마나 제공하는지 적어 주시거나, 검토할 글을 붙여 넣어 주세요.",
    "store": "무엇을 보관할까요? 보관할 글을 적어 주시거나 먼저 문서를 만들어 주세요.",
    "show": "아직 보여드릴 결과나 문서가 없습니다. 먼저 볼 것을 물어봐 주세요.",
    "edit": "열린 문서에서 무엇을 어떻게 바꿀지 읽지 못했습니다. 항목과 새 값을 말씀해 주세요(예: 장소는 본사 회의실).",
    "summary": "아직 정리할 결과가 없습니다. 먼저 볼 것을 물어보시면 그 결과로 자료를 만듭니다.",
}


def choices_for(reading: Understood) -> list[str]:
    """What may be answered to a clarifying question."""
    if reading.asks == "period" and not reading.unknown_metric:
        return PERIODS
    if reading.asks == "export":
        return list(TABLES)
    layer = semantics().metrics
    first = [load("semantics")["unknown"][reading.unknown_metric]] if reading.unknown_metric else []
    names = dict.fromkeys([*first, "sales_amount", "quantity", "achievement_rate", "visit_count"])
    return [layer[name].label for name in names]


def guidance(text: str) -> Answer:
    """What this assistant is for."""
    cues = cue_kinds(text)
    if "thanks" in cues:
        words = "도움이 되었다니 다행입니다. 더 필요한 것이 있으면 말씀해 주세요."
    elif "greeting" in cues:
        words = GREETING
    else:
        words = "영업 업무와 관련된 질문을 도와드립니다."
    examples = "\n".join(f"- {example}" for example in EXAMPLES)
    return Answer(
        type="guidance",
        answer=f"{words}\n\n이렇게 물어보세요.\n{examples}",
        structured_data={"examples": list(EXAMPLES)},
    )
