"""How well the travel assistant reads slots, on dialogues written before the reader.

Each turn of `data/travel-slots.*.jsonl` says what the turn changes; the expected state is their accumulation, with the
return date and a total basis filled in. Who is grown and who isn't is compared once a dialogue says it, the first of
several cities only where it is named. `dev` was tuned on; `test` was written by another author and measured once.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from itertools import permutations
from random import Random
from typing import Any

from bench import Row
from madang.assistants.travel.data.cities import Place, all_cities, load_city
from madang.assistants.travel.tools.itinerary import ItineraryQuery, plan_itinerary
from madang.assistants.travel.tools.itinerary.model import Window
from madang.assistants.travel.tools.itinerary.movement import tour_minutes
from madang.assistants.travel.tools.itinerary.schedule import schedule
from madang.assistants.travel.tools.itinerary.visit_order import best_order
from madang.assistants.travel.tools.itinerary.windows import base_of
from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.reading import read_trip
from madang.assistants.travel.understanding.slots import apply
from madang.assistants.travel.understanding.slots.questions import beside_question

COMPARED = (
    "destination", "destinations", "duration", "budget", "budget_basis", "num_people", "adults", "children", "infants",
    "travel_style", "origin", "depart_date", "return_date", "depart_window", "preferred_airline",
    "accommodation_preference", "budget_flexibility", "must_visit_places", "pace",
)  # fmt: skip
_EMPTY: tuple[Any, ...] = (None, [], {}, "")
_DEPART = date(2026, 4, 17)
_SETS = ("travel_style", "must_visit_places", "destinations")
_IF_SAID = ("adults", "children", "infants")


@dataclass
class Score:
    """Counts over one set of dialogues."""

    slots: int = 0
    right: int = 0
    changed: int = 0
    changed_right: int = 0
    turns: int = 0
    exact_turns: int = 0
    dialogues: int = 0
    exact_dialogues: int = 0
    asked: int = 0
    asked_right: int = 0
    refused: int = 0
    refused_right: int = 0


def dialogues(split: str) -> list[dict[str, Any]]:
    """The dialogues of `dev` or `test`."""
    text = (files("bench") / "data" / f"travel-slots.{split}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def score(split: str) -> tuple[Score, list[str]]:
    """The score of a set and a line for each wrong slot."""
    return measured(dialogues(split))


def measured(conversations: list[dict[str, Any]]) -> tuple[Score, list[str]]:
    """The score of these dialogues and a line for each wrong slot."""
    total, wrong = Score(), []
    for dialogue in conversations:
        exact = True
        for turn, (right, missed) in enumerate(_turns(dialogue, total)):
            exact = exact and right
            wrong += [f"{dialogue['id']}.{turn} {line}" for line in missed]
        total.dialogues += 1
        total.exact_dialogues += exact
    return total, wrong


def _turns(dialogue: dict[str, Any], total: Score) -> Iterator[tuple[bool, list[str]]]:
    slots: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    pending: str | None = "destination"
    today = date.fromisoformat(dialogue["today"])
    for turn in dialogue["turns"]:
        update = read_trip(heard_on(turn["user"], today), slots, today, pending).update
        slots = apply(slots, update)
        asked = update.next_question or beside_question(slots)
        pending = asked.slot if asked else None
        expected = _expected(expected, turn["changes"])
        missed = []
        for name in COMPARED:
            want, got = _plain(name, expected.get(name)), _plain(name, slots.get(name))
            if want in _EMPTY and got in _EMPTY and name not in turn["changes"]:
                continue
            if _left_open(name, expected, turn["changes"]):
                continue
            total.slots += 1
            total.right += want == got
            if name in turn["changes"]:
                total.changed += 1
                total.changed_right += want == got
            if want != got:
                missed.append(f"{turn['user']!r} {name}: wanted {want!r}, got {got!r}")
        if "asks" in turn:
            total.asked += 1
            total.asked_right += pending == turn["asks"]
            if pending != turn["asks"]:
                missed.append(f"{turn['user']!r} asks: wanted {turn['asks']}, got {pending}")
        for name in turn.get("problems", []):
            total.refused += 1
            total.refused_right += any(problem.field == name for problem in update.problems)
        total.turns += 1
        right = not any(": wanted" in line and " asks:" not in line for line in missed)
        total.exact_turns += right
        yield right, missed


def _left_open(name: str, expected: dict[str, Any], changes: dict[str, Any]) -> bool:
    """What a dialogue doesn't say for certain is neither right nor wrong."""
    if name == "destination":
        return name not in changes and bool(expected.get("destinations"))
    return name in _IF_SAID and name not in expected


def _expected(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    after = {**before, **changes}
    if len(after.get("destinations") or ()) == 1:
        after |= {"destination": after["destinations"][0], "destinations": None}
    if "budget" in changes and changes["budget"] and "budget_basis" not in changes:
        after["budget_basis"] = before.get("budget_basis") or "total"
    if "budget" in changes and changes["budget"] is None:
        after["budget_basis"] = None
    depart, nights = after.get("depart_date"), after.get("duration")
    after["return_date"] = (
        (date.fromisoformat(depart) + timedelta(days=nights)).isoformat() if depart and nights else None
    )
    return after


def _plain(name: str, value: Any) -> Any:
    if value in _EMPTY:
        return None
    return sorted(value) if name in _SETS and isinstance(value, list) else value


def eval_travel() -> list[Row]:
    """Slot accuracy per turn and per dialogue, on both halves."""
    rows = []
    for split, note in (("dev", "tuned on"), ("test", "another author, measured once; 0.930 then")):
        found, _ = score(split)
        rows += [
            Row(
                measure=f"slots right after each turn ({split})",
                value=found.right / found.slots,
                goal="≥ 0.92",
                note=note,
            ),
            Row(measure=f"slots a turn changed, right ({split})", value=found.changed_right / found.changed, note=note),
            Row(measure=f"turns with every slot right ({split})", value=found.exact_turns / found.turns, note=note),
            Row(
                measure=f"dialogues right throughout ({split})",
                value=found.exact_dialogues / found.dialogues,
                note=note,
            ),
            Row(measure=f"questions as expected ({split})", value=found.asked_right / max(1, found.asked), note=note),
        ]
        if found.refused:
            rows.append(
                Row(measure=f"bad values refused ({split})", value=found.refused_right / found.refused, note=note)
            )
    return rows


def itinerary() -> list[Row]:
    """Minutes of travel of planned trips beside the same places merely listed; single days beside the optimum."""
    planned = listed = 0
    for city in all_cities():
        for nights in (2, 4):
            _, gained = plan_itinerary(ItineraryQuery((city,), _DEPART, nights))
            planned += gained["total_travel_minutes"]
            listed += gained["unordered_travel_minutes"]
    exact, moving, given, best = _single_days()
    heuristic, optimum = _larger_days()
    return [
        Row(
            measure="travel minutes, all cities, 2 and 4 nights",
            value=planned,
            unit="min",
            peer="the same places listed by appeal",
            peer_value=listed,
        ),
        Row(
            measure="travel minutes of random 5-place days",
            value=moving,
            unit="min",
            peer="the order given",
            peer_value=given,
        ),
        Row(
            measure="cost of those days",
            value=exact,
            unit="min",
            peer="brute force over all orders",
            peer_value=best,
            goal="1.0",
        ),
        Row(
            measure="cost of random 7-place days (insertion and 2-opt)",
            value=heuristic,
            unit="min",
            peer="brute force over all orders",
            peer_value=optimum,
            goal="≤ 1.05",
        ),
    ]


def _single_days() -> tuple[int, int, int, int]:
    """Five places a day: the cost and the minutes of ours, in the order drawn, and the least cost of all orders."""
    ours = moving = given = best = 0
    for window, places in _random_days(5, 60):
        found = best_order(window, places)
        if found:
            ours += found.cost
            moving += found.moving
            given += tour_minutes(window.base, places)
            best += _brute(window, places)
    return ours, moving, given, best


def _larger_days() -> tuple[int, int]:
    ours = best = 0
    for window, places in _random_days(7, 8):
        found = best_order(window, places)
        if found:
            ours += found.cost
            best += _brute(window, places)
    return ours, best


def _brute(window: Window, places: list[Place]) -> int:
    return min(timed.cost for order in permutations(places) if (timed := schedule(window, order)))


def _random_days(size: int, count: int) -> Iterator[tuple[Window, list[Place]]]:
    draw = Random(7)
    for city in draw.choices(sorted(all_cities()), k=count):
        short = [place for place in load_city(city).places if place.minutes <= 90]
        window = Window(1, _DEPART, city, 7 * 60, 24 * 60, base_of(city), size, "packed")
        yield window, draw.sample(short, size)


SUITES = {"eval-travel": eval_travel, "itinerary": itinerary}
