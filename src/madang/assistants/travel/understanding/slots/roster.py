"""Everyone a message names, counted one by one: 남편이랑 7살 4살 아들 둘, 시부모님이랑 저희 부부."""

import re
from dataclasses import replace

from madang.assistants.travel.understanding.slots.adults import named_adults
from madang.assistants.travel.understanding.slots.children import named_children
from madang.assistants.travel.understanding.slots.masks import PERSON, masked
from madang.assistants.travel.understanding.slots.people_words import PAIR, Roster


def named_people(text: str, answering: bool) -> Roster:
    """The people named in a message; `answering` when the question was how many."""
    young = named_children(text)
    grown = named_adults(masked(text, young.spans, PERSON), answering or bool(young.spans))
    if young.last_count and grown.speaker and young.last_count == grown.others + young.named + 1 > PAIR:
        # 남편 나 딸 셋: the number closes the list
        start, end = young.spans[-1]
        noun_end = start + len(re.sub(r"(?s)(?:[\s둘셋넷\d]|다섯|여섯).*", "", text[start:end]))
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
