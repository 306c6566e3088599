"""A message to works, parsed and labelled once."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.tools.lexicon import Lexicon, Meaning, Names
from madang.assistants.works.tools.lexicon_search import scan
from madang.errors import NotFound
from madang.graph import TurnContext
from madang.graph.acts import hear as hear_message
from madang.graph.reading import Heard
from madang.text.learnt import LearntReader
from madang.text.message import Message
from madang.text.parsed import Parsed, make

SAMPLE = "sample"
READER = Path(__file__).parents[1] / "data" / "reader.zip"


def message_of(text: str, today: date, lexicon: Lexicon) -> Message:
    """The message with its values: what the data names, and what the sales layer calls metric and dimension."""
    found = list(_words(text, lexicon))
    kinds = dict.fromkeys(item.value.name if item.value.role == "value" else item.value.role for item in found)
    finders = [(kind, lambda _text, kind=kind: _of(found, kind)) for kind in kinds]
    return Message.read(text, today, context="sales", direction="past", names=finders)


def reader() -> LearntReader:
    """What was learnt from labelled messages to works."""
    return LearntReader.load(READER)


def hear_text(text: str, lexicon: Lexicon, today: date) -> Heard:
    """The message with its values, acts and roles."""
    return hear_message(message_of(text, today, lexicon), reader())


def hear(text: str, state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Heard:
    """The turn's message. A company without data has no names to find."""
    company = ctx.company_id or state.get("company_id") or SAMPLE
    try:
        lexicon = ctx.services.warehouse.lexicon(company, ctx.today)
    except NotFound:
        lexicon = Lexicon(Names({}))
    return hear_text(text, lexicon, ctx.today)


def _of(found: list[Parsed[Meaning]], kind: str) -> list[Parsed[Meaning]]:
    return [item for item in found if (item.value.name if item.value.role == "value" else item.value.role) == kind]


def _words(text: str, lexicon: Lexicon) -> Iterator[Parsed[Meaning]]:
    for item in scan(text, lexicon):
        if item.exact:
            yield make(text, item.start, item.end, item.meaning, 0.95, item.meanings)
