"""What is said without running anything: a greeting, a question back, a plain no."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.answering.unsure import OFFERED, unsure
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.market import DEAL_NAMES
from madang.assistants.homes.understanding.intent_cues import asks_for_a_talk
from madang.assistants.homes.understanding.limits import Limit
from madang.graph import Answer
from madang.graph.reading import Heard
from madang.text.cues import cue_kinds
from madang.text.particles import with_object

GREETING = (
    "안녕하세요, 집 문제를 함께 풀어 드리는 홈즈냥즈예요. "
    "임대차 법률, 시세, 대출, 보증금 위험, 계약서 검토와 작성을 물어보세요."
)
EXAMPLES = (
    "전세금 5% 인상 가능해?",
    "5억 전세를 보증금 3억으로 내리면 월세 상한은?",
    "마포구 84㎡ 전세 시세와 대출까지",
    "이 특약 괜찮아? (특약을 붙여 넣어 주세요)",
    "월세 계약서 만들어줘",
)
ASKED_MOST = 60
_CAN = "주택·상가 임대차 법률, 시세와 매물 예시, 정책 대출, 보증금 위험, 계약서 검토와 작성을 도와드려요."


def welcome(query: str, state: Mapping[str, Any]) -> Answer:
    """Guidance for greetings, thanks, and what has nothing to do with homes."""
    kinds = cue_kinds(query)
    if "thanks" in kinds:
        opening = "도움이 되었다니 다행이에요. 더 궁금한 점이 있으면 이어서 물어보세요."
    elif "greeting" in kinds:
        opening = f"안녕하세요! {_CAN}"
    elif re.search(r"뭐\s?할\s?수|무엇을\s?할|뭘\s?도와|기능|도움말|사용법|뭐\s?해\s?줘", query):
        opening = _CAN
    elif asks_for_a_talk(query):
        opening = f"네, 어떤 일인지 말씀해 주세요. {_CAN}"
    else:
        asked = " ".join(query.split())
        heard = f"“{asked if len(asked) <= ASKED_MOST else asked[:ASKED_MOST] + '…'}” "
        opening = f"{heard}질문을 정확히 이해하지 못했거나 제가 다루지 않는 내용이에요. {_CAN}"
    region = (state.get("user_preferences") or {}).get("region")
    if region and "greeting" in kinds:
        opening += f" 지난번에는 {with_object(str(region))} 살펴보셨어요."
    return _guide(opening + "\n\n이렇게 물어보세요:\n" + "\n".join(f"- {example}" for example in EXAMPLES))


def small_talk(heard: Heard, state: Mapping[str, Any]) -> Answer:
    """A short human word where nothing is asked: thanks, a yes, a sigh. Whoever just arrived is told what there is."""
    kinds = {act["kind"] for act in heard.acts}
    if "thank" in kinds:
        said = "도움이 되었다니 다행이에요. 더 궁금한 점이 있으면 이어서 물어보세요."
    elif "danger" in kinds:
        said = "지금은 안전이 먼저예요. 집 문제는 급하지 않아도 이어서 함께 풀 수 있으니, 괜찮아지면 말씀해 주세요."
    elif "greet" in kinds and not state.get("last_intent"):
        return welcome("안녕하세요", state)
    elif kinds & {"confirm", "deny", "take_back", "choose"}:
        said = "네, 알겠어요. 더 확인할 것이나 달라진 사정이 있으면 이어서 말씀해 주세요."
    elif any(act["kind"].startswith("ask_") or act["kind"] == "order" for act in heard.acts):
        return welcome(heard.message.text, state)
    else:
        said = "네, 듣고 있어요. 궁금한 점이 있으면 이어서 말씀해 주세요."
    return Answer(type="guidance", answer=said)


def unsure_of(questions: Sequence[str], titles: Sequence[str], language: str | None) -> Answer:
    """What was asked and can't be answered for sure, with the topics that may be meant as choices."""
    choices = list(dict.fromkeys(titles))[:OFFERED]
    return Answer(
        type="clarification",
        answer=unsure(questions, choices, language),
        structured_data={"choices": choices, "metadata": {"confidence": None, "sources": []}},
    )


def ask_loan() -> Answer:
    return _ask(
        "받을 수 있는 대출과 한도는 조건에 따라 달라요.",
        [
            "연소득은 얼마인가요?",
            "보증금(또는 집값)과 지역은요?",
            "나이와 가진 집(무주택 여부), 결혼 여부도 알려 주세요.",
        ],
    )


def noted() -> Answer:
    return Answer(
        type="guidance", answer="네, 그 사정도 함께 볼게요. 이어서 궁금한 점이나 더 있었던 일을 말씀해 주세요."
    )


def ask_letter(titles: Sequence[str] = ()) -> Answer:
    """What a letter is to say, where it isn't sure: the kinds that may be meant are offered."""
    opening = "보낼 글을 써 달라는 말씀은 알아들었지만, 무엇을 담을지 확실하지 않아 지어 쓰지 않을게요."
    choices = [f"{title} 글 써줘" for title in titles[:OFFERED]]
    offered = " 이 가운데 하나라면 골라 주세요: " + ", ".join(f"‘{one}’" for one in choices) if choices else ""
    asked = ("누가 누구에게 보내나요?", "무엇을 바라나요? (금액·날짜까지 한 문장으로)", "언제까지 답을 받고 싶나요?")
    return _ask(opening + offered, asked, choices)


def ask_question() -> Answer:
    return _ask("", ["어떤 일이 있었고 무엇이 궁금한지 적어 주세요."])


def beyond(limits: Sequence[Limit]) -> Answer:
    """An honest no, with what can be done instead."""
    said = "\n\n".join(limit.said for limit in limits)
    return Answer(
        type="guidance",
        answer=said,
        structured_data={"metadata": {"confidence": None, "sources": [], "limits": [limit.kind for limit in limits]}},
    )


def ask_inputs(figure: str, questions: Sequence[str]) -> Answer:
    """The inputs that a figure still needs."""
    return _ask(f"{with_object(figure)} 계산하려면 몇 가지가 더 필요해요." if len(questions) > 1 else "", questions)


def ask_region(state: Mapping[str, Any]) -> Answer:
    """Where: a region remembered from before is offered, never taken for granted."""
    remembered = (state.get("user_preferences") or {}).get("region")
    choices = [str(remembered)] if remembered else []
    hint = f" 지난번에 보신 {remembered}인가요?" if remembered else " (예: 마포구, 성남시 분당구, 부산 해운대)"
    return _ask("", [f"어느 지역을 찾아볼까요?{hint}"], choices)


def ask_change(state: Mapping[str, Any]) -> Answer:
    """A follow-up that names nothing new: say what is taken for granted, and ask what should change."""
    area = f"{state['area_m2']:g}㎡" if state.get("area_m2") else ""
    known = [*(state.get("regions") or ()), area, DEAL_NAMES[state["deal_type"]] if state.get("deal_type") else ""]
    now = ", ".join(part for part in known if part)
    return _ask(f"지금은 {now} 기준으로 보고 있어요." if now else "", ["무엇을 바꾸거나 더 알아볼까요?"])


def ask_contract() -> Answer:
    return _ask(
        "", ["검토할 계약서나 특약의 내용을 그대로 붙여 넣어 주세요. 조항마다 근거 조문과 고칠 문구를 알려 드릴게요."]
    )


def ask_document() -> Answer:
    return _ask("", ["어떤 계약서를 만들까요?"], ["전세 계약서", "월세 계약서", "매매 계약서"])


def ask_risk(missing: Sequence[str]) -> Answer:
    """What the share of the price already spoken for is computed from."""
    return _ask("위험을 계산하려면 알아야 할 것이 있어요.", calculator("jeonse_risk").questions(missing))


def _ask(opening: str, questions: Sequence[str], choices: Sequence[str] = ()) -> Answer:
    lines = list(questions) if len(questions) == 1 else [f"- {question}" for question in questions]
    return Answer(
        type="clarification",
        answer="\n".join([opening, *lines] if opening else lines),
        structured_data={"choices": list(choices), "missing": list(questions)},
    )


def _guide(text: str) -> Answer:
    return Answer(type="guidance", answer=text, structured_data={"choices": list(EXAMPLES)})
