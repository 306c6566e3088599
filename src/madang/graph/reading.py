"""How a message was read: what its writer is doing, which words became which value, and what is left over.

Offsets count characters of the message as it was sent. A `Reading` is part of the state and is never changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NotRequired, get_args

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from madang.text.learnt import Role
    from madang.text.message import Message, Value

ActKind = Literal[
    "ask_whether", "ask_what", "ask_how_much", "ask_how", "ask_why", "ask_which", "order", "change", "add", "take_back",
    "confirm", "deny", "choose", "tell", "thank", "greet", "danger",
]  # fmt: skip
ACT_KINDS: tuple[ActKind, ...] = get_args(ActKind)
By = Literal["parser", "examples", "model", "pending", "form"]
Why = Literal["unknown_word", "no_field", "not_supported", "ambiguous"]
ASIDE = "aside"
NAMED_AT_MOST = 2


class Act(TypedDict):
    """One thing that is done by a part of the message. `task` is what it is about, in the assistant's own words."""

    kind: ActKind
    span: list[int]
    task: NotRequired[str | None]
    sure: NotRequired[float]


class Claim(TypedDict):
    """These words were taken as this value for this field. `span` is null for what was set in a form."""

    span: list[int] | None
    words: str
    field: str
    value: Any
    by: By
    act: int | None
    inferred: bool


class LeftOver(TypedDict):
    """Words that carry meaning and that nobody claimed."""

    span: list[int]
    words: str
    why: Why


class Reading(TypedDict):
    """Acts, claims and what is left over of one message."""

    acts: list[Act]
    claims: list[Claim]
    left: list[LeftOver]


@dataclass(frozen=True)
class Heard:
    """A message parsed and labelled, before an assistant has given its words a destination."""

    message: "Message"
    acts: tuple[Act, ...] = ()
    roles: tuple["Role", ...] = field(default=(), repr=False)

    def act_at(self, place: int) -> int | None:
        """Which act a place of the message belongs to."""
        return next((i for i, act in enumerate(self.acts) if act["span"][0] <= place < act["span"][1]), None)

    def roles_of(self, *names: str) -> list["Role"]:
        """The words that play one of these roles, in order."""
        return [role for role in self.roles if role.name in names]

    def role_at(self, span: Sequence[int]) -> "Role | None":
        """The role that covers a span, if any does."""
        return next((role for role in self.roles if overlap(role.span, span)), None)

    def claim(self, span: Sequence[int], field: str, value: Any, by: By, *, inferred: bool = False) -> Claim:
        """These words of the message, taken as a value for a field."""
        words = self.message.text[span[0] : span[1]]
        where = [span[0], span[1]]
        return Claim(
            span=where, words=words, field=field, value=value, by=by, act=self.act_at(span[0]), inferred=inferred
        )


def read_in_form(values: Mapping[str, Any]) -> Reading:
    """The reading of a turn without a message: what was set in the form."""
    claims = [
        Claim(span=None, words="", field=path, value=value, by="form", act=None, inferred=False)
        for path, value in values.items()
    ]
    return Reading(acts=[], claims=claims, left=[])


def overlap(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def settle(heard: Heard, claims: Iterable[Claim], answered: Iterable[int] | None = None) -> Reading:
    """The reading of a message: the claims made, what was said beside the matter, and all that is left over.

    `answered` are the acts that the plan serves; a question that is not among them is left over. None: all are.
    """
    made = sorted(claims, key=lambda claim: claim["span"] or [-1, -1])
    taken = [claim["span"] for claim in made if claim["span"]]
    asides = [
        heard.claim(role.span, ASIDE, role.words, "examples")
        for role in heard.roles_of(ASIDE)
        if not any(overlap(role.span, span) for span in taken)
    ]
    made = sorted([*made, *asides], key=lambda claim: claim["span"] or [-1, -1])
    left = left_over(heard, [claim["span"] for claim in made if claim["span"]])
    if answered is not None:
        left += _unanswered(heard, set(answered))
    return Reading(acts=list(heard.acts), claims=made, left=_apart(left))


def left_over(heard: Heard, taken: Sequence[Sequence[int]]) -> list[LeftOver]:
    """Parsed values and labelled words that no claim covers. What is quoted is material, not something said."""
    left = [
        _left(heard, role.span, "not_supported")
        for role in heard.roles
        if not any(overlap(role.span, span) for span in taken)
    ]
    covered = [*taken, *(item["span"] for item in left), *heard.message.quotes]
    left += [_left(heard, value.span, "no_field") for value in _matters(heard) if not _covered(value.span, covered)]
    return left


def _matters(heard: Heard) -> list["Value"]:
    """Values in parts of the message that ask, order or tell; thanks and greetings carry none."""
    idle = {i for i, act in enumerate(heard.acts) if act["kind"] in {"thank", "greet"}}
    return [value for value in heard.message.values if heard.act_at(value.span[0]) not in idle]


def _covered(span: Sequence[int], others: Iterable[Sequence[int]]) -> bool:
    return any(overlap(span, other) for other in others)


def _unanswered(heard: Heard, answered: set[int]) -> list[LeftOver]:
    return [
        _left(heard, act["span"], "not_supported")
        for index, act in enumerate(heard.acts)
        if index not in answered and act["kind"].startswith(("ask_", "order"))
    ]


def _left(heard: Heard, span: Sequence[int], why: Why) -> LeftOver:
    return LeftOver(span=[span[0], span[1]], words=heard.message.text[span[0] : span[1]], why=why)


def _apart(left: Iterable[LeftOver]) -> list[LeftOver]:
    """In order; of two that overlap the longer stays."""
    kept: list[LeftOver] = []
    for item in sorted(left, key=lambda one: (one["span"][0], -one["span"][1])):
        if not kept or item["span"][0] >= kept[-1]["span"][1]:
            kept.append(item)
    return kept


def unclaimed_values(reading: Reading, heard: Heard, kinds: Iterable[str], act: int | None = None) -> list["Value"]:
    """Values of these kinds, stated for the same act, that are neither claimed nor an aside: a calculation that takes
    such values must not run before the user has said what they are."""
    spans = [item["span"] for item in reading["left"]]
    return [
        value
        for value in heard.message.values
        if value.kind in set(kinds)
        and any(overlap(value.span, span) for span in spans)
        and (act is None or heard.act_at(value.span[0]) == act)
    ]
