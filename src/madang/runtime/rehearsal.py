"""Before the first question: one turn that nobody sees, so that models, indexes and imports are there when it comes."""

import asyncio
import logging
from datetime import date
from typing import Any

from langchain_core.messages import HumanMessage

from madang.graph import build
from madang.graph.assistant import Assistant
from madang.graph.context import TurnContext

logger = logging.getLogger(__name__)


async def rehearse(assistant: Assistant[Any, Any], services: Any, today: date) -> None:
    """Run the assistant's first example, without a model, a user or a database: nothing is stored or remembered.

    Only with services that offer `rehearsal()`: services over the same data that reach nobody outside. What goes
    wrong is logged: the first question will meet it again and say so.
    """
    prepare = getattr(services, "rehearsal", None)
    if prepare is None or not assistant.examples:
        return
    given = {
        "query": assistant.examples[0],
        "messages": [HumanMessage(assistant.examples[0])],
        "session_id": "rehearsal",
        "request_id": "rehearsal",
    }
    try:
        context = TurnContext(today=today, services=await asyncio.to_thread(prepare))
        await build(assistant).ainvoke(given, context=context)
    except Exception:
        logger.warning("the rehearsal failed", extra={"assistant": assistant.name}, exc_info=True)
