"""Reading a traveller's message into slots: what changed, what was refused, what to ask next."""

from madang.assistants.travel.understanding.slots.reader import read_slots
from madang.assistants.travel.understanding.slots.slot_update import SlotQuestion, SlotUpdate, apply

__all__ = ["SlotQuestion", "SlotUpdate", "apply", "read_slots"]
