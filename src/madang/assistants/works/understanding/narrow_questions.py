"""Which narrow questions a message may ask."""

from dataclasses import replace

from madang.assistants.works.tools.guide_text import language_of
from madang.assistants.works.tools.topic_reader import likely_topics
from madang.assistants.works.understanding.guiding import NARROW, asking_sentences
from madang.assistants.works.understanding.text_request import wants_text
from madang.graph.reading import Heard
from madang.search.faq import Asked as Narrow
from madang.search.faq import Faq, Near, Question


def narrow_questions(heard: Heard, before: str, known: Faq) -> list[Near]:
    """The narrow questions that a message may ask, the nearest first; of a request for a text those that have one."""
    text, asking = heard.message.text, asking_sentences(heard)
    english = language_of(text) == "en"
    wants = wants_text(text)
    asked = Narrow(asking[-1] if asking else text, text, before)

    def fits(one: Question) -> bool:
        return bool(one.english or not english) and bool(one.text or not wants)

    near = [known.near(replace(asked, question=one), likely_topics([one]), NARROW, fits) for one in asking or [text]]
    best: dict[str, Near] = {}
    for one in sorted((one for found in near for one in found), key=lambda one: -one.score):
        best.setdefault(one.question.id, one)
    return list(best.values())
