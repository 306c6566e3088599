"""What the teams found in a turn, as answers are made of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from madang.assistants.homes.answering.shown_articles import to_show
from madang.assistants.homes.state.results import (
    CalculationRecord,
    FaqAnswer,
    Judgement,
    LegalResult,
    LoanResult,
    MarketResult,
    PropertyResult,
    RawAnalysis,
    SituationAnswer,
)
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.state.teams import AnalysisResults, DocumentResults
from madang.assistants.homes.tools.calculators import calculator

# Below this, what was found may be about something else.
SURE_SCORE = 0.5


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What was found; `articles` and `listings` are None where nobody looked for them."""

    articles: Sequence[LegalResult] | None = None
    prices: Sequence[MarketResult] = ()
    listings: Sequence[PropertyResult] | None = None
    loans: Sequence[LoanResult] = ()
    raw: RawAnalysis = field(default_factory=RawAnalysis)
    analysis: AnalysisResults = field(default_factory=AnalysisResults)
    document: DocumentResults = field(default_factory=DocumentResults)
    judgements: Sequence[Judgement] = ()
    situations: Sequence[SituationAnswer] = ()
    faq: Sequence[FaqAnswer] = ()
    further: Sequence[CalculationRecord] = ()

    @property
    def is_situated(self) -> bool:
        """Whether a situation or a narrow question answers, or is all that there is."""
        return any(item["fit"] != "near" for item in self.faq) or any(item["clear"] for item in self.situations)

    @property
    def has_fitting(self) -> bool:
        """Whether an article fits well enough to be shown by itself; beside other results the nearest may stand."""
        best = max((float(item["relevance_score"]) for item in self.articles or ()), default=0.0)
        best -= 0.2 if self.situations else 0.0
        return not self.begins_with_law or best >= SURE_SCORE or any(item.get("exact") for item in self.articles or ())

    @property
    def figures(self) -> Sequence[CalculationRecord]:
        return [*(self.raw.get("legal_calculation") or ()), *self.further]

    @property
    def is_about_a_loan(self) -> bool:
        """Whether the question was how much a loan costs or allows, not which loan there is."""
        return any(calculator(figure["calculator"]).subject == "loan" for figure in self.figures)

    @property
    def begins_with_law(self) -> bool:
        """Whether the answer begins with what an article says: when nothing was worked out that says more."""
        return not (self.raw or self.prices or self.loans or self.document)

    @cached_property
    def fitting_articles(self) -> list[LegalResult]:
        """The articles found; beside a figure only those of the laws that it rests on."""
        rules = [rule["article"] for figure in self.figures for rule in figure["rules"] if rule["article"]]
        laws = {article.rpartition(" ")[0] for article in rules}
        return [
            item for item in self.articles or () if not laws or any(item["law_name"].startswith(law) for law in laws)
        ]

    def sources(self, articles: Sequence[LegalResult]) -> list[str]:
        """Those articles, and the ones that a finding or a figure rests on."""
        contract, risk = self.raw.get("contract_analysis"), self.raw.get("jeonse_risk")
        named = [name for item in self.situations if item["clear"] for name in item["sources"]]
        named += [name for item in self.faq for name in item["sources"]]
        named += [name for item in self.judgements for name in item["sources"]]
        named += [item["source"] for item in articles]
        named += [article for found in (contract["risks"] if contract else ()) for article in found["articles"]]
        figures = [*self.figures, *(risk["calculations"] if risk else ())]
        named += [rule["article"] for figure in figures for rule in figure["rules"] if rule["article"]]
        return list(dict.fromkeys(named))

    @cached_property
    def cited(self) -> list[str]:
        """The articles the answer rests on: those it shows, those of its figures and findings."""
        return self.sources(() if self.is_situated else to_show(self.fitting_articles))


def findings_of(state: MainSupervisorState) -> Findings:
    """What the teams found in this turn."""
    results = state.get("team_results") or {}
    search, analysis = results.get("search") or {}, results.get("analysis") or {}
    return Findings(
        articles=search.get("legal_search"),
        prices=[*(state.get("further_prices") or ()), *(search.get("real_estate_search") or ())],
        listings=search.get("property_search"),
        loans=search.get("loan_search") or (),
        raw=analysis.get("raw_analysis") or {},
        analysis=analysis,
        document=results.get("document") or {},
        judgements=state.get("judgements") or (),
        situations=state.get("situations") or (),
        faq=state.get("faq_answers") or (),
        further=state.get("further_figures") or (),
    )
