"""Of what was read into the slots, only what is sure: a date, number or place keeps no role that its words don't carry.

What a trip has already is changed only where a change is asked for; a question changes nothing. What is dropped here
stays in the message as left over, so it is named instead of turned into something else.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.state.slots import EMPTY
from madang.assistants.travel.understanding.slots import SlotUpdate, apply
from madang.assistants.travel.understanding.slots.questions import next_question
from madang.assistants.travel.understanding.told import is_question
from madang.graph.reading import Heard, overlap
from madang.text.clauses import Span

DATES = ("depart_date", "return_date", "depart_window")
NIGHTS = ("duration", "city_nights")
PEOPLE = ("num_people", "adults", "children", "infants")
MONEY = ("budget", "budget_basis", "budget_amount", "budget_total_said", "budget_flexibility")
PLACES = ("destination", "destinations")
_SURE = 0.6
_SHORT = 18
_BRIEF = 32
_DATE_ROLES = ("travel_dates", "depart_date", "return_date")


@dataclass(frozen=True)
class Told:
    """A message beside what is known before it."""

    heard: Heard
    known: Mapping[str, Any]
    today: date
    pending: str | None

    @property
    def text(self) -> str:
        return self.heard.message.text

    def has(self, *names: str) -> bool:
        return any(self.known.get(name) not in EMPTY for name in names)

    def sentences(self, kinds: tuple[str, ...], roles: tuple[str, ...]) -> list[Span]:
        """The sentences in which such a value or role stands."""
        spans = [value.span for value in self.heard.message.values if value.kind in kinds]
        spans += [role.span for role in self.heard.roles_of(*roles)]
        return [one for one in self.heard.message.sentences if any(overlap(one, span) for span in spans)]

    def asks(self, span: Span) -> bool:
        acts = [index for index, act in enumerate(self.heard.acts) if overlap(act["span"], span)]
        return any(is_question(self.heard, index) for index in acts) and not self.says("orders", span)

    def says(self, name: str, span: Span) -> bool:
        return cue(name).search(self.text[slice(*span)]) is not None

    def changes_in(self, span: Span) -> bool:
        """Whether a sentence asks for a change, by its words or by what was learnt."""
        acts = [act for act in self.heard.acts if overlap(act["span"], span)]
        learnt = any(act["kind"] in {"change", "take_back", "choose"} and act.get("sure", 0) >= _SURE for act in acts)
        return learnt or self.says("changes", span)

    def role(self, names: tuple[str, ...], least: float = _SURE) -> bool:
        return any(role.sure >= least for role in self.heard.roles_of(*names))


def only_sure(
    update: SlotUpdate, heard: Heard, known: Mapping[str, Any], today: date, pending: str | None, *, days: bool
) -> SlotUpdate:
    """The update without what is not sure. `days`: the days were told as a way there and back, and are sure."""
    told = Told(heard, known, today, pending)
    update = _without_left_out(told, update)
    if _plain(told) and not _within_trip(told, update):
        return update
    rules: list[tuple[tuple[str, ...], Callable[[Told, SlotUpdate], bool]]] = [
        (PEOPLE, _people), (MONEY, _money), (PLACES, _places), (("travel_style",), _style),
        (("accommodation_preference",), _lodging), (("must_visit_places",), _must), (("origin",), _origin),
    ]  # fmt: skip
    if not days:
        rules += [(DATES, _dates), (NIGHTS, _nights)]
    dropped = {
        name
        for names, sure in rules
        if any(name in update.changes or name in update.removals for name in names) and not sure(told, update)
        for name in names
    }
    refused = {problem.field for problem in update.problems}
    doubtful = {
        names[0] for names, sure in rules if names[0] in refused and not (sure(told, update) and _counts(told, names))
    }
    if not dropped and not doubtful:
        return update
    changes = {name: value for name, value in update.changes.items() if name not in dropped}
    removals = tuple(name for name in update.removals if name not in dropped)
    problems = tuple(one for one in update.problems if one.field not in doubtful)
    questions = tuple(one for one in update.questions if one.slot not in dropped)
    kept = replace(update, changes=changes, removals=removals, problems=problems, questions=questions)
    return replace(kept, next_question=next_question(apply(known, kept), problems, questions))


def _plain(told: Told) -> bool:
    """A short message that tells and asks nothing: it says what it says."""
    whole = (0, len(told.text))
    return (
        len(told.text) <= _BRIEF
        and "?" not in told.text
        and not any(
            told.says(name, whole)
            for name in ("not_travel_days", "not_a_budget", "asks", "for_a_day", "town_sums", "of_a_day", "leaves_out")
        )
    )


def _counts(told: Told, names: tuple[str, ...]) -> bool:
    """Whether a number out of range was really said for the slot."""
    kinds = {"duration": ("nights", "duration"), "num_people": ("people",), "budget": ("money",)}
    return names[0] not in kinds or bool(told.sentences(kinds[names[0]], ()))


def _dates(told: Told, update: SlotUpdate) -> bool:
    if told.pending in DATES:
        return True
    leaves = [v for v in told.heard.message.of("date") if cue("now_leaving").match(told.text, v.span[1])]
    if leaves and not told.says("not_travel_days", leaves[0].span):
        return True
    spans = told.sentences(("date", "nights"), _DATE_ROLES)
    telling = [span for span in spans if not told.says("not_travel_days", span)]
    if told.has("depart_date", "depart_window"):
        within = _within_trip(told, update)
        return any(
            (told.says("changes", span) if within else told.changes_in(span)) and not told.asks(span)
            for span in telling
        )
    sure = told.role(_DATE_ROLES) or any(told.says("leaving", span) for span in telling)
    return bool(telling) and (sure or len(told.text) <= _SHORT)


def _within_trip(told: Told, update: SlotUpdate) -> bool:
    """26일에 오타루: a day of the trip to see something on is no departure, unless a change is asked for."""
    first, last = str(told.known.get("depart_date") or ""), str(told.known.get("return_date") or "")
    day = update.changes.get("depart_date")
    return day is not None and "must_visit_places" in update.changes and bool(first) and first < day <= last


def _nights(told: Told, _update: SlotUpdate) -> bool:
    if told.pending == "duration":
        return True
    spans = [one for one in told.sentences(("nights",), ("nights",)) if not told.says("not_travel_days", one)]
    if told.has("duration"):
        return any(told.changes_in(span) and not told.asks(span) for span in spans) or (
            len(told.text) <= _SHORT and bool(spans) and not any(told.asks(span) for span in spans)
        )
    others = [one for one in told.heard.message.sentences if not told.says("not_travel_days", one)]
    counted = any(told.says("nights", span) for span in others)
    return counted or told.role(("nights",)) or told.role(("travel_dates", "return_date"))


def _people(told: Told, _update: SlotUpdate) -> bool:
    if told.pending == "num_people":
        return True
    if told.says("for_a_day", (0, len(told.text))):
        return False
    spans = told.sentences(("people", "age"), ("people", "child_age")) or list(told.heard.message.sentences)
    telling = [span for span in spans if not told.says("some_of_them", span) or told.says("all_of_them", span)]
    if told.has("num_people"):
        return any(told.says("party_changes", span) and not told.says("for_a_day", span) for span in telling)
    return bool(telling)


def _money(told: Told, update: SlotUpdate) -> bool:
    sums = {"budget", "budget_amount"} & {*update.changes, *update.removals}
    if told.pending == "budget" or (not sums and told.says("budget", (0, len(told.text)))):
        return True
    spans = told.sentences(("money",), ("budget", "budget_per_person"))
    spans = spans or [one for one in told.heard.message.sentences if told.says("budget_word", one)]
    telling = [span for span in spans if not told.says("not_a_budget", span) and not told.says("town_sums", span)]
    follows = "num_people" in update.changes and "budget_amount" not in update.changes
    if told.has("budget") or follows:
        return follows or any(told.changes_in(span) or told.says("budget", span) for span in telling)
    return bool(telling) and (told.role(("budget", "budget_per_person"), 0.45) or _said(told, "budget", telling))


def _places(told: Told, update: SlotUpdate) -> bool:
    text = told.text
    if told.pending == "destination" and len(text) <= 2 * _SHORT:
        return True
    cities = {update.changes.get("destination"), *(update.changes.get("destinations") or ())} - {None}
    if told.has("destinations") and cities <= {*told.known["destinations"]}:
        return True
    named = [value for value in told.heard.message.of("city") if value.value.name in cities]
    going = [
        value
        for value in named
        if not cue("airport").match(text, value.span[1]) and not cue("lives_in").search(text[: value.span[0]])
    ]
    if named and not going:
        return False
    if not told.has("destination") or told.says("changes_goal", (0, len(text))):
        return True
    chosen = any(cue("chosen_city").match(text, value.span[1]) for value in going)
    added = told.role(("day_trip",)) or any(cue("added_city").match(text, value.span[1]) for value in going)
    return chosen or added or bool(update.removals)


def _style(told: Told, update: SlotUpdate) -> bool:
    """A style once named in a wish; an ordinary verb in a question or a worry is none."""
    if told.pending == "travel_style" or "travel_style" in update.removals:
        return True
    spans = [one for one in told.heard.message.sentences if not told.asks(one)]
    if told.has("duration") and len(told.text) > _SHORT:
        spans = [one for one in spans if told.changes_in(one) or told.says("wants_style", one)]
    parts = [part for span in spans for part in _parts(told.text, span) if not told.says("of_a_day", part)]
    return any(told.says("styles", part) for part in parts)


def _parts(text: str, span: Span) -> Iterator[Span]:
    """What stands between the commas of a sentence: a list of wishes is one sentence."""
    start = span[0]
    for part in text[slice(*span)].split(","):
        yield start, start + len(part)
        start += len(part) + 1


def _lodging(told: Told, _update: SlotUpdate) -> bool:
    spans = [one for one in told.heard.message.sentences if told.says("lodging", one)]
    return any(not told.asks(span) and not told.says("only_price", span) for span in spans)


def _must(told: Told, update: SlotUpdate) -> bool:
    text = told.text
    if {*(update.changes.get("must_visit_places") or ())} <= {*(told.known.get("must_visit_places") or ())}:
        return True
    wanted = {*(update.changes.get("must_visit_places") or ())}
    spans = [value.span for value in told.heard.message.of("sight") if value.value.name in wanted]
    return not any(cue("left_out").match(text, span[1]) for span in spans)


def _without_left_out(told: Told, update: SlotUpdate) -> SlotUpdate:
    """유니버설 꼭 가고 도톤보리는 빼주세요: of the places named only those that are wanted are musts."""
    places = update.changes.get("must_visit_places")
    out = {
        value.value.name for value in told.heard.message.of("sight") if cue("left_out").match(told.text, value.span[1])
    }
    if not places or not out & {*places}:
        return update
    others = {name: value for name, value in update.changes.items() if name != "must_visit_places"}
    kept = [place for place in places if place not in out]
    return replace(update, changes={**others, "must_visit_places": kept} if kept else others)


def _origin(told: Told, _update: SlotUpdate) -> bool:
    return not told.has("origin") or told.says("from_there", (0, len(told.text))) or told.pending == "origin"


def partial_people(heard: Heard) -> list[Span]:
    """Words that count some of a party, minutes or a kind of room: they are no number of travellers."""
    text = heard.message.text
    if cue("party_changes").search(text) and len(text) <= _BRIEF:
        return []
    spans = [match.span() for match in cue("part_of_party").finditer(text)]
    whole = cue("whole_party").search(text)
    if whole is None or cue("of_them").search(text):
        return spans
    others = [value.span for value in heard.message.of("people") if not overlap(value.span, whole.span())]
    return [*spans, *others]


def _said(told: Told, name: str, spans: list[Span]) -> bool:
    return any(told.says(name, span) for span in spans)
