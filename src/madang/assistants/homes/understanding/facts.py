"""Facts by role: which words of a message became which field, and what they add to what is known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from madang.graph.reading import Claim, Heard
from madang.text.learnt import Role
from madang.text.message import Value

SURE, SURELY = 0.8, 0.8
_SUMS = ("deposit", "rent", "price", "senior_debt", "other_deposits", "income")
_FIELDS: Mapping[str, str] = {
    "deposit": "deposit",
    "rent": "monthly_rent",
    "price": "price",
    "senior_debt": "senior_debt",
    "other_deposits": "other_deposits",
    "income": "annual_income",
    "area": "area_m2",
    "region": "region",
    "property": "property_type",
    "deal": "deal_type",
    "age": "age",
    "homes_owned": "homes_owned",
    "end_date": "contract_end",
    **{
        name: f"lease_facts.{name}"
        for name in (
            "old_deposit", "new_deposit", "old_rent", "new_rent", "loan", "key_money", "cost", "rate", "start_date",
            "lived", "term", "notice", "arrears", "address",
        )
    },
}  # fmt: skip
# Words that are looked up, named in a document or kept as they are.
_USED_AS_SAID = frozenset(
    ["topic", "party", "law", "clause", "document", "reference", "person", "special_term", "wish", "event_date"]
)
_IN_WORDS = frozenset(["lived", "term", "notice", "arrears", "address"])


@dataclass(frozen=True)
class Told:
    """What a message tells: fields of the state (a fact of a lease under `lease_facts`), and the claims for them."""

    slots: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()


def told_by(heard: Heard, slots: Mapping[str, Any], used: Mapping[str, Any], served: str | None) -> Told:
    """What the roles of a message's words give. Slots that parsers have read stay; `used` are values that a calculator
    takes; `served` is the field that takes words as they are (a legal question, a document), if anything does."""
    found: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    claims: list[Claim] = []
    for role in heard.roles:
        path = _FIELDS.get(role.name)
        if role.name in _USED_AS_SAID and served:
            claims.append(heard.claim(role.span, served, role.words, "examples"))
        if path is not None and role.sure < SURE and served:
            claims.append(heard.claim(role.span, served, role.words, "examples"))
        if path is None or role.sure < SURE:
            continue
        name = path.removeprefix("lease_facts.")
        value = slots.get(name) if name in slots else value_of(role)
        if value is None:
            claims += [heard.claim(role.span, served, role.words, "examples")] if served else []
            continue
        claims.append(heard.claim(role.span, path, value, "parser" if name in slots else "examples"))
        if name != path:
            facts[name] = value
        elif name not in slots:
            found[name] = value
    claims += _parsed(heard, {**slots, **used}, served, [claim["span"] or [0, 0] for claim in claims])
    return Told(found, facts, tuple(claims))


def sums_by_role(heard: Heard) -> dict[str, int]:
    """The sums whose roles are told for sure, by slot: those that parsers may leave open."""
    found: dict[str, int] = {}
    for role in heard.roles_of(*_SUMS):
        if role.sure >= SURELY and isinstance(value := value_of(role), int):
            found.setdefault(_FIELDS[role.name], value)
    return found


def value_of(role: Role) -> Any:
    """The value of a role's words as the state holds it; None if it has none."""
    if role.name in _IN_WORDS:
        return role.words
    value = role.value.value if role.value else None
    won = getattr(value, "won", None)
    if won is not None:
        return int(won) * (12 if role.name == "income" and getattr(value, "per", None) == "month" else 1)
    if (percent := getattr(value, "percent", None)) is not None:
        return float(percent)
    if role.name in ("start_date", "end_date", "event_date") and (day := getattr(value, "end", None)) is not None:
        return day.isoformat()
    return None


def _parsed(heard: Heard, used: Mapping[str, Any], served: str | None, taken: Iterable[Any]) -> list[Claim]:
    """Values that a parser's slot or a calculator took, and what a legal question is asked with beside its sums."""
    words = {at for span in taken for at in range(*span)}
    claims = []
    for value in heard.message.values:
        if not words.isdisjoint(range(*value.span)):
            continue
        name = next((name for name, kept in used.items() if _same(value, kept)), None)
        if name is not None:
            claims.append(heard.claim(value.span, name, used[name], "parser"))
        elif served and value.kind in ("date", "law", "place", "people", "nights", "time", "duration", "count"):
            claims.append(heard.claim(value.span, served, value.words, "parser"))
    return claims


def _same(value: Value, kept: Any) -> bool:
    """Whether a value that was parsed is the one that was kept, in whatever form."""
    inner = value.value
    forms = {getattr(inner, "won", None), getattr(inner, "percent", None), getattr(inner, "sqm", None)}
    if (end := getattr(inner, "end", None)) is not None and hasattr(end, "isoformat"):
        forms.add(end.isoformat())
    if (won := getattr(inner, "won", None)) is not None:
        forms.add(won * 12)
    if (percent := getattr(inner, "percent", None)) is not None:
        forms.add(str(percent / 100))
    name = getattr(inner, "name", None)
    known = [form for form in forms if form is not None]
    return kept is not None and (kept in known or (isinstance(kept, str) and isinstance(name, str) and name in kept))
