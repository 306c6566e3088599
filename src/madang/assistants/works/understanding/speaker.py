"""Who is speaking, as they say it themselves: 신입 정유찬입니다, 저 차민결이고, a bare name after being asked."""

import re
from collections.abc import Mapping

from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.session import Speaker
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import Found, scan

_IS = re.compile(
    r"\s?(?:이에요|예요|이예요|입니다|임다|이고|인데|이거든요?|이라서?|이라고|라고\s?(?:합니다|해요)|이야|이요|입니더|여요|임(?![가-힣])|올시다)"
)
_I = re.compile(
    r"(?<![가-힣])(?:저는|저|나는|난|전|제가|내가|제\s?이름은|내\s?이름은|담당자는)[\s,]?\s?(?:[가-힣0-9]{0,8}\s){0,3}$"
)
_UNITS = ("team", "branch")


def speaker_of(text: str, lexicon: Lexicon, state: GlobalSessionState) -> Speaker | None:
    """The rep, team or branch that the writer says to be; None where nothing of that is said."""
    found = [one for one in scan(text, lexicon) if one.meaning.role == "value"]
    reps = [one for one in found if one.meaning.name == "rep"]
    asked = (state.get("open_question") or {}).get("field") == "who"
    bare = [one for one in reps if not text[: one.start].strip() and len(text.strip()) - one.end <= _SHORT]
    told = [one for one in reps if _says_so(text, one) or _only_name(text, one)] or (bare if asked else [])
    if told:
        return Speaker(rep=str(told[0].meaning.value))
    units = [one for one in found if one.meaning.name in _UNITS and _says_so(text, one)]
    if not units:
        return None
    name = str(units[0].meaning.value)
    return Speaker(team=name) if units[0].meaning.name == "team" else Speaker(branch=name)


_SHORT = 4


def _only_name(text: str, one: Found) -> bool:
    """ "나 송이안": nothing but who it is."""
    return (
        bool(_I.search(text[: one.start]))
        and not text[: one.start].strip(" ,저나는전난")
        and not text[one.end :].strip(" .!?")
    )


def _says_so(text: str, one: Found) -> bool:
    """ "정유찬입니다" says who writes; "배수아씨 아파서" doesn't."""
    after, before = text[one.end :], text[: one.start]
    if not _IS.match(after):
        return False
    return bool(_I.search(before)) or len(before.strip()) <= _OPENING


_OPENING = 24


def known_as(state: GlobalSessionState, linked: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Who writes: the rep that the user is linked to, else who they said to be."""
    told = state.get("speaker")
    return linked or ({name: str(value) for name, value in told.items() if value} if told else None)
