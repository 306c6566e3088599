"""Who travels."""

from dataclasses import dataclass

from madang.errors import FieldProblem, InvalidState


@dataclass(frozen=True)
class Party:
    """At least one person; everyone is an adult unless said otherwise."""

    adults: int
    children: int = 0
    infants: int = 0

    def __post_init__(self) -> None:
        if min(self.adults, self.children, self.infants) < 0 or self.size < 1:
            raise InvalidState([FieldProblem("num_people", "인원이 올바르지 않습니다", "1명~10명")])

    @property
    def size(self) -> int:
        return self.adults + self.children + self.infants

    def shares(self, child: float, infant: float) -> float:
        """Everyone counted as a share of an adult's price."""
        return self.adults + self.children * child + self.infants * infant


def party_of(people: int, adults: int | None, children: int | None, infants: int | None) -> Party:
    """A party from the slots; the number of people wins where they disagree."""
    young, small = children or 0, infants or 0
    if adults is not None and adults + young + small == people:
        return Party(adults, young, small)
    young = min(young, people)
    small = min(small, people - young)
    return Party(people - young - small, young, small)
