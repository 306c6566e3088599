"""Reading a traveller's message into slots: what changed, what was refused, what to ask next."""

from madang.assistants.travel.tools.slots.reading import understand
from madang.assistants.travel.tools.slots.unknown_cities import honest_note
from madang.assistants.travel.tools.slots.update import LIMITS, SLOTS, Question, Slots, SlotUpdate, allowed, apply

__all__ = ["LIMITS", "SLOTS", "Question", "SlotUpdate", "Slots", "allowed", "apply", "honest_note", "understand"]
