"""Questions whether, judged by rule: what was asked, the verdict in its own terms, the facts and the article."""

from dataclasses import field
from datetime import date
from typing import Annotated

from typing_extensions import TypedDict

from madang.assistants.homes.data.judgement_rules import Rule
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.state.paths import LEGAL
from madang.assistants.homes.state.results import Judgement, LegalResult, Quote
from madang.assistants.homes.tools.judgement import Judged, questions_in
from madang.assistants.homes.tools.legal_search import HybridLegalSearch
from madang.graph import Argument, At, Context, Reads, Writes, agent
from madang.text.morphemes import bigrams
from madang.threads import in_thread

MOST = 4
QUOTED = 2
LONGEST = 160


class ChosenRule(TypedDict):
    """A rule that answers a question; `reversed` is null where it isn't known which way round was asked."""

    rule: str
    question: str
    reversed: bool | None


class JudgementRequest(Reads):
    query: str
    rules: Argument[list[ChosenRule]] = field(default_factory=list)
    deposit: int | None
    monthly_rent: int | None
    age: int | None
    homes_owned: int | None
    figure_requests: list[FigureNeed] | None
    # Nothing is taken from it, but the articles are found first: a verdict is shown beside them.
    legal_search: Annotated[list[LegalResult] | None, At(LEGAL)] = None


class JudgementFound(Writes):
    judgements: Annotated[list[Judgement], At("judgements")]


@agent(
    team="search",
    agent_name="search_team",
    task="되는지 안 되는지 판단",
    description="물어본 일이 되는지, 해야 하는지를 규칙으로 판단",
    timeout=60,
    data=("judgements", "statutes"),
    runs=4,
)
async def judgement(asked: JudgementRequest, ctx: Context[HomesServices]) -> JudgementFound:
    found = await in_thread(_judge, asked, ctx.services, ctx.today)
    ctx.source(
        "judgements",
        tool="JudgementTool",
        source="; ".join(dict.fromkeys(name for item in found for name in item["sources"])) or None,
        as_of=max((item["as_of"] for item in found), default=None),
    )
    return {"judgements": found}


def _judge(asked: JudgementRequest, services: HomesServices, today: date) -> list[Judgement]:
    """One judgement a question, each rule once: two questions of one thing are answered together."""
    known = {
        "deposit": asked.deposit,
        "monthly_rent": asked.monthly_rent,
        "age": asked.age,
        "homes_owned": asked.homes_owned,
        "figure_requests": asked.figure_requests or (),
    }
    found: dict[str, Judgement] = {}
    for chosen in asked.rules[:MOST]:
        applied = services.judgements.apply(
            chosen["rule"], chosen["question"], asked.query, known, today, reverse=chosen["reversed"]
        )
        found.setdefault(applied.rule.id, _record(applied, services.legal))
    if found:
        return list(found.values())
    for question in questions_in(asked.query, today)[:MOST]:
        judged = services.judgements.judge(question, known, today)
        if judged is not None and judged.rule.id not in found:
            found[judged.rule.id] = _record(judged, services.legal)
    return list(found.values())


def _record(judged: Judged, law: HybridLegalSearch) -> Judgement:
    rule = judged.rule
    return {
        "question": judged.question,
        "verdict": judged.verdict,
        "said": judged.say,
        "because": judged.because,
        "advice": rule.advice or None,
        "turns": rule.turns or None,
        "ask": rule.ask or None if judged.case is None else None,
        "sources": [*rule.articles, *rule.outside],
        "quotes": _quotes(rule, judged.because, law),
        "rule": rule.id,
        "facts": dict(judged.facts),
        "score": judged.score,
        "sure": judged.sure,
        "as_of": rule.as_of,
    }


def _quotes(rule: Rule, because: str, law: HybridLegalSearch) -> list[Quote]:
    """Of each article the sentence that is most like the reason; of articles that aren't loaded our own summary."""
    quotes: list[Quote] = []
    for name in rule.articles[:QUOTED]:
        item = law.look_up(*name.rsplit(" ", 1))
        if item is None:
            continue
        whole = item.quotation.split("\n", 1)[-1] if item.quotation else None
        text = _telling(whole, because) if whole else item.content
        quotes.append({"source": name, "text": text, "effective_date": item.effective_date if whole else None})
    return quotes


def _telling(text: str, because: str) -> str:
    wanted = set(bigrams(because))
    lines = [line.strip() for line in text.replace(". ", ".\n").splitlines() if len(line.strip()) > 5]
    best = max(lines, key=lambda line: len(wanted & set(bigrams(line))) / (20 + len(line)), default=text)
    return best if len(best) <= LONGEST else f"{best[:LONGEST]}…"
