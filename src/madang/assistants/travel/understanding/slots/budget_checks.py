"""What follows from a budget once the people are known, and when to ask whose it is."""

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.world import distance_between, locate, other_cities
from madang.assistants.travel.state.slots import LIMITS
from madang.assistants.travel.tools.flights import adult_fare
from madang.assistants.travel.understanding.slots.slot_update import Draft, SlotQuestion

_UNCLEAR_SHARE = 0.9


def total_from_people(draft: Draft) -> None:
    """A budget per person becomes a total once the people are known."""
    amount, people = draft.get("budget_amount"), draft.get("num_people")
    if draft.get("budget_basis") != "per_person" or not amount:
        return
    if not people:
        draft.set("budget", None)
        return
    if amount * people in LIMITS["budget"]:
        draft.set("budget", amount * people)
        return
    draft.set("budget", None)
    if not any(problem.field == "budget" for problem in draft.problems):
        draft.put_number("budget", amount * people)


def ask_basis(draft: Draft) -> None:
    """A bare sum that can't even pay the cheapest way there, for several people, may have been meant per person.

    A sum said to be the whole, or planned with before, is not asked about when someone joins or leaves."""
    budget, people = draft.get("budget"), draft.get("num_people")
    if draft.get("budget_basis") != "total" or not budget or not people or people < 2:
        return
    if draft.before.get("budget") == budget and draft.before.get("num_people"):
        return
    per_person_total = budget * people
    if draft.get("budget_total_said") or per_person_total not in LIMITS["budget"]:
        return
    fare = _cheapest_fare(draft)
    if fare and budget < fare * people * _UNCLEAR_SHARE:
        draft.questions.append(
            SlotQuestion(
                "budget_basis",
                f"말씀하신 {budget // 10_000:,}만원은 전체 예산인가요, 1인당 예산인가요?",
                "ambiguous",
                ("전체", "1인당"),
            )
        )


def _cheapest_fare(draft: Draft) -> float | None:
    goal = draft.get("destination")
    if not goal or (goal not in all_cities() and goal not in other_cities()):
        return None
    start, end = locate(draft.get("origin") or "서울"), locate(goal)
    return adult_fare(distance_between(start, end), "budget") if not (start.domestic and end.domestic) else None
