"""An honest no: what was asked, that it was not understood for sure, and what may be meant."""

from collections.abc import Sequence

QUOTED, LONGEST, OFFERED = 4, 60, 3
_WHY = "{quoted} 이 말씀에는 제가 확실히 드릴 답이 없어서, 잘못 답하지 않으려고 여기서 멈출게요."
_CHOOSE = "혹시 이 가운데 하나인가요? 고르시면 바로 답해 드려요."
_ELSE = (
    "맞는 것이 없으면 알고 싶은 것 하나를 짧은 한 문장으로 적어 주시거나 입력란에 조건을 채워 주세요. "
    "급한 일은 대한법률구조공단(132, 무료)에 물어보세요."
)
_EN_WHY = "I could not make sure what {quoted} is about, so I will not guess an answer."
_EN_CHOOSE = "Is it one of these? Choose one and I will answer it."
_EN_ELSE = "If not, ask one thing in one short sentence, or use the form. Free legal help in English: 132 or 1345."


def unsure(questions: Sequence[str], titles: Sequence[str], language: str | None = None) -> str:
    """Says which questions have no answer, and offers the nearest topics."""
    quoted = quote(questions)
    english = language == "en"
    lines = [_EN_WHY.format(quoted=quoted or "this") if english else _WHY.format(quoted=quoted).strip()]
    if offered := list(dict.fromkeys(titles))[:OFFERED]:
        choices = [f"{number}. {title}" for number, title in enumerate(offered, 1)]
        lines += ["\n".join([_EN_CHOOSE if english else _CHOOSE, *choices])]
    rest = _EN_ELSE if english else _ELSE
    return "\n\n".join([*lines, rest if offered or english else rest.removeprefix("맞는 것이 없으면 ")])


def quote(questions: Sequence[str]) -> str:
    """The questions in the user's own words, two at most, the end of each if it is long."""
    plain = [" ".join(one.split()) for one in questions if one.strip()][:QUOTED]
    return ", ".join(f"“{one if len(one) <= LONGEST else '…' + one[-LONGEST:]}”" for one in plain)
