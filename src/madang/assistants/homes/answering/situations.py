"""Situations in words: the answer first, what was worked out, then what to do, and what to tell us."""

from collections.abc import Sequence

from madang.assistants.homes.answering.findings import Findings
from madang.assistants.homes.answering.unsure import quote
from madang.assistants.homes.answering.verdicts import first_sentence, verdicts
from madang.assistants.homes.state.conversation import SituationRequest
from madang.assistants.homes.state.results import FaqAnswer, Judgement, SituationAnswer

UNANSWERED = "{quoted}에는 제가 확실히 드릴 답이 없어요. 대한법률구조공단(132)에 물어보시는 것이 좋아요."
NOT_COUNTED = "일반적인 안내라서 말씀하신 {quoted} 같은 숫자와 날짜는 넣어 계산하지 않았어요."
NOT_COUNTED_ENGLISH = "This is general guidance: I did not work anything out from {quoted}."
UNANSWERED_ENGLISH = "I have no sure answer to {quoted}; the legal aid line 132 can help."
NEAREST = "{quoted} 이 말씀과 가장 가까운 물음과 답이에요. 사정이 다르면 답도 달라질 수 있어요."
NEAREST_ENGLISH = "These are the questions nearest to {quoted}. If your case differs, so may the answer."
OTHERWISE = (
    "다른 뜻이었다면 알고 싶은 것 하나를 짧게 다시 적어 주세요. 급한 일은 대한법률구조공단(132, 무료)에서 상담하세요."
)
OTHERWISE_ENGLISH = "If you meant something else, ask it in one short sentence. Free legal help: 132 or 1345."
NEAREST_MOST = 3
QUESTION_LONGEST = 60
# An answer this short introduces its lines, which are to be read out or shown.
SCRIPT = 40


def told(
    found: Findings,
    requests: Sequence[SituationRequest],
    judged: Sequence[Judgement] = (),
    language: str | None = None,
) -> str:
    """Each question with its answer: a sure verdict and narrow questions that it surely is first, then the situation.
    Where nothing is sure what is nearest is told as that. One question alone is not repeated."""
    clear = {item["question"]: item for item in found.situations if item["clear"]}
    parts, left, near = [], [], list[FaqAnswer]()
    for request in requests:
        asked = f"**“{_short(request['question'])}”** " if len(requests) > 1 else ""
        item = clear.get(request["question"])
        narrow = [one for one in found.faq if one["question"] == request["question"]]
        verdict = next((one for one in judged if _of(one["question"], request)), None)
        said = [first_sentence(verdict)] if verdict and verdict["sure"] else []
        sure = [narrow_answer(one, language) for one in narrow if one["fit"] == "sure"]
        if item is not None:
            first = _first(item) if sure else " ".join([*said, _first(item)])
            lead = [asked + " ".join(said), *sure, first] if sure else [asked + first]
            parts.append(_joined([*lead, *_parts(item, language)[1:]]))
        elif said and verdict:
            parts.append(_joined([asked + verdicts([verdict]), *sure]))
        elif sure:
            parts.append(_joined([asked, *sure]))
        else:
            left.append(request["question"])
            near += [one for one in narrow if one["fit"] == "nearest"]
    if named := [words for one in requests for words in one.get("not_counted", ())]:
        parts.append((NOT_COUNTED_ENGLISH if language == "en" else NOT_COUNTED).format(quoted=quote(named)))
    if near:
        parts.append(nearest(left, near, language))
    elif left:
        parts.append((UNANSWERED_ENGLISH if language == "en" else UNANSWERED).format(quoted=quote(left)))
    return "\n\n".join(parts)


def nearest(questions: Sequence[str], near: Sequence[FaqAnswer], language: str | None = None) -> str:
    """What is nearest to questions that nothing answers for sure, told as that."""
    opening = (NEAREST_ENGLISH if language == "en" else NEAREST).format(quoted=quote(questions))
    told_ = [narrow_answer(one, language) for one in near[:NEAREST_MOST]]
    return "\n\n".join([opening.strip(), *told_, OTHERWISE_ENGLISH if language == "en" else OTHERWISE])


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip())


def narrow_answer(item: FaqAnswer, language: str | None = None) -> str:
    """A narrow question and its answer; a ready text is set apart, to be copied."""
    lines = [f"**{item['asked']}**\n{item['answer']}"]
    if item["text"]:
        lines.append("\n".join(f"> {line}".rstrip() for line in item["text"].splitlines()))
    if item["sources"]:
        basis = "Law" if language == "en" else "근거"
        lines.append(f"_{basis}: {', '.join(item['sources'])} ({item['as_of']}{'' if language == 'en' else ' 기준'})_")
    return "\n\n".join(lines)


def _of(words: str, request: SituationRequest) -> bool:
    """Whether a question that was judged is the one asked here."""
    return " ".join(words.split()).rstrip("? ") in " ".join(request["question"].split())


def _parts(item: SituationAnswer, language: str | None) -> list[str]:
    steps = [f"{number}. {step}" for number, step in enumerate(item["steps"], 1)]
    head = [] if len(item["answer"]) < SCRIPT else ["**지금 할 일**"]
    parts = [_first(item), "\n".join([*head, *steps]) if steps else ""]
    parts.append(f"알려 주시면 더 정확히 볼 수 있어요: {item['ask']}" if item["ask"] else "")
    if language == "en":
        parts.append(f"_Law: {', '.join(item['sources'])} ({item['as_of']})_" if item["sources"] else "")
    else:
        basis = ", ".join(item["sources"]) or "직접 정리한 생활 정보"
        parts.append(f"_근거: {basis} ({item['as_of']} 기준)_")
    return [part for part in parts if part]


def _first(item: SituationAnswer) -> str:
    return " ".join([item["answer"], *item["figures"]])


def _short(text: str) -> str:
    return text if len(text) <= QUESTION_LONGEST else f"…{text[-QUESTION_LONGEST:]}"
