"""An honest no: what was asked, in its writer's words, that it can't surely be answered, and what comes nearest."""

from collections.abc import Sequence

from madang.assistants.works.data import load
from madang.assistants.works.tools.guide_text import language_of, narrow_text
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.understanding.text_request import wants_text
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph import Answer
from madang.graph.reading import Claim, Heard
from madang.search.faq import Near

QUOTED, LONGEST, MARKED = 2, 45, 10


def cannot(message: Incoming, near: Sequence[str] = (), narrow: Sequence[Near] = ()) -> Answer:
    """The honest no, or the nearest narrow questions, told as that. `near`: titles of what may have been meant, offered
    as choices."""
    language = language_of(message.text)
    words = load("words")["cannot"][language]
    quoted = ", ".join(f"“{one}”" for one in questions_of(message.heard)[:QUOTED])
    if narrow:
        told = [narrow_text(one.question, english=language == "en") for one in narrow]
        text = "\n\n".join([words["nearest"], *told, words["otherwise"]])
        return Answer(type="guidance", answer=text, structured_data={"choices": list(near), "declined": True})
    lines = [words["asked"].format(questions=quoted) if quoted else words["nothing"]]
    if near:
        lines.append(words["near"].format(topics=", ".join(f"‘{title}’" for title in near)))
    elif offer := _offer(message):
        lines.append(words[offer])
    return Answer(type="guidance", answer="\n\n".join(lines), structured_data={"choices": list(near), "declined": True})


def declined(heard: Heard) -> Claim:
    """The whole message as what is declined: nothing of it is used, so nothing more is said about it."""
    return heard.claim((0, len(heard.message.text)), "task.declined", None, "parser")


def questions_of(heard: Heard) -> list[str]:
    """What a message asks and orders, in its own words; its last sentences where nothing of it is seen to ask."""
    text = heard.message.text
    asked = [act["span"] for act in heard.acts if act["kind"].startswith(("ask_", "order"))]
    asked = [span for span in asked if any(map(str.isalnum, text[slice(*span)]))]
    spans = sorted(sorted(asked, key=lambda span: -_telling(text[slice(*span)]))[:QUOTED])
    return [shortened(text[start:end]) for start, end in spans or heard.message.sentences[-1:]]


def _telling(words: str) -> int:
    """How much a question tells by itself: a few words more than one, and a mark more than none."""
    return min(sum(map(str.isalnum, words)), LONGEST) + (MARKED if "?" in words else 0)


def shortened(words: str) -> str:
    """A few words of a long question: its end, which says what is wanted, from where a word begins."""
    plain = " ".join(words.split()).strip(" .,\"'“”‘’")
    if len(plain) <= LONGEST:
        return plain
    end = plain[-LONGEST:]
    cut = end if plain[-LONGEST - 1] == " " else end.partition(" ")[2] or end
    return f"…{cut.lstrip()}"


def _offer(message: Incoming) -> str | None:
    """What can be asked instead, of the kind that the message seems to want; none where it wants none of them."""
    if wants_text(message.text):
        return "texts"
    if any(one.meaning.role in {"metric", "dimension"} for one in scan(message.text, message.lexicon)):
        return "figures"
    return "rules" if any(word in message.text for word in load("words")["professionals"]) else None
