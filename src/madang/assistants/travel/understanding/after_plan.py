"""What a message does once a plan is there: an answer from the state, a choice, or one expert again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from madang.assistants.travel.answering import follow_up_answers as answers
from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.slots import SLOTS
from madang.assistants.travel.state.trip_facts import cities_of
from madang.assistants.travel.understanding import wishes
from madang.assistants.travel.understanding.asked import Asked
from madang.assistants.travel.understanding.follow_ups import FollowUp, follow_up
from madang.assistants.travel.understanding.reading import TripReading
from madang.assistants.travel.understanding.slots import SlotUpdate, apply
from madang.graph import Answer, Understanding
from madang.graph.reading import Heard

_SURE = 0.6
_POLITE = frozenset({"thank", "greet", "confirm"})
_DOES = frozenset({"export", "summary", "choose_plan", "restart"})


def is_follow_up(state: MultiAgentTravelState, heard: Heard, reading: TripReading, asked: Sequence[Asked]) -> bool:
    """Whether the message is about the plan as it stands rather than a change of the trip or a question beside it."""
    update = reading.update
    meant = _meant(state, heard, update)
    if asked and not (meant.reruns or meant.kind in _DOES):
        return False
    if asked and meant.reruns and "?" in heard.message.text and not cue("orders").search(heard.message.text):
        return False
    if meant.kind not in ("slots", "unknown", "cheaper") and not _corrects_too(meant, update):
        return True
    plain = not update.changes and not update.problems and "no_transport" not in reading.needs
    plain = plain and wishes.unnamed_wish(state) is not None
    return plain or meant.kind == "cheaper"


async def follow(
    state: MultiAgentTravelState, ctx: TravelTurn, heard: Heard, reading: TripReading
) -> Understanding | dict[str, Any] | None:
    """The answer, or the fields that change and let the experts work again."""
    update = reading.update
    meant = _meant(state, heard, update)
    if meant.kind not in ("slots", "unknown", "cheaper") and not _corrects_too(meant, update):
        if meant.kind == "choose_plan":
            chosen = answers.chosen(state, meant)
            if _exports(heard):
                both = f"{chosen.answer.splitlines()[0]}\n\n{answers.summary(state).answer}"
                chosen = replace(chosen, answer=both)
            return Understanding(update={"chosen_plan": meant.plan}, answer=chosen, intent="choose_plan")
        if meant.reruns:
            return _wished(state, wishes.wish(state, meant), meant, update)
        return Understanding(answer=await answers.answer(state, meant, ctx), intent=meant.kind)
    if not update.changes and not update.problems and (plain := wishes.unnamed_wish(state)) is not None:
        return _wished(state, plain, meant, update)
    return Understanding(answer=await answers.answer(state, meant, ctx), intent=meant.kind)


def _wished(
    state: MultiAgentTravelState, wish: dict[str, Any] | Answer, meant: FollowUp, update: SlotUpdate
) -> Understanding | dict[str, Any]:
    if isinstance(wish, Answer):
        return Understanding(answer=wish, intent=meant.kind)
    known = {name: state.get(name) for name in SLOTS}
    after = apply(known, update) if "correction" in update.cues else known
    return {**{name: after[name] for name in SLOTS if after[name] != state.get(name)}, **wish}


def _meant(state: MultiAgentTravelState, heard: Heard, update: SlotUpdate) -> FollowUp:
    recommended = state.get("recommendation")
    meant = follow_up(state["query"], update, cities_of(state), recommended["type"] if recommended else None)
    if meant.kind == "unknown" and all(act["kind"] in _POLITE for act in heard.acts):
        return replace(meant, kind="thanks")
    if _exports(heard) and meant.kind in ("slots", "unknown", "cost", "show_day", "thanks") and not update.changes:
        return replace(meant, kind="summary")
    return meant


def _exports(heard: Heard) -> bool:
    return any(act.get("task") == "export" and act.get("sure", 0) >= _SURE for act in heard.acts)


def _corrects_too(meant: FollowUp, update: SlotUpdate) -> bool:
    """A question or a choice that also corrects a slot: the correction must not be lost."""
    only_asks = not meant.reruns and meant.kind not in ("export", "restart")
    return only_asks and "correction" in update.cues and bool(update.changes)
