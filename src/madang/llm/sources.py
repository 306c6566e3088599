"""What a model's statement may rest on: the figures and citations that stand in state."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction

from pydantic import BaseModel

from madang.llm.citations import Citation, citation_of, find_citations, is_cited
from madang.llm.figures import Figure, find_figures
from madang.text.laws import LawRef

ANY = ""


@dataclass
class Sources:
    """The figures and citations that may be stated: a bare number in any unit, one with a unit only in that."""

    values: dict[str, set[Fraction]] = field(default_factory=dict)
    dates: set[tuple[int | None, int | None, int | None]] = field(default_factory=set)
    citations: list[Citation] = field(default_factory=list)
    _sorted: dict[str, list[Fraction]] = field(default_factory=dict)

    def add_figures(self, given: object) -> None:
        """Every figure in `given`: numbers, texts, dates, models, and any nesting of them."""
        match given:
            case None | bool():
                return
            case int() | float() | Decimal() | Fraction():
                self._add_number(given)
            case str():
                self._add_text(given)
            case Figure():
                self._add_figure(given)
            case date():
                self.dates.add((given.year, given.month, given.day))
            case BaseModel():
                self.add_figures(given.model_dump())
            case Mapping():
                for key, value in given.items():
                    self.add_figures(key if isinstance(key, str) else None)
                    self.add_figures(value)
            case Iterable():
                for item in given:
                    self.add_figures(item)

    def add_citations(self, given: Iterable[str | LawRef | Citation]) -> None:
        for item in given:
            if isinstance(item, str):
                self.citations += find_citations(item)
            else:
                self.citations.append(item if isinstance(item, Citation) else citation_of(item))

    def has_figure(self, figure: Figure) -> bool:
        """Whether a source has this figure, in whatever form and up to the rounding that its form admits."""
        if figure.date:
            year, month, _ = figure.date
            bare_year = year is not None and month is None and self._near(ANY, Fraction(year), Fraction(0))
            return bare_year or any(_same_date(figure.date, known) for known in self.dates)
        units = (figure.unit, ANY) if figure.unit else tuple(self.values)
        if any(self._near(unit, value, figure.slack) for unit in units for value in figure.values):
            return True
        # A bare number may also be the share behind a percentage, or the years behind the months.
        divisor = {"%": 100, "개월": 12}.get(figure.unit)
        return divisor is not None and any(
            self._near(ANY, value / divisor, figure.slack / divisor) for value in figure.values
        )

    def has_citation(self, citation: Citation) -> bool:
        return is_cited(citation, self.citations)

    def _near(self, unit: str, value: Fraction, slack: Fraction) -> bool:
        known = self._sorted.setdefault(unit, sorted(self.values.get(unit, ())))
        place = bisect_left(known, value - slack)
        return place < len(known) and known[place] <= value + slack

    def _add_number(self, number: float | Decimal | Fraction) -> None:
        try:
            # Through the text: 0.1 should mean a tenth, not the nearest binary fraction.
            value = Fraction(str(number))
        except ValueError:
            return
        self._put(ANY, abs(value))

    def _add_text(self, text: str) -> None:
        for figure in find_figures(text):
            self._add_figure(figure)
        stripped = text.strip().replace(",", "")
        if stripped and len(stripped) < 30 and stripped.lstrip("+-").replace(".", "", 1).isdigit():
            self._put(ANY, abs(Fraction(stripped)))

    def _add_figure(self, figure: Figure) -> None:
        if figure.date:
            self.dates.add(figure.date)
        for value in figure.values:
            self._put(figure.unit, value)

    def _put(self, unit: str, value: Fraction) -> None:
        self.values.setdefault(unit, set()).add(value)
        self._sorted.pop(unit, None)


def _same_date(
    stated: tuple[int | None, int | None, int | None], known: tuple[int | None, int | None, int | None]
) -> bool:
    """Whether everything that was stated is known: "3월 1일" of 2026-03-01, but not the other way round."""
    return all(part is None or part == other for part, other in zip(stated, known, strict=True))
