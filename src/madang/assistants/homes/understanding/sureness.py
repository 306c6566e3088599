"""Whether a message is understood so surely that what agents work out answers it; else nothing is worked out."""

import re

from madang.assistants.homes.understanding.inquiry import Inquiry
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.routing import LONG, asks_for_figure, is_idle
from madang.graph.reading import Heard

# Clauses told beside a question from which on a figure or a price is worked out of a story that says more.
STORY_TOLD = 2
STORY = 160
_POLITE = frozenset({"thank", "greet", "confirm", "danger"})


def unsure(heard: Heard, inquiry: Inquiry) -> bool:
    """Whether a message tells a story whose question no situation answers: prices, figures, loans and articles found by
    its words would answer another one. What goes on with a calculation, a contract or a document is sure."""
    text = heard.message.text
    # English takes twice the letters.
    is_short = len(text) <= (LONG if re.search("[가-힣]", text) else 2 * LONG)
    if inquiry.contract or is_short or (inquiry.inherited and not is_idle(heard)):
        return False
    if heard.message.of("law") or all(act["kind"] in _POLITE for act in heard.acts):
        return False
    if len(text) > STORY or len(inquiry.told) > STORY_TOLD:
        return True
    ready = bool(inquiry.needs) and all(not need["missing"] for need in inquiry.needs)
    if asks_for_figure(inquiry.asked):
        return not ready
    return IntentType.LEGAL_CONSULT in inquiry.parts


def questions_of(inquiry: Inquiry, query: str) -> list[str]:
    """What was asked, in the user's own words; the end of a message that asks nothing in so many words."""
    return [one.text for one in inquiry.asked] or [query]
