"""What an answer may state: judgements, figures, articles, findings, prices, loans; each with our sentence for it."""

from collections.abc import Iterator

from madang.assistants.homes.answering import english
from madang.assistants.homes.answering.findings import Findings, findings_of
from madang.assistants.homes.answering.verdicts import first_sentence
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.results import (
    ContractRisk,
    FaqAnswer,
    Judgement,
    LegalResult,
    LoanResult,
    MarketResult,
    SituationAnswer,
)
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.calculation import won
from madang.graph import Answer, TurnContext
from madang.llm.evidence import Evidence, Fact, numbered

ARTICLES, LOANS, PRICES = 8, 8, 12
LONGEST = 900


def evidence(state: MainSupervisorState, ctx: TurnContext[HomesServices], ours: Answer) -> Evidence:
    """The facts of this turn. A contract that was drafted is shown as it is, in our words."""
    found = findings_of(state)
    if found.document.get("document_content") or found.document.get("decision"):
        return Evidence(worded=False)
    named = english.citation if state.get("language") == "en" else str
    return Evidence(
        facts=numbered(list(_facts(state, found))),
        after=_beside(ours),
        after_is="계산 과정과 시세 표, 근거 조문 목록",
        sources={source: named(source) for source in found.sources((found.articles or ())[:ARTICLES])},
        article=ctx.services.article,
    )


def _beside(ours: Answer) -> str:
    """Our own parts that follow a model's words: the workings, the table of prices."""
    return "\n\n".join(
        f"### {part['title']}\n\n{part['content']}"
        for part in ours.structured_data.get("sections") or ()
        if part["type"] in ("calculation", "market")
    )


def _facts(state: MainSupervisorState, found: Findings) -> Iterator[Fact]:
    for judged in found.judgements:
        yield _judgement(judged)
    # The one figure that was asked for is said first; others are the model's to put where they belong. All workings
    # follow.
    asked = (state.get("understood") or {}).get("asked") or ()
    few = len(found.figures) == 1 and any(one["kind"] == "ask_how_much" for one in asked)
    for figure in found.figures:
        known = {"deposit": state.get("deposit"), **figure["inputs"]}
        says = calculator(figure["calculator"]).said(figure["values"], known)
        rules = "; ".join(f"{r['name']} {r['value']} ({r['article'] or r['source']})" for r in figure["rules"])
        text = f"{figure['title']}: {says} 식: {figure['formula']}. {' '.join(figure['explanation'])} 기준: {rules}"
        yield Fact(
            id="",
            kind="figure",
            text=f"{text} {' '.join(figure['notes'])}",
            says=f"**{figure['title']}**: {says}",
            must=few,
        )
    yield from _analyses(found)
    for told in found.situations:
        yield _situation(told)
    for near in found.faq:
        yield _narrow(near)
    for item in (found.articles or ())[:ARTICLES]:
        yield _article(item)
    for row in found.prices[:PRICES]:
        yield _price(row)
    for listing in found.listings or ():
        amount = won(listing["price"] or listing["deposit"] or 0)
        rent = f", 월 {won(monthly)}" if (monthly := listing.get("monthly_rent")) else ""
        text = f"[예시 매물, 실제 아님] {listing['title']} {listing['region']} {listing['deal_type']} {amount}{rent}"
        yield Fact(id="", kind="row", text=f"{text}, {listing['area_m2']:g}㎡, {listing['floor']}", says=text)
    for loan in found.loans[:LOANS]:
        yield _loan(loan)
    if letter := found.document.get("letter"):
        text = f"{letter['title']} 초안: {letter['text']} (비어 있는 것: {', '.join(letter['open']) or '없음'})"
        yield Fact(id="", kind="document", text=text, says=letter["text"])


def _judgement(item: Judgement) -> Fact:
    """What a rule says to a question. Whether its case is the user's is the model's to see: it is never said first."""
    says = f"{first_sentence(item)} {item['because']}"
    more = [f"이렇게 하세요: {item['advice']}" if item["advice"] else "", item["turns"] or ""]
    sources = f"근거: {', '.join(item['sources'])}" if item["sources"] else ""
    text = f"규칙의 판단(사용자의 사정이 이 경우와 맞을 때만). 질문 “{' '.join(item['question'].split())}”: {says}"
    text = f"{text} {' '.join(part for part in more if part)} {sources}"
    return Fact(id="", kind="judgement", text=text, says=says, verdict=item["verdict"] if item["sure"] else None)


def _situation(item: SituationAnswer) -> Fact:
    """What is known of a situation like this one. What the told days and sums make of it is true of this user."""
    worked = " ".join(item["figures"])
    steps = f"할 일: {' '.join(item['steps'])}" if item["steps"] else ""
    sources = f"근거: {', '.join(item['sources'])}" if item["sources"] else ""
    body = " ".join(part for part in (item["answer"], worked, steps, sources, f"({item['as_of']} 기준)") if part)
    text = f"비슷한 상황 ‘{item['title']}’의 안내(사용자의 사정과 맞는 것만): {body}"
    return Fact(id="", kind="guide", text=text, says=worked)


def _narrow(item: FaqAnswer) -> Fact:
    """What is answered to a question like the one that was asked."""
    sources = f"근거: {', '.join(item['sources'])}" if item["sources"] else ""
    text = f"비슷한 물음 “{item['asked']}”의 답(사용자의 사정과 맞는 것만): {item['answer']} {sources}"
    return Fact(id="", kind="guide", text=text, says="")


def _article(item: LegalResult) -> Fact:
    gist = item.get("summary") or item["content"]
    parts = [f"{item['source']}: {gist}"]
    if item.get("conditions"):
        parts.append(f"조건: {', '.join(item['conditions'])}")
    if item.get("steps"):
        parts.append(f"할 일: {' '.join(item['steps'])}")
    if item.get("is_statute_text") and item["content"] != gist:
        parts.append(f"조문: {item['content'][:LONGEST]}")
    return Fact(id="", kind="article", text=" ".join(parts), says=f"{item['source']}에 따르면, {gist}")


def _analyses(found: Findings) -> Iterator[Fact]:
    raw = found.raw
    if contract := raw.get("contract_analysis"):
        risks = contract["risks"]
        if not risks:
            says = "살펴본 조항에서 법에 어긋나거나 불리한 내용은 찾지 못했습니다."
            yield Fact(id="", kind="finding", text=says, says=says, must=True)
        for number, risk in enumerate(risks, 1):
            yield _risk(number, risk)
        if contract.get("missing_essentials"):
            text = f"계약서에 적혀 있지 않은 것: {', '.join(contract['missing_essentials'])}"
            yield Fact(id="", kind="finding", text=text, says=f"{text}.")
    if danger := raw.get("jeonse_risk"):
        lines = [*danger["factors"], *(line for one in danger["calculations"] for line in one["explanation"])]
        level = f"보증금 위험은 ‘{danger['level_name']}’입니다." if danger.get("level") else ""
        text = " ".join([level, *lines, "할 일: ", *danger["advice"], *danger["unsaid"]])
        yield Fact(id="", kind="finding", text=text, says=level or lines[0] if lines else level, must=bool(level))
    if roi := raw.get("roi_calculation"):
        record = roi["calculation"]
        says = calculator("roi").said(record["values"], record["inputs"])
        yield Fact(id="", kind="figure", text=f"{says} {' '.join(record['explanation'])}", says=says, must=True)
    if market := raw.get("market_analysis"):
        for line in (*market["summary"], *market["notes"], *([market["trend"]] if market.get("trend") else ())):
            yield Fact(id="", kind="note", text=line, says=line)
    for method, one in (raw.get("loan_simulation") or {}).get("plans", {}).items():
        yield Fact(id="", kind="figure", text=f"{method}: {' '.join(one['explanation'])}", says=one["explanation"][0])
    if matching := raw.get("policy_matching"):
        text = (
            f"조건 충족: {matching['eligible']}; 더 알아야 함: {matching['unknown']}; 안 맞음: {matching['ineligible']}"
        )
        yield Fact(id="", kind="note", text=text)


def _risk(number: int, risk: ContractRisk) -> Fact:
    articles = f" ({', '.join(risk['articles'])})" if risk["articles"] else ""
    better = f" 이렇게 고치세요: {risk['suggestion']}" if risk.get("suggestion") else ""
    says = f"**{number}. {risk['type']}**: {risk['reason']}{articles}"
    text = f"조항 “{risk['clause']}”: {risk['type']}. {risk['reason']}{articles}{better}"
    return Fact(id="", kind="finding", text=text, says=says, must=risk["found_by"] == "rules", of_others=True)


def _price(row: MarketResult) -> Fact:
    rent = f", 월세 중위 {won(monthly)}" if (monthly := row.get("monthly_rent")) else ""
    mark = "추정" if row["is_estimate"] else f"실거래 {row['transaction_count']}건"
    what = f"{row['region']} {row['property_type']} {row['size_band']} {row['deal_type']}"
    says = f"{what}는 중위 {won(row['median'])}{rent}({mark}, {row['as_of']} 기준)입니다."
    span = f"낮음 {won(row['low'])}, 중위 {won(row['median'])}, 높음 {won(row['high'])}{rent}"
    text = f"{what}: {span} ({mark}, {row['as_of']})"
    return Fact(id="", kind="row", text=text, says=says, subject=row["region"])


def _loan(loan: LoanResult) -> Fact:
    standing = {True: "조건 충족", None: "확인 필요", False: "조건 미충족"}[loan["eligible"]]
    limit = f"최대 {won(loan['limit'])}" if loan["limit"] else "한도 별도"
    least, most = loan["rate_min"], loan["rate_max"]
    rate = "금리 별도" if least is None or most is None else f"연 {least * 100:g}~{most * 100:g}%"
    why = " ".join([*loan["reasons"], *loan["questions"]])
    says = f"{loan['name']}: {limit}, {rate}, {standing} ({loan['as_of']} 기준)."
    return Fact(id="", kind="row", text=f"{says} {loan['summary'] or ''} {why}", says=says, subject=loan["name"])
