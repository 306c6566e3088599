"""How much can be borrowed on an income under DTI."""

from madang.assistants.homes.tools.calculators.dsr import by_income
from madang.assistants.homes.tools.calculators.spec import Cue

_NAME = r"DTI|디티아이"

CALCULATOR = by_income("dti", _NAME, cues=(Cue(rf"{_NAME}|총부채\s?상환", 70),))
