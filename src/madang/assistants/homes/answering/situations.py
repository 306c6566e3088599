"""Situations in words: the answer first, what was worked out, then what to do, and what to tell us."""

from collections.abc import Sequence

from madang.assistants.homes.answering.verdicts import first_sentence, verdicts
from madang.assistants.homes.state.conversation import SituationRequest
from madang.assistants.homes.state.results import Judgement, SituationAnswer

UNANSWERED = "이 부분은 제가 확실히 답할 수 있는 내용이 없어요. 대한법률구조공단(132)에 물어보시는 것이 좋아요."
OFFER = "말씀만으로는 어떤 상황인지 확실하지 않아요. 혹시 이런 상황이신가요?"
QUESTION_LONGEST = 60
# An answer this short introduces its lines, which are to be read out or shown.
SCRIPT = 40


def told(
    answers: Sequence[SituationAnswer], requests: Sequence[SituationRequest], judged: Sequence[Judgement] = ()
) -> str:
    """Each question with its answer, a sure verdict on it first; one that no situation answers has its verdict, if
    there is one. One question alone is not repeated."""
    clear = {item["question"]: item for item in answers if item["clear"]}
    parts = []
    for request in requests:
        asked = f"**“{_short(request['question'])}”** " if len(requests) > 1 else ""
        item = clear.get(request["question"])
        verdict = next((one for one in judged if _of(one["question"], request)), None)
        if item is None:
            parts.append(asked + (verdicts([verdict]) if verdict else UNANSWERED))
            continue
        said = [first_sentence(verdict)] if verdict and verdict["sure"] else []
        lines = [asked + " ".join([*said, _first(item)]), *_parts(item)[1:]]
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts)


def _of(words: str, request: SituationRequest) -> bool:
    """Whether a question that was judged is the one asked here."""
    return " ".join(words.split()).rstrip("? ") in " ".join(request["question"].split())


def offered(answers: Sequence[SituationAnswer]) -> str:
    """The nearest situations, each with its answer in short, for someone to choose from."""
    seen = {item["situation"]: item for item in answers}
    lines = [f"- **{item['title']}**: {_sentences(item['answer'], 2)}" for item in list(seen.values())[:2]]
    return "\n".join([OFFER, "", *lines, "", "맞는 것이 없으면 있었던 일과 알고 싶은 것을 조금 더 적어 주세요."])


def _parts(item: SituationAnswer) -> list[str]:
    steps = [f"{number}. {step}" for number, step in enumerate(item["steps"], 1)]
    head = [] if len(item["answer"]) < SCRIPT else ["**지금 할 일**"]
    parts = [_first(item), "\n".join([*head, *steps]) if steps else ""]
    parts.append(f"알려 주시면 더 정확히 볼 수 있어요: {item['ask']}" if item["ask"] else "")
    basis = f"근거: {', '.join(item['sources'])}" if item["sources"] else "근거: 직접 정리한 생활 정보"
    return [part for part in [*parts, f"_{basis} ({item['as_of']} 기준)_"] if part]


def _first(item: SituationAnswer) -> str:
    return " ".join([item["answer"], *item["figures"]])


def _sentences(text: str, count: int) -> str:
    parts = text.replace("요. ", "요.\n").replace("다. ", "다.\n").splitlines()
    return " ".join(parts[:count])


def _short(text: str) -> str:
    return text if len(text) <= QUESTION_LONGEST else f"…{text[-QUESTION_LONGEST:]}"
