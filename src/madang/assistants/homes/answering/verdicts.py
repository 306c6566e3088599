"""Judgements in words: the verdict first, in the question's own terms; then why, what to do and what would turn it."""

from collections.abc import Sequence

from madang.assistants.homes.state.results import Judgement

_ANSWERS = {"yes": "네, ", "no": "아니요, "}
NEAREST = "가장 비슷한 경우로 보면, "
DEPENDS = "경우에 따라 다릅니다. "


def verdicts(judged: Sequence[Judgement]) -> str:
    """The opening of an answer to questions whether; each by itself if there are several."""
    if len(judged) == 1:
        return "\n\n".join([f"{first_sentence(judged[0])} {judged[0]['because']}", *_then(judged[0])])
    parts = []
    for item in judged:
        asked = " ".join(item["question"].split())
        parts.append("\n\n".join([f"**{asked}** {first_sentence(item)} {item['because']}", *_then(item)]))
    return "\n\n".join(parts)


def first_sentence(item: Judgement) -> str:
    """The verdict. Where it isn't sure, the rule of the nearest case is said as that."""
    said = item["said"].rstrip(".")
    if item["verdict"] == "depends":
        return f"{DEPENDS}{said}."
    return f"{_ANSWERS[item['verdict']] if item['sure'] else NEAREST}{said}."


def _then(item: Judgement) -> list[str]:
    lines = [
        f"- 이렇게 하세요: {item['advice']}" if item["advice"] else "",
        f"- 달라지는 경우: {item['turns']}" if item["turns"] else "",
        f"- 알려 주시면 더 정확해요: {item['ask']}" if item["ask"] else "",
        *(
            f"- 근거: {quote['source']}"
            + (f" [시행 {quote['effective_date']}] “**{quote['text']}**”" if quote["effective_date"] else "")
            for quote in item["quotes"]
        ),
    ]
    if not item["quotes"] and item["sources"]:
        lines.append(
            f"- 근거: {', '.join(item['sources'])} (이 조문과 금액은 자료에 없어 확인하지 못했으니 따로 확인하세요)"
        )
    return ["\n".join(line for line in lines if line)]
