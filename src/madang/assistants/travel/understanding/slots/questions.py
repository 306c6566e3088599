"""The one question to ask next: what was refused or unclear first, then what is missing, most useful first."""

from collections.abc import Sequence

from madang.assistants.travel.state.slots import BESIDE, EMPTY, REQUIRED, Slots
from madang.assistants.travel.understanding.slots.slot_update import SlotQuestion
from madang.errors import FieldProblem

_TEXTS: dict[str, str] = {
    "destination": "어디로 여행 가고 싶으세요?",
    "duration": "몇 박 며칠 계획이신가요?",
    "budget": "예산은 얼마 정도 생각하세요?",
    "num_people": "몇 분이 함께 가세요?",
    "travel_style": "어떤 여행을 좋아하세요? 관광, 맛집, 휴양, 쇼핑, 액티비티처럼 편하게 말씀해 주세요.",
}
_STYLE_CHOICES = ("관광", "맛집", "휴양", "쇼핑", "액티비티", "자연", "문화", "야경", "카페")


def next_question(
    slots: Slots, problems: Sequence[FieldProblem] = (), questions: Sequence[SlotQuestion] = ()
) -> SlotQuestion | None:
    """None when nothing was refused or unclear and everything needed is known."""
    if problems:
        return _again(problems[0])
    if questions:
        return questions[0]
    for slot in REQUIRED:
        if slots.get(slot) in EMPTY:
            return _missing(slot)
    return None


def beside_question(slots: Slots) -> SlotQuestion | None:
    """What is asked for beside a plan that could be made without it."""
    return next((_missing(slot) for slot in BESIDE if slots.get(slot) in EMPTY), None)


def _missing(slot: str) -> SlotQuestion:
    return SlotQuestion(slot, _TEXTS[slot], "missing", _STYLE_CHOICES if slot == "travel_style" else ())


def _again(problem: FieldProblem) -> SlotQuestion:
    ask = _TEXTS.get(problem.field, "다시 말씀해 주시겠어요?")
    if problem.field == "destination":
        choices = ("오사카", "도쿄", "다낭", "방콕", "제주", "부산", "파리")
        return SlotQuestion("destination", f"{problem.reason}. 다른 도시로 말씀해 주시겠어요?", "unknown", choices)
    allowed = f" {problem.allowed} 사이로 알려 주세요." if problem.allowed else ""
    return SlotQuestion(problem.field, f"{problem.reason}.{allowed} {ask}", "refused")
