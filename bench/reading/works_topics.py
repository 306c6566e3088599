"""What people say to works, by the guide's topic that answers it: phrasings and the labelled development rounds."""

from bench.reading.labels import DATA, messages
from bench.reading.topics import Examples, rounds, written
from madang.assistants.works.tools import topic_reader
from madang.assistants.works.tools.guide import topics

LEARNT, NONE = topic_reader.LEARNT, topic_reader.NONE
TOPICS = DATA / "works-topics"
LABELS = DATA.parent / "works-topics.dev.txt"
WORDS, RIDGE = True, 0.3
# Messages labelled for other tasks ask nothing of the guide; those of these tasks may.
OTHERS = {"analysis", "show", "why", "document", "edit", "store"}
GUIDED = {"check", "search", "chat"}


def labelled(*, without: str = "") -> Examples:
    """What the topics are learnt from, each text with its topics; `without` leaves a round out."""
    examples = [(text, [one.id]) for one in topics() for text in one.examples]
    judged = (row for name, rows in rounds("works", LABELS).items() if name != without for row in rows)
    return [*written(TOPICS), *examples, *other_tasks(), *judged]


def other_tasks() -> Examples:
    """Messages to works that want figures, documents or keeping, and nothing that the guide tells."""
    found: Examples = []
    for name in ("dev.txt", "first.txt"):
        for message in messages(DATA / "works" / name):
            tasks = {task for _, _, task in message.clauses}
            if tasks & OTHERS and not tasks & GUIDED:
                found.append((message.text, [NONE]))
    return found
