"""Planning a text: what is wanted is written, the open one is changed, nothing is kept unasked."""

import re

from madang.assistants.works.data.forms import form_of
from madang.assistants.works.state.documents import Document, DocumentInput, TextInput
from madang.assistants.works.tools.guide import topics_in
from madang.assistants.works.tools.guide_text import language_of, narrow_text
from madang.assistants.works.tools.text_writing import occasion_of, title_of, without
from madang.assistants.works.understanding.declining import cannot, declined
from madang.assistants.works.understanding.guiding import SURELY, near_narrow
from madang.assistants.works.understanding.text_request import only_said, text_wish, wants_text
from madang.assistants.works.understanding.turn_plan import Incoming, TurnPlan
from madang.graph import Answer, StepRequest

LETTER = "letter"
OWN = frozenset({"report", "memo", "application", "agenda", "minutes", "checklist", "talk", "notice"})
"""Texts that need no reader to be named."""
NEARLY = 0.54
"""How near a ready text of a narrow question must be to be shown for one that nothing is told of."""
WHAT = "어떤 내용을 담을까요? 누구에게, 무엇을, 언제까지 전할지 한 줄로 적어 주시면 바로 써 드릴게요."
_OUT = re.compile(
    r"(?P<word>[가-힣A-Za-z0-9]{2,12}?)(?:라는)?\s?(?:이야기|얘기|말|내용|부분)?(?:은|는|을|를|도|만)?\s?(?:좀\s?)?(?:빼\s?(?:줘|주|고|자)|지워|삭제)"
)
_SWAP = re.compile(
    r"(?<!\S)[‘'\"“]?(?P<old>[가-힣A-Za-z0-9 ]{1,20}?)[’'\"”]?(?:을|를)\s"
    r"[‘'\"“]?(?P<new>[가-힣A-Za-z0-9 ]{1,20}?)[’'\"”]?(?:으로|로)\s?(?:바꿔|고쳐|수정)"
)
_SHORTER = re.compile(r"(?:더|좀)\s?짧게|줄여|간단하게|너무\s?길")
_ADD = re.compile(r"(?:^|[.!?,\n])\s?(?P<words>[^.!?,\n]{2,200}?)(?:도|라고|는\s?말도?|내용도?)?\s?(?:추가|넣어|덧붙)")
_ON_TEXT = re.compile(r"추가|넣어|빼|지워|바꿔|고쳐|짧게|길게|줄여|수정|다듬")
GUIDED = {"who_reads", "how_good"}


def plan_text(message: Incoming, plan: TurnPlan) -> bool:
    """A text to write, or the open one to change. False when the message is about neither."""
    kind = wants_text(message.text, " ".join(message.said_before))
    last = message.state.get("last_document")
    if kind is None or (only_said(message.text) and topics_in(message.text)):
        return bool(last and last.get("document_type") == LETTER and _edited(message, plan, last))
    wish = text_wish(message, kind, message.said_before, message.linked)
    known = any(wish["slots"].get(name) for name in ("facts", "points", "figures"))
    known = known and (wish["parts"][0]["audience"] != "" or wish["parts"][0]["kind"] in OWN)
    if language_of(message.text) == "en" and not wish["occasion"]:
        return False
    ready = any((found := occasion_of(one["occasion"])) and not found.of_figures for one in wish["parts"])
    if ready_made := _ready_made(message, wish):
        plan.answer, plan.served = ready_made, ["guide"]
        plan.claims.append(message.heard.claim((0, len(message.text)), "task.guide", None, "parser"))
        return True
    if (outside := _unknown_for_customer(wish)) or not (known or ready):
        near = [one for one in near_narrow(message) if one.score >= NEARLY]
        plan.answer = (
            cannot(message, narrow=near)
            if near
            else Answer(type="clarification", answer=WHAT, structured_data={"choices": []})
        )
        plan.served = ["cannot"] if near and outside else ["text"]
        plan.claims.append(declined(message.heard))
        return True
    _put(plan, message, wish, title_of(wish["parts"]), "", 0)
    return True


def _ready_made(message: Incoming, wish: TextInput) -> Answer | None:
    """The text of a narrow question that this surely is; not where the conversation's own facts make a better one."""
    part, found = wish["parts"][0], [one for one in message.narrow if one.question.text]
    if not found or len(wish["parts"]) > 1 or (part["kind"] in FROM_FACTS and wish["slots"].get("facts")):
        return None
    if found[0].score < (CERTAINLY if part["occasion"] or wish["slots"].get("sayings") else SURELY):
        return None
    return Answer(answer=narrow_text(found[0].question, english=language_of(message.text) == "en"), structured_data={})


FROM_FACTS = frozenset({"report", "memo", "application"})
CERTAINLY = SURELY + 0.05


def _unknown_for_customer(wish: TextInput) -> bool:
    """Whether a text for a customer has nothing to say: what was told among ourselves is not for them."""
    outside = [one for one in wish["parts"] if one["audience"] == "customer"]
    return (
        len(outside) == len(wish["parts"])
        and not wish["slots"].get("points")
        and not any(one["occasion"] for one in outside)
    )


def beside_text(topics: list[str]) -> list[str]:
    """Of the topics of a message that wants a text those that answer another question of it."""
    return [one for one in topics if one in GUIDED]


def _put(plan: TurnPlan, message: Incoming, wish: TextInput, title: str, changed: str, version: int) -> None:
    request: DocumentInput = {
        "document_type": LETTER, "form_data": {}, "text": message.text, "title": title, "document_id": None,
        "version": version, "changed": changed or None, "wish": wish,
    }  # fmt: skip
    plan.update["document_request"] = request
    plan.add(StepRequest("DocumentGenerationAgent", description=form_of(LETTER).title))
    plan.served.append("text")
    plan.claims.append(message.heard.claim((0, len(message.text)), "task.text", None, "parser"))


def _edited(message: Incoming, plan: TurnPlan, last: Document) -> bool:
    """The open text with something left out, put in, exchanged or made shorter; False when none of that is wanted."""
    text, content = message.text, last.get("content", "")
    if len(text) > _LONG or not _ON_TEXT.search(text):
        return False
    new, changed = content, ""
    if swap := _SWAP.search(text):
        new, changed = content.replace(swap["old"].strip(), swap["new"].strip()), f"{swap['old']} → {swap['new']}"
    elif out := _OUT.search(text):
        new, changed = without(content, out["word"]), f"‘{out['word']}’을(를) 뺌"
    elif _SHORTER.search(text):
        sentences = re.split(r"(?<=[.!?])\s", content)
        new, changed = " ".join(sentences[: max(2, len(sentences) * 2 // 3)]), "짧게"
    elif add := _ADD.search(text):
        new, changed = f"{content.rstrip()}\n{add['words'].strip()}", f"‘{add['words'].strip()}’ 추가"
    if not changed or new == content:
        return False
    wish: TextInput = {"kind": "message", "occasion": "", "audiences": [], "slots": {}, "without": [], "body": new}
    _put(plan, message, wish, last.get("title", ""), changed, last.get("version", 1))
    return True


_LONG = 120
