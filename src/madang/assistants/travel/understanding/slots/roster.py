"""Everyone a message names, counted one by one: 남편이랑 7살 4살 아들 둘, 시부모님이랑 저희 부부."""

import re
from dataclasses import replace

from madang.assistants.travel.understanding.slots.adults import call_grown
from madang.assistants.travel.understanding.slots.children import call_young
from madang.assistants.travel.understanding.slots.people_words import PAIR, Roster


def call_roll(text: str, answering: bool) -> Roster:
    """The people named in a message; `answering` when the question was how many."""
    young = call_young(text)
    grown = call_grown(hidden(text, young.spans), answering or bool(young.spans))
    if young.last_count and grown.speaker and young.last_count == grown.others + young.named + 1 > PAIR:
        # 남편 나 딸 셋: the number closes the list
        start, end = young.spans[-1]
        noun_end = start + len(re.sub(r"[\s둘셋넷\d]+.*$|(?:다섯|여섯).*$", "", text[start:end]))
        young = replace(
            young,
            children=young.children - young.last_count,
            others=young.others + 1,
            spans=(*young.spans[:-1], (start, noun_end)),
        )
    return Roster(
        grown.others + young.others,
        young.children,
        young.infants,
        grown.couple,
        grown.open or young.open,
        grown.speaker,
        grown.parents,
        spans=young.spans + grown.spans,
    )


def hidden(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = "◇" * (end - start)
    return "".join(letters)


def hide(text: str, roster: Roster) -> str:
    """The message without those it names, so that the numbers left are of the whole party."""
    return hidden(text, roster.spans)
