"""Whether a plan was set off by a few words of a long message: then no answer is better than another question's.

The bounds are learnt from judged turns (bench/data/people, second round): of long messages nearly every table whose
words cover less than a fifth, every refusal and every text of no known occasion answered something else.
"""

from collections.abc import Iterable

from madang.assistants.works.understanding.text_plan import LETTER
from madang.assistants.works.understanding.turn_plan import TurnPlan
from madang.graph.reading import Claim, Heard

LONG = 60
COVERED = 0.2
_FIGURES = frozenset({"analysis", "why", "clarify"})
_REFUSED = frozenset({"unsupported_forecast", "reject_write"})


def unexplained(heard: Heard, plan: TurnPlan, claims: Iterable[Claim]) -> bool:
    """Whether what is planned answers too little of what was said."""
    letters = {at for at, char in enumerate(heard.message.text) if char.isalnum()}
    served = set(plan.served)
    if len(letters) < LONG or not served:
        return False
    document = plan.update.get("document_request") or {}
    if document.get("document_type") == LETTER:
        wish = document["wish"]
        return not wish["occasion"] and not wish.get("body")
    if served <= _REFUSED:
        return True
    if not served <= _FIGURES:
        return False
    spans = [claim["span"] for claim in (*plan.claims, *claims) if claim["span"]]
    covered = {at for start, end in spans if end - start < len(heard.message.text) for at in range(start, end)}
    return len(covered & letters) < COVERED * len(letters)
