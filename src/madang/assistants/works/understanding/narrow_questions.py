"""Which narrow questions a message may ask."""

from itertools import pairwise

from madang.assistants.works.tools.guide_text import language_of
from madang.assistants.works.tools.topic_reader import likely_topics
from madang.assistants.works.understanding.text_request import wants_text
from madang.assistants.works.understanding.told_facts import is_request, pieces
from madang.graph.reading import Heard
from madang.search.faq import Asked as Narrow
from madang.search.faq import Faq, Near, Question

WINDOWS, EACH = 16, 3


def narrow_questions(heard: Heard, before: str, known: Faq) -> list[Near]:
    """The narrow questions that a message may ask, the nearest first; of a request for a text those that have one."""
    text = heard.message.text
    english = language_of(text) == "en"
    wants = wants_text(text, before)

    def fits(one: Question) -> bool:
        # A ready text answers no question; what is asked for as a text has one.
        told = bool(one.text) if wants else not (one.text and is_request(one.ask[0]))
        return told and bool(one.english or not english)

    near = [known.near(Narrow(one, text, before), likely_topics([one]), EACH, fits) for one in windows(text)]
    best: dict[str, Near] = {}
    for one in sorted((one for found in near for one in found), key=lambda one: -one.score):
        best.setdefault(one.question.id, one)
    return list(best.values())


def windows(text: str) -> list[str]:
    """The message, its sentences, and each two that follow each other; of a long one the last."""
    sentences = list(pieces(text))[-WINDOWS:]
    return list(dict.fromkeys([text, *sentences, *(f"{first} {second}" for first, second in pairwise(sentences))]))
