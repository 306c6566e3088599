"""What becomes of a sum: it is reached, cut, moved into rent, added, or asked for."""

import re
from typing import Literal

Change = Literal["target", "cut", "moved", "rise", "asked"]

_UNIT = r"\s?(?:원|만원)?\s?(?:정도|쯤|가량)?\s?"
_WORDS: tuple[tuple[Change, str], ...] = (
    (
        "moved",
        r"(?:만큼|어치|만|은|을|를|는)?\s?(?:(?:은|을|를)\s?)?(?:다\s?|전부\s?|전액\s?|모두\s?)?"
        r"(?:순수\s?)?(?:월세|달세)(?:로|\s?전환)|에\s?(?:대한|해당하는)\s?(?:월세|차임)",
    ),
    (
        "cut",
        r"(?:만큼|만|을|를|씩)?\s?(?:더\s?|돌려\s?)?"
        r"(?:내리|내려|내린|내릴|낮추|낮춰|낮춘|낮출|낮춥|줄이|줄여|줄인|줄일|줄입|빼|뺀|뺄|뺍|깎|감액|덜|돌려|반환|받고(?!\s?(?:있|싶|살|지내))|인하|빠지)",
    ),
    (
        "rise",
        r"(?:만큼|만|을|를|씩)?\s?(?:더\s?|추가로\s?)?(?:올려|올리|올린|올릴|올립|(?:인상|증액)(?:해|하|한|을|된|됐|\s?요구|\s?통보)|더\s?(?:달|내|받|주|요구|넣|걸|올)|늘리|늘려|추가)",
    ),
    ("asked", r"(?:을|를|은)?\s?(?:달라|달래|달라네|요구|부르|부른|불러|내라|내래|주라|제시)"),
    (
        "target",
        r"(?:만)?\s?(?:반전세|으로|로|까지|만\s?(?:남|두|걸|놔|넣|맡)|(?:을|를)?\s?(?:남기|남겨|남긴)"
        r"|(?:을|를)?\s?보증금(?:으로|으로는|은|에(?!서))\s?(?:두|하|남|나머지)?)",
    ),
)
_AFTER = tuple((change, re.compile(_UNIT + pattern)) for change, pattern in _WORDS)
_ARROW = re.compile(r"(?:→|⇒|->|=>|>|➡)\s*(?:보증금\s*)?$")


def change_of(text: str, start: int, end: int) -> Change | None:
    """What the words right after a sum (or an arrow before it) do with it; None if they only name it."""
    if _ARROW.search(text, 0, start):
        return "target"
    return next((change for change, pattern in _AFTER if pattern.match(text, end)), None)
