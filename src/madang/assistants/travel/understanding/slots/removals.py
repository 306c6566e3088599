"""Wishes taken back by their name: 숙소 취향은 없던 걸로, 항공사 조건 빼줘, 꼭 갈 곳은 다 지워줘."""

import re

from madang.assistants.travel.state.slots import EMPTY
from madang.assistants.travel.understanding.slots.slot_update import Draft

_SUBJECTS = {
    "accommodation_preference": r"(?:숙소|숙박|호텔|잠자리)(?:\s?(?:종류|취향|조건|타입|유형|형태|선호))?",
    "preferred_airline": r"(?:선호\s?)?(?:항공사|항공편|비행기)(?:\s?(?:조건|취향|선호|지정|제한))?",
    "pace": r"(?:일정\s?)?(?:속도|페이스|템포)",
    "origin": r"(?:출발지|출발\s?(?:공항|도시|장소))",
    "must_visit_places": (
        r"(?:꼭\s?(?:가|갈|가야|봐야|볼)[가-힣]*\s?(?:할|될|하는|되는)?\s?(?:곳|데|장소|거)|필수\s?(?:장소|코스|방문지)"
        r"|가고\s?싶(?:은|다던)\s?(?:곳|데))"
    ),
    "travel_style": r"(?<!숙소\s)(?<!숙소)(?<!항공사\s)(?:여행\s?)?(?:스타일|취향|테마|컨셉)",
    "budget_flexibility": r"(?:예산\s?)?(?:초과|넘어도\s?된다는\s?(?:말|거|얘기))",
}
_TAKEN_BACK = (
    r"(?:들)?(?:에\s?대한)?\s?(?:얘기|이야기|말|요청|부분|건|것)?(?:은|는|을|를|도|이|가)?\s?(?:다\s|전부\s|그냥\s|이제\s|모두\s|일단\s)*"
    r"(?:없던\s?(?:걸|거|일|것)|없는\s?(?:걸|거|것)으?로|취소|지워|삭제|없애|무시|초기화|해제|빼\s?(?:줘|주|자)|뺄|신경\s?(?:안|쓰지|끄)|상관\s?없|무관|안\s?(?:정|따)"
    r"|아무\s?(?:거|데|곳|나))"
)
_PATTERNS = {slot: re.compile(words + _TAKEN_BACK) for slot, words in _SUBJECTS.items()}


def read_removals(text: str, draft: Draft) -> None:
    """Empty the slots that a message takes back by name."""
    for slot, pattern in _PATTERNS.items():
        if draft.before.get(slot) not in EMPTY and draft.get(slot) == draft.before[slot] and pattern.search(text):
            draft.set(slot, None)
            draft.cues.add("removal")
