"""Reading a traveller's message into slots: what changed, what was refused, what to ask next."""

from madang.assistants.travel.understanding.slots.reader import understand
from madang.assistants.travel.understanding.slots.slot_update import (
    LIMITS,
    SLOTS,
    Question,
    Slots,
    SlotUpdate,
    allowed,
    apply,
)

__all__ = ["LIMITS", "SLOTS", "Question", "SlotUpdate", "Slots", "allowed", "apply", "understand"]
