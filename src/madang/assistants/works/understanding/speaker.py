"""Who is speaking, as they say it themselves: 신입 정유찬입니다, 저 차민결이고, a bare name after being asked."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from madang.assistants.works.data import load
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.session import Speaker
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import Found, scan
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph import Answer
from madang.text.calendars import is_day_off

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
    if one.meaning.name in _UNITS and _ROLE.match(after) and (_OPENED.match(before) or _I.search(before)):
        return True
    if not _IS.match(after):
        return False
    return bool(_I.search(before)) or len(before.strip()) <= _OPENING


_OPENING = 24
# "대전지점 신입입니다", "강북지점장인데": a unit with what one is there.
_ROLE = re.compile(
    r"\s?(?:지점장|팀장|장|소속|신입|담당|영업|사원|대리|과장|차장|부장|직원|\d{1,2}\s?년\s?차)[가-힣0-9 ]{0,8}?"
    r"(?:이에요|예요|입니다|임다|이고|인데|이라서?|입니더|임(?![가-힣])|올시다|,|\.)"
)
_OPENED = re.compile(r"^(?:안녕\S{0,4}[\s.!~]{1,3}|저는?\s|나\s|입사\S{0,6}\s|이번\S{0,6}\s|\S{0,4}입사한\s){0,4}$")


def who_was_asked(message: Incoming) -> bool:
    """Whether this conversation has asked already who writes."""
    said = message.state.get("conversation_history") or ()
    return any(WHO in (one.get("content") or "") for one in said if one.get("role") == "assistant")


WHO = "누구신지 아직 몰라서"
_LEFT = re.compile(r"영업일|근무일|남[았은음겨]|며칠")
SHOWN = 6


def ask_who(message: Incoming) -> Answer:
    """Ask once who writes, with what to choose from, and what can be said without knowing."""
    words = load("words")["who"]
    teams = list(dict.fromkeys(message.teams.values()))[:SHOWN]
    parts = [words["ask"].format(teams=", ".join(teams)) if teams else words["bare"]]
    if message.sample:
        parts.append(words["sample"])
    if _LEFT.search(message.text):
        left = working_days_left(message.today)
        parts.append(words["days"].format(month=message.today.month, left=left, today=left + 1))
    return Answer(type="clarification", answer="\n\n".join(parts), structured_data={"choices": teams})


def working_days_left(today: date) -> int:
    """The working days of the month after today."""
    last = (today.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return sum(not is_day_off(today + timedelta(days=n)) for n in range(1, (last - today).days + 1))


def known_as(state: GlobalSessionState, linked: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Who writes: the rep that the user is linked to, else who they said to be."""
    told = state.get("speaker")
    return linked or ({name: str(value) for name, value in told.items() if value} if told else None)
