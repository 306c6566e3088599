"""One message read: what it changes in the slots and in the needs, and which words became which value."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.state.slots import EMPTY, LIMITS, Slots
from madang.assistants.travel.state.travel_state import NIGHTS
from madang.assistants.travel.understanding.asked import only_asked
from madang.assistants.travel.understanding.business import after_business, as_own_days, bare_range
from madang.assistants.travel.understanding.english_trip import read_english
from madang.assistants.travel.understanding.needs import read_needs
from madang.assistants.travel.understanding.slots import SlotUpdate, apply, read_slots
from madang.assistants.travel.understanding.slots.city_names import korean_cities
from madang.assistants.travel.understanding.slots.date_shifts import WEEKDAY
from madang.assistants.travel.understanding.slots.masks import masked
from madang.assistants.travel.understanding.slots.questions import next_question
from madang.assistants.travel.understanding.sure_changes import only_sure, partial_people
from madang.assistants.travel.understanding.told import HIDDEN, told_text
from madang.assistants.travel.understanding.trip_days import find_trip_days
from madang.graph.reading import Claim, Heard, overlap
from madang.text.learnt import Role
from madang.text.message import Value

# More than ten people can't travel together here: 150으로 확정할게요 is money, whatever was asked.
_SUM_INSTEAD = re.compile(r"(?<![\d,.])(?:[2-9]\d|\d{3})(?:만|으로|로|이요|요|정도|\s|$)(?!\s?(?:명|인|분))")
_GROWN = re.compile(
    r"부부|어른|성인|시어머니|시부모|부모님|남편|아내|와이프|엄마|아빠|할머니|할아버지|이모|고모|삼촌|친구"
)
_FOR_A_WHILE = re.compile(r"하루는|하루만|반나절|동안|날로|날은|시간은|끼만")
_HEADS = re.compile(
    r"\d\s?명|[한두세네]\s?(?:명|분|사람)|[둘셋넷]이|다섯|여섯|혼자|빠[지진져질]|못\s?[가간온오]|추가|합류|인원|같이|함께|[빠마모부니생구편내들]도(?:요|$|\s)|아들|딸|초등|중학|고등|유치원|학년|개월|\d\s?살|\d\s?인"
)
_YOUNG = re.compile(r"아기|애기|아이|유아|애들?(?![가-힣])|자녀|아들|딸|초등|쌍둥이")
_TOGETHER = re.compile(r"\d\s?명|총|모두|합쳐|다\s?해서|전부|[두세네]\s?명|[둘셋넷]이")
_SHORT = 12
_BRIEF = 40  # letters of English that say one thing
_STATION = re.compile(r"(?:역|터미널|공항|시청|시|군|구)$")
_DAYS = re.compile(r"\d{1,2}\s?[~-]\s?\d{1,2}\s?일?")
_FIELDS: dict[str, tuple[str, ...]] = {
    "city": ("destination", "origin"),
    "region": ("destination",),
    "sight": ("must_visit_places",),
    "airline": ("preferred_airline",),
    "nights": ("duration", "city_nights", "depart_date", "depart_window"),
    "people": ("num_people", "adults", "children", "infants"),
    "money": ("budget", "budget_amount", "lodging_budget"),
    "date": ("depart_date", "depart_window", "return_date", "duration"),
}
_ROLES: dict[str, str] = {
    "destination": "destination",
    "day_trip": "destination",
    "origin": "origin",
    "must_visit": "must_visit_places",
    "avoid": "avoid_places",
    "nights": "duration",
    "travel_dates": "depart_window",
    "depart_date": "depart_date",
    "return_date": "return_date",
    "people": "num_people",
    "child_age": "num_people",
    "budget": "budget",
    "budget_per_person": "budget",
    "lodging_budget": "lodging_budget",
    "style": "travel_style",
    "pace": "pace",
    "airline": "preferred_airline",
    "lodging": "accommodation_preference",
    "booked": "booked",
    "diet": "diet",
    "access": "access",
    "pet": "pets",
    "climate": "climate",
    "reference": "reference",
}
# Who comes and what one likes are said again in other words; a number said again is not.
_LOOSE = frozenset({"num_people", "travel_style", "pace", "accommodation_preference", "diet", "access", "pets"})


@dataclass(frozen=True)
class TripReading:
    """What a message changes, and the claims on its words."""

    update: SlotUpdate
    needs: dict[str, Any] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)


def read_trip(
    heard: Heard, known: Mapping[str, Any], today: date, pending: str | None, assumed: str | None = None
) -> TripReading:
    """The message in the light of what is known and of the question it may answer. `assumed` is the departure that a
    plan stands on without its having been said."""
    settled = bool(known.get("destination"))
    text = told_text(heard, settled=settled)
    if settled:
        text = masked(text, only_asked(heard), HIDDEN)
    if any(claim["field"] == "booked" for claim in read_needs(heard, known)[1]) and "예산" not in text:
        text = masked(text, [value.span for value in heard.message.of("money")], HIDDEN)
    text = masked(text, partial_people(heard), HIDDEN)
    known = _in_that_week(heard, known, assumed)
    if pending == "num_people" and _SUM_INSTEAD.search(text):
        pending = "budget"
    told_days = find_trip_days(heard, known, today)
    stay = after_business(heard) or (None if told_days else bare_range(heard, known, today))
    if stay is None and told_days and (told_days.nights in NIGHTS or not known.get("duration")):
        stay = as_own_days(told_days, heard)
    update = read_slots(masked(text, stay.hidden, HIDDEN) if stay else text, known, today, pending)
    if stay:
        update = replace(update, changes={**update.changes, **stay.changes})
    update = _no_crowd(only_sure(update, heard, known, today, pending, days=stay is not None))
    update = _with_english(heard, update, known)
    update = _no_strange_city(heard, _same_days(heard, known, update), known)
    update = _from_station(heard, _with_the_young(text, known, _same_party(heard, known, update)))
    needs, claims = read_needs(heard, known)
    beside = {"accommodation_preference"} if "hotel" in needs.get("booked", ()) else set()
    beside |= {"travel_style"} if "diet" in needs and not cue("wants_style").search(text) else set()
    if beside:  # what is booked is no wish for a kind of lodging, what one can't eat none for a style
        kept = {name: value for name, value in update.changes.items() if name not in beside}
        update = replace(update, changes=kept)
    if any(claim["field"] == "booked" for claim in claims):
        claims += _paid_sums(heard, claims)
    if stay:
        claims += [heard.claim(span, field, value, "parser") for span, field, value in stay.claims]
    return TripReading(update, needs, claims)


def _paid_sums(heard: Heard, claims: list[Claim]) -> list[Claim]:
    """The sums in the sentences of what is booked: they are paid, and no budget."""
    booked = [claim["span"] for claim in claims if claim["field"] == "booked" and claim["span"]]
    paid = [one for one in heard.message.of("money") if any(overlap(one.span, span) for span in booked)]
    return [heard.claim(one.span, "booked", one.words, "parser") for one in paid]


def _no_crowd(update: SlotUpdate) -> SlotUpdate:
    """생일인 애 12/5: nobody travels with a dozen children; the figure is something else."""
    party = ("adults", "children", "infants")
    if all((update.changes.get(name) or 1) in LIMITS["num_people"] for name in party):
        return update
    return replace(update, changes={name: value for name, value in update.changes.items() if name not in party})


def _with_english(heard: Heard, update: SlotUpdate, known: Mapping[str, Any]) -> SlotUpdate:
    """What English says fills what isn't known or is put right; a sum for each becomes the whole once the people are
    known."""
    said = read_english(heard, known)
    if not said:
        return update
    text = heard.message.text
    put_right = len(text) <= _BRIEF or cue("changes").search(text) is not None
    new = {name: value for name, value in said.items() if put_right or not known.get(name) or name.startswith("budget")}
    gone = tuple(name for name, value in new.items() if value is None and known.get(name))
    changes = {**update.changes, **{name: value for name, value in new.items() if value is not None}}
    changes = {name: value for name, value in changes.items() if name not in new or new[name] is not None}
    update = replace(update, removals=tuple({*update.removals, *gone} - changes.keys()))
    depart, nights = (changes.get(name) or known.get(name) for name in ("depart_date", "duration"))
    if {"depart_date", "duration"} & new.keys() and depart and nights and "depart_date" not in gone:
        changes["return_date"] = (date.fromisoformat(depart) + timedelta(days=nights)).isoformat()
    if "duration" in new and "city_nights" not in new and known.get("city_nights"):
        update = replace(update, removals=(*update.removals, "city_nights"))
    people = changes.get("num_people") or known.get("num_people")
    if "budget_amount" in new:
        changes["budget"] = new["budget_amount"] * people if people else None
    asked = next_question(apply(known, replace(update, changes=changes)), update.problems, update.questions)
    return replace(update, changes=changes, next_question=asked)


def _same_days(heard: Heard, known: Mapping[str, Any], update: SlotUpdate) -> SlotUpdate:
    """아 11월이라 없지: a month in which the trip lies already moves nothing, unless a change is asked for."""
    window, depart = update.changes.get("depart_window"), known.get("depart_date")
    before = known.get("depart_window")
    changes = any(act["kind"] in {"change", "order", "choose"} for act in heard.acts)
    inside = window and (
        (depart and window["from"] <= depart <= window["to"])
        or (before and window["from"] <= before["from"] and before["to"] <= window["to"])
    )
    if not inside or changes or window == before:
        return update
    dates = {"depart_window", "depart_date", "return_date"}
    kept = {name: value for name, value in update.changes.items() if name not in dates}
    return replace(update, changes=kept, removals=tuple(name for name in update.removals if name not in dates))


def _no_strange_city(heard: Heard, update: SlotUpdate, known: Mapping[str, Any]) -> SlotUpdate:
    """친구들이랑 가고 싶다: a word is a town we don't know only if it was read as where to go."""
    strange = [problem for problem in update.problems if problem.field == "destination"]
    if not strange or heard.roles_of("destination") or len(heard.message.text) <= _SHORT:
        return update
    problems = tuple(problem for problem in update.problems if problem.field != "destination")
    asked = next_question(apply(known, update), problems, update.questions)
    return replace(update, problems=problems, next_question=asked)


def _in_that_week(heard: Heard, known: Mapping[str, Any], assumed: str | None) -> Mapping[str, Any]:
    """목요일로 바꿔줘, of a plan whose day was assumed: the Thursday of that week."""
    days = heard.message.of("date")
    if known.get("depart_date") or known.get("depart_window") or not assumed or not days:
        return known
    if any(not WEEKDAY.fullmatch(value.words.strip()) for value in days):
        return known
    monday = date.fromisoformat(assumed) - timedelta(days=date.fromisoformat(assumed).weekday())
    week = {"from": monday.isoformat(), "to": (monday + timedelta(days=6)).isoformat()}
    return {**known, "depart_window": week}


def _same_party(heard: Heard, known: Mapping[str, Any], update: SlotUpdate) -> SlotUpdate:
    """아기 병원 갈 일, of the child that is known: who travels stays as it was unless the party is spoken of."""
    young = known.get("children") or known.get("infants")
    told = heard.roles_of("people", "child_age")
    of_a_day = known.get("num_people") and not told and not _HEADS.search(heard.message.text)
    alone = (known.get("num_people") or 0) > 1 and update.changes.get("num_people") == 1
    of_a_day = of_a_day or (alone and _FOR_A_WHILE.search(heard.message.text))
    if not of_a_day and (not young or "num_people" in update.changes or told):
        return update
    party = {"adults", "children", "infants", "num_people"}
    changes = {name: value for name, value in update.changes.items() if name not in party}
    return replace(update, changes=changes, removals=tuple(name for name in update.removals if name not in party))


def _with_the_young(text: str, known: Mapping[str, Any], update: SlotUpdate) -> SlotUpdate:
    """어른은 저희 부부요, once the children are known: the grown-ups are named, the children come beside them."""
    young = (known.get("children") or 0) + (known.get("infants") or 0)
    grown = update.changes.get("num_people")
    told = not known.get("num_people") and young and grown
    if not told or not _GROWN.search(text) or _TOGETHER.search(text) or _YOUNG.search(text):
        return update
    assert grown is not None
    kept = tuple(name for name in update.removals if name not in {"children", "infants"})
    changes = {name: value for name, value in update.changes.items() if name not in {"children", "infants"}}
    return replace(update, changes={**changes, "adults": grown, "num_people": grown + young}, removals=kept)


def _from_station(heard: Heard, update: SlotUpdate) -> SlotUpdate:
    """서울역에서 KTX 타고, 청주공항으로 바꿔: a station or airport tells the city one starts from."""
    text = heard.message.text
    for value in heard.message.of("city"):
        airport = cue("airport").match(text, value.span[1])
        if airport and value.value.name in korean_cities() and cue("from_there").search(text, airport.end()):
            return replace(update, changes={**update.changes, "origin": value.value.name})
    for role in heard.roles_of("origin"):
        city = next((name for name in _cities_near(role) if name in korean_cities()), None)
        if city and (role.value is None or role.value.kind == "place") and "origin" not in update.changes:
            return replace(update, changes={**update.changes, "origin": city})
    return update


def _cities_near(role: Role) -> Iterator[str]:
    """Names a place of departure may be known by: its own, its county's, its province's."""
    yield _STATION.sub("", role.words.strip())
    if role.value is not None and role.value.kind == "place":
        yield _STATION.sub("", str(role.value.value.sigungu or "").split(" ")[0])
        yield str(role.value.value.sido or "")[:2]


def claims_of(heard: Heard, slots: Slots, update: SlotUpdate, made: list[Claim], *, pending: bool) -> list[Claim]:
    """Claims for what went into the slots, beside those made: a value's words, or the words of a role whose slot is
    filled after the message."""
    after = apply(slots, update)
    taken = [claim["span"] for claim in made if claim["span"]]
    moved = {*update.changes, *update.removals}
    claims = list(made)
    for span, slot in _spoken(heard, moved, after):
        if not any(overlap(span, other) for other in taken):
            claims.append(heard.claim(span, slot, after.get(slot), "pending" if pending else _by(heard, span)))
            taken.append([*span])
    return claims


def _spoken(heard: Heard, moved: set[str], after: Slots) -> Iterator[tuple[tuple[int, int], str]]:
    for role in heard.roles:
        slot = _ROLES.get(role.name)
        if slot == "reference":
            yield role.span, slot
            continue
        if slot is None and _DAYS.fullmatch(role.words):
            slot = "depart_date"
        if slot is None:
            continue
        others = _FIELDS.get(role.value.kind, ()) if role.value else ()
        chosen = next((name for name in (slot, *others) if name in moved), None)
        if chosen is None and slot in _LOOSE and after.get(slot) not in EMPTY:
            chosen = slot
        if chosen is None and after.get(slot) not in EMPTY and _says(role.value, after.get(slot)):
            chosen = slot
        if chosen:
            yield role.span, chosen
    for value in heard.message.values:
        fields = ("duration",) if value.kind == "duration" and value.value.hours == 0 else _FIELDS.get(value.kind, ())
        chosen = next((name for name in fields if name in moved), None)
        if chosen:
            yield value.span, chosen


def _says(value: Value | None, known: Any) -> bool:
    """Whether a value repeats what is known."""
    name = getattr(value.value, "name", None) if value else None
    return name is not None and (name == known or (isinstance(known, list) and name in known))


def _by(heard: Heard, span: tuple[int, int]) -> Any:
    role = heard.role_at(span)
    return "examples" if role is not None and role.value is None else "parser"
