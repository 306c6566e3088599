"""Situations in words: the answer first, what was worked out, then what to do, and what to tell us."""

from collections.abc import Sequence

from madang.assistants.homes.answering.unsure import quote
from madang.assistants.homes.answering.verdicts import first_sentence, verdicts
from madang.assistants.homes.state.conversation import SituationRequest
from madang.assistants.homes.state.results import Judgement, SituationAnswer

UNANSWERED = "{quoted}에는 제가 확실히 드릴 답이 없어요. 대한법률구조공단(132)에 물어보시는 것이 좋아요."
NOT_COUNTED = "일반적인 안내라서 말씀하신 {quoted} 같은 숫자와 날짜는 넣어 계산하지 않았어요."
NOT_COUNTED_ENGLISH = "This is general guidance: I did not work anything out from {quoted}."
UNANSWERED_ENGLISH = "I have no sure answer to {quoted}; the legal aid line 132 can help."
QUESTION_LONGEST = 60
# An answer this short introduces its lines, which are to be read out or shown.
SCRIPT = 40


def told(
    answers: Sequence[SituationAnswer],
    requests: Sequence[SituationRequest],
    judged: Sequence[Judgement] = (),
    language: str | None = None,
) -> str:
    """Each question with its answer, a sure verdict on it first; one that no situation answers has its verdict, if
    there is one. One question alone is not repeated."""
    clear = {item["question"]: item for item in answers if item["clear"]}
    parts, left = [], []
    for request in requests:
        asked = f"**“{_short(request['question'])}”** " if len(requests) > 1 else ""
        item = clear.get(request["question"])
        verdict = next((one for one in judged if _of(one["question"], request)), None)
        if item is None:
            if verdict and verdict["sure"]:
                parts.append(asked + verdicts([verdict]))
            else:
                left.append(request["question"])
            continue
        said = [first_sentence(verdict)] if verdict and verdict["sure"] else []
        lines = [asked + " ".join([*said, _first(item)]), *_parts(item)[1:]]
        parts.append("\n\n".join(lines))
    if named := [words for one in requests for words in one.get("not_counted", ())]:
        parts.append((NOT_COUNTED_ENGLISH if language == "en" else NOT_COUNTED).format(quoted=quote(named)))
    if left:
        parts.append((UNANSWERED_ENGLISH if language == "en" else UNANSWERED).format(quoted=quote(left)))
    return "\n\n".join(parts)


def _of(words: str, request: SituationRequest) -> bool:
    """Whether a question that was judged is the one asked here."""
    return " ".join(words.split()).rstrip("? ") in " ".join(request["question"].split())


def _parts(item: SituationAnswer) -> list[str]:
    steps = [f"{number}. {step}" for number, step in enumerate(item["steps"], 1)]
    head = [] if len(item["answer"]) < SCRIPT else ["**지금 할 일**"]
    parts = [_first(item), "\n".join([*head, *steps]) if steps else ""]
    parts.append(f"알려 주시면 더 정확히 볼 수 있어요: {item['ask']}" if item["ask"] else "")
    basis = f"근거: {', '.join(item['sources'])}" if item["sources"] else "근거: 직접 정리한 생활 정보"
    return [part for part in [*parts, f"_{basis} ({item['as_of']} 기준)_"] if part]


def _first(item: SituationAnswer) -> str:
    return " ".join([item["answer"], *item["figures"]])


def _short(text: str) -> str:
    return text if len(text) <= QUESTION_LONGEST else f"…{text[-QUESTION_LONGEST:]}"
