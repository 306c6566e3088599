"""What the evidence of one answer gives, read once: its facts, the user's own figures and days, names, tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from madang.llm.calendar import days_told, years_of
from madang.llm.citations import find_citations
from madang.llm.evidence import Evidence, Fact, Table
from madang.llm.figures import Figure, blank, find_figures
from madang.llm.grounds import Grounds, Signed, clocked, grounds_of, names_of, signed_figures
from madang.llm.proposals import Proposals
from madang.llm.workings import products_of
from madang.text.numerals import numerals
from madang.text.people import find_people

ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![a-z0-9-])[a-z0-9-]+\.(?:go|or|co)\.kr", re.IGNORECASE)
# 1000에 65: what a user says without a unit is a sum in 만원.
_UNITLESS = re.compile(r"(?<![\d.,])\d[\d,]*+(?!\.\d|\s?[명월일년개박살시분층번평%억만원주회세호조항건곳차동])")
_MONTH_DAY = re.compile(r"(?<![\d/.])(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\d/])")
_SCALED = re.compile(
    r"(?<![\d.,])(?:₩|KRW )?(?P<n>\d{1,4}(?:\.\d{1,3})?)\s?(?P<scale>k|thousand|mil|million)(?![a-z])(?:\s?won)?",
    re.IGNORECASE,
)
_SCALES = {"k": 10**3, "thousand": 10**3, "mil": 10**6, "million": 10**6}
_LEAST_BARE, _LEAST_SPOKEN, _LEAST_WON = 10, 100, 100_000


@dataclass
class Known:
    """What sentences are held against."""

    evidence: Evidence
    accepted: list[Signed] = field(default_factory=list)
    """Figures of the sentences that this answer has said so far."""

    def __post_init__(self) -> None:
        names = {name for fact in self.evidence.facts for name in names_of(fact) if len(name) > 1}
        self.subjects = sorted(names, key=len, reverse=True)
        self.names = {name for table in self.evidence.tables for name, _ in table.rows if len(name) > 1} | names
        self.grounds = {fact.id: grounds_of(fact, self.subjects) for fact in self.evidence.facts}
        self.today = str(self.evidence.known.get("오늘") or "")
        known = " ".join([*self.evidence.told, *(str(value) for value in self.evidence.known.values())])
        self.user = grounds_of(Fact(id="U", kind="note", text=known))
        self.months = {int(month) for month in re.findall(r"(?<!\d)(\d{1,2})\s?월", known)}
        self.bare = _bare(" ".join(self.evidence.told))
        self.own = [meant for one in self.user.figures for meant in meanings(one.figure)]
        self.own += [
            Figure("money", f"{n}", (0, 0), "원", (n * 10_000,)) for n in sorted(self.bare) if n >= _LEAST_BARE
        ]
        self.own += [Figure("number", f"{n}", (0, 0), "", (n,)) for n in sorted(self.bare) if n >= _LEAST_BARE]
        self.own += [figure for text in self.evidence.told for figure in _in_english(text)]
        self.days = {v for one in self.own if one.unit == "일" for v in one.values}
        self.own += days_told(self.evidence.told, self.today)
        self.own += [figure for text in self.evidence.told for figure in _party(text)]
        products = [list(products_of(text, find_figures(text))) for text in self.evidence.told]
        self.own += [figure for listed in products for figure in listed]
        self.proposals = Proposals(self.evidence.proposes == "sums", tuple(self.own))
        self.own += [one.figure for one in grounds_of(Fact(id="H", kind="note", text=self.evidence.heard)).figures]
        self.years = years_of([*(fact.text for fact in self.evidence.facts), known, self.evidence.heard], self.today)

    def stated(self, sentence: str) -> list[Signed]:
        return signed_figures(readable(sentence), self.subjects)

    def tables_of(self, cited: Sequence[Grounds]) -> list[Table]:
        headings = {one.fact.table for one in cited}
        return [one for one in self.evidence.tables if one.heading in headings]

    def about(self, subject: str | None, cited: Sequence[Grounds], sentence: str) -> list[Grounds]:
        """The facts that a figure said of `subject` may come from."""
        about = [one for one in cited if subject is None or not one.fact.subject or subject in names_of(one.fact)]
        # Another fact of the same name (of another table, another month) counts where it is named, or none is cited.
        held = any(subject in names_of(one.fact) for one in cited)
        others = [g for g in self.grounds.values() if subject in names_of(g.fact) and g not in about]
        return about + [g for g in others if not held or all(name in sentence for name in names_of(g.fact)[1:])]

    def mentioned(self, sentence: str) -> list[Grounds]:
        return [g for g in self.grounds.values() if any(name in sentence for name in names_of(g.fact))]


def readable(sentence: str) -> str:
    """A sentence in which only figures are left to be found: without citations and addresses, hours in one form."""
    spans = [item.span for item in find_citations(sentence)] + [m.span() for m in ADDRESS.finditer(sentence)]
    return _in_won(clocked(blank(sentence, spans)))


def _in_won(text: str) -> str:
    """₩3.5 million, 450k: the sum in digits."""
    return _SCALED.sub(lambda one: f"{int(Fraction(one['n']) * _SCALES[one['scale'].lower()]):,}원", text)


def _bare(text: str) -> set[Fraction]:
    """Numbers said without a unit, in digits or in words: 1000에 65, 연세 칠백."""
    text = _MONTH_DAY.sub(" ", text)
    spoken = {one.value for one in numerals(text) if one.hangul and one.value >= _LEAST_SPOKEN}
    return spoken | {Fraction(one.replace(",", "")) for one in _UNITLESS.findall(text)}


def _in_english(text: str) -> list[Figure]:
    """5 mil, 450k, 1.5 million: sums, whatever they are for."""
    return [
        Figure("money", one.group(), (0, 0), "원", (Fraction(one["n"]) * _SCALES[one["scale"].lower()],))
        for one in _SCALED.finditer(text)
    ]


def _party(text: str) -> list[Figure]:
    """둘이, 친구 셋이서: who goes along, counted."""
    totals = [(one.text, one.value.total) for one in find_people(text) if one.value.total]
    return [Figure("count", words, (0, 0), "명", (Fraction(total),)) for words, total in totals if total]


def meanings(figure: Figure) -> list[Figure]:
    """7천이 모자라요: what is said without a unit may be a sum in 만원; 61,682,800 is one in 원."""
    if figure.unit or figure.date or figure.kind != "number":
        return [figure]
    scale = 1 if all(value >= _LEAST_WON for value in figure.values) else 10_000
    return [figure, replace(figure, kind="money", unit="원", values=tuple(v * scale for v in figure.values))]
