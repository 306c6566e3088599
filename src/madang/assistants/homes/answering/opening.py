"""The first sentences of an answer: what was asked, answered."""

import re
from collections.abc import Sequence

from madang.assistants.homes.answering import english, situations
from madang.assistants.homes.answering.findings import Findings
from madang.assistants.homes.answering.shown_articles import to_show
from madang.assistants.homes.answering.unsure import quote, unsure
from madang.assistants.homes.answering.verdicts import verdicts
from madang.assistants.homes.state.conversation import LegalQuestion
from madang.assistants.homes.state.results import (
    CalculationRecord,
    ContractAnalysis,
    JeonseRisk,
    Judgement,
    LegalResult,
    LoanResult,
    MarketResult,
    PolicyMatching,
)
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.state.teams import DocumentResults, LetterDraft
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.figure_facts import exclusive_area
from madang.assistants.homes.understanding.figure_needs import questions_for
from madang.text.areas import find_areas

STORY = 70
# From here a verdict may stand before a situation's own answer.
WHETHER_SCORE = 0.6
# An article that fits less well than this gives way to the situations that may be meant.
SURELY = 0.7


def opening(state: MainSupervisorState, found: Findings) -> str:
    """One short paragraph: the figure, the judgement or the gist that answers the question."""
    if letter := found.document.get("letter"):
        return _letter(letter)
    if found.document:
        return _document(found.document)
    if found.is_situated:
        requests = state.get("situation_requests") or ()
        worked = [_figure(figure, state) for figure in found.figures]
        judged = [item for item in found.judgements if item["score"] >= WHETHER_SCORE]
        judged = judged if state.get("language") != "en" else []
        return "\n\n".join([*worked, situations.told(found, requests, judged, state.get("language"))])
    return _found(state, found)


def _found(state: MainSupervisorState, found: Findings) -> str:
    raw, query, said = found.raw, state.get("query", ""), list[str]()
    # The rules are in Korean: an answer in English is made of the articles.
    judged = found.judgements if state.get("language") != "en" else ()
    if judged:
        said += [verdicts(judged), _unjudged(state, found.articles or (), judged)]
    if contract := raw.get("contract_analysis"):
        asked = bool(state.get("legal_questions")) and "legal_consult" in (state.get("last_parts") or ())
        if asked and not contract["risks"] and found.articles:
            said.append(_law(state, found.articles))
        said.append(_rewritten(query, contract) or _contract(contract, state.get("contract_text") or ""))
    if found.figures and found.articles and _asks_more(state):
        said.append(_law(state, found.articles))
    said += [_figure(figure, state) for figure in found.figures]
    if risk := raw.get("jeonse_risk"):
        said.append(_risk(risk))
    if roi := raw.get("roi_calculation"):
        said.append(calculator("roi").said(roi["calculation"]["values"], roi["calculation"]["inputs"]))
    if found.prices:
        said += [_prices(found.prices), _size_taken(query)]
    if found.listings is not None:
        count = len(found.listings)
        said.append(f"조건에 맞는 예시 매물은 {count}건입니다." if count else "조건에 맞는 예시 매물이 없습니다.")
    if found.loans and not found.is_about_a_loan:
        said.append(_difference(query, state.get("loan_words") or "", found.loans))
        said.append(_loans(found.loans, raw.get("policy_matching")))
    if found.articles is not None and found.begins_with_law and not judged:
        said.append(_law(state, found.articles))
    between = "\n\n" if judged else " "
    return between.join(line for line in said if line) or "요청하신 내용을 찾지 못했습니다."


_REWRITES = re.compile(r"고쳐|고치|바꿔|바꾸|수정|대신|뭐라고|다시\s?써|어떻게\s?(?:쓰|써|적)")


def _rewritten(query: str, contract: ContractAnalysis) -> str:
    """The words to write instead, where they are asked for and the clauses themselves are not pasted again."""
    better = [item for item in contract["risks"] if item.get("suggestion")]
    if not better or not _REWRITES.search(query) or any(item["clause"][:20] in query for item in better):
        return ""
    return "이렇게 고쳐 쓰면 됩니다.\n" + "\n".join(f"- {item['type']}: {item['suggestion']}" for item in better)


def _asks_more(state: MainSupervisorState) -> bool:
    """Whether a story ends with a question that a figure alone does not answer ("제가 나가야 됩니까")."""
    questions = state.get("legal_questions") or []
    return any(one["told"] and one["kind"] in ("ask_whether", "ask_how", "ask_why") for one in questions) and (
        len(state.get("query", "")) > STORY
    )


def _law(state: MainSupervisorState, articles: Sequence[LegalResult]) -> str:
    questions = state.get("legal_questions") or []
    if len(questions) > 1:
        return (
            english.each(questions, articles)
            if state.get("language") == "en"
            else _each(questions, articles, near=_near(state))
        )
    shown = to_show(articles)
    sure = bool(shown) and _fits(shown[0])
    asked = [one["question"] for one in questions]
    near = state.get("faq_answers") or ()
    if not sure and near:
        return unsure(asked, [*_near(state)[:1], *(item["asked"] for item in near)], state.get("language"))
    if state.get("language") == "en":
        return english.law(shown) if sure else unsure(asked, (), "en")
    if not sure:
        return unsure(asked, _near(state))
    verdict = _verdict(state)
    lines = [verdict, _gist(shown[0], told_apart=bool(verdict))]
    lines.append(_offer(state))
    return " ".join(line for line in lines if line)


def _fits(item: LegalResult) -> bool:
    """Whether an article may be told as the answer."""
    return float(item["relevance_score"]) >= SURELY or bool(item.get("exact"))


def _near(state: MainSupervisorState) -> list[str]:
    """The titles of the situations that may be meant."""
    return [item["title"] for item in state.get("situations") or ()]


def _gist(item: LegalResult, *, told_apart: bool = False) -> str:
    """What the best article says."""
    gist = item.get("summary") or item["content"]
    return f"{item['source']}: {gist}" if told_apart else f"{item['source']}에 따르면, {gist}"


def _unjudged(state: MainSupervisorState, articles: Sequence[LegalResult], judged: Sequence[Judgement]) -> str:
    """The questions that no rule answered, each with its article, so that none is dropped."""
    questions = state.get("legal_questions") or []
    spoken = [" ".join(item["question"].split()).rstrip("?") for item in judged]
    left = [
        number
        for number, one in enumerate(questions)
        if not any(words in " ".join(one["question"].split()) for words in spoken)
    ]
    return _each(questions, articles, left) if len(questions) > 1 and left else ""


def _each(
    questions: Sequence[LegalQuestion],
    articles: Sequence[LegalResult],
    only: Sequence[int] | None = None,
    near: Sequence[str] = (),
) -> str:
    """Each question with what answers it; an article that answers two is told once."""
    lines: list[str] = []
    told: set[str] = set()
    left: list[str] = []
    for number, question in enumerate(questions):
        if only is not None and number not in only:
            continue
        mine = [item for item in articles if number in item.get("answers", ())]
        best = next(iter(to_show(mine, 1)), None)
        asked = " ".join(question["question"].split())
        if best is None or not _fits(best):
            left.append(asked)
        elif best["source"] in told:
            lines.append(f"- **{asked}** 위의 {best['source']}에 따라 판단합니다.")
        else:
            told.add(best["source"])
            lines.append(f"- **{asked}** {_gist(best)}")
    if not lines:
        return unsure(left, near)
    return "\n".join([*lines, *([f"- {situations.UNANSWERED.format(quoted=quote(left))}"] if left else [])])


def _verdict(state: MainSupervisorState) -> str:
    """What the law says to an asked figure before every input is known."""
    needs = state.get("figure_requests") or ()
    said = (calculator(need["calculator"]).verdict(need["inputs"], state.get("query", "")) for need in needs)
    return next((line for line in said if line), "")


def _offer(state: MainSupervisorState) -> str:
    """What could be worked out if more were known."""
    questions = questions_for(state.get("figure_requests") or ())
    return f"더 정확히 계산하려면 알려 주세요: {' '.join(questions)}" if questions else ""


def _figure(figure: CalculationRecord, state: MainSupervisorState) -> str:
    known = {"deposit": state.get("deposit"), **figure["inputs"]}
    return calculator(figure["calculator"]).said(figure["values"], known)


def _risk(risk: JeonseRisk) -> str:
    if risk.get("happened"):
        return "이미 피해가 생겼다면 보증금을 되찾을 권리를 먼저 지키고, 피해자 지원을 신청하는 것이 순서입니다."
    if not risk.get("level"):
        return "보증금을 지킬 수 있는 집인지는 아래를 차례로 확인하면 알 수 있습니다."
    values = risk["calculations"][0]["values"]
    estimated = " 집값은 그 지역 시세로 본 것입니다." if risk["price_estimated"] else ""
    return (
        f"보증금 위험은 ‘{risk['level_name']}’입니다. 집값에 대한 부담률이 {values['burden_ratio']:g}%"
        f"(전세가율 {values['jeonse_ratio']:g}%)입니다.{estimated}"
    )


_BURDENS = ("위약금", "즉시 퇴거", "즉시퇴거", "전액을", "몰수", "귀속", "일체의", "어떠한 이의")


def _contract(review: ContractAnalysis, text: str) -> str:
    found = [risk for risk in review["risks"] if risk["found_by"] == "rules"]
    if not found and any(word in text for word in _BURDENS):
        return (
            "법에 바로 어긋나는 내용은 찾지 못했지만, 위약금·즉시 퇴거·전액 부담 같은 조건은 부담이 커요. "
            "서명 전에 빼거나 금액과 사유를 줄이자고 하세요. 지나친 위약금은 법원이 줄일 수 있습니다(민법 제398조)."
        )
    if not found:
        return (
            "제가 아는 규칙으로는 법에 어긋나거나 불리한 내용을 찾지 못했습니다. "
            "규칙에 없는 문제까지 괜찮다는 뜻은 아니에요."
        )
    names = ", ".join(dict.fromkeys(risk["type"] for risk in found))
    return f"불리한 조항이 {len(found)}개 있습니다: {names}."


def _prices(rows: Sequence[MarketResult]) -> str:
    seen: dict[tuple[str, str], MarketResult] = {}
    for row in rows:
        typical = row["size_band"] == "60~85㎡" and row["property_type"] != "원룸"
        key = (row["region"], row["deal_type"])
        if key not in seen or typical:
            seen[key] = row
    lines = []
    for row in list(seen.values())[:4]:
        rent = f"에 월 {won(monthly)}" if (monthly := row.get("monthly_rent")) else ""
        mark = "추정" if row["is_estimate"] else "실거래"
        what = f"{row['region']} {row['property_type']} {row['size_band']} {row['deal_type']}"
        lines.append(f"{what}는 중위 {won(row['median'])}{rent}({mark})")
    return ", ".join(lines) + "입니다."


def _size_taken(text: str) -> str:
    """A flat is called by its supply area, prices are by exclusive area: say what was taken."""
    for item in find_areas(text):
        if item.value.pyeong and (taken := exclusive_area(text, item)) != item.value.sqm:
            return f"{item.value.pyeong:g}평은 공급면적으로 보아 전용 약 {taken:g}㎡로 찾았습니다."
    return ""


def _difference(query: str, words: str, loans: Sequence[LoanResult]) -> str:
    """What each of several named products is for."""
    if not re.search(r"차이|비교|뭐가\s?달|다른\s?점", query):
        return ""
    lines = []
    for word in words.split():
        loan = next((item for item in loans if word in item["name"]), None)
        if loan:
            lines.append(f"{loan['name']}은 {loan['summary']}")
    return f"{', '.join(lines)}입니다." if len(lines) > 1 else ""


def _loans(loans: Sequence[LoanResult], matching: PolicyMatching | None) -> str:
    good = [loan["name"] for loan in loans if loan["eligible"] is True]
    maybe = [loan["name"] for loan in loans if loan["eligible"] is None]
    at = matching["at_median"] if matching else None
    if at and not at["possible"]:
        return f"{at['basis']} 정책 대출의 보증금·집값 한도를 넘어 받기 어렵습니다."
    if good:
        return f"알려 주신 조건으로는 {', '.join(good[:3])}의 조건을 채웁니다."
    if maybe:
        return f"살펴볼 상품은 {', '.join(maybe[:3])}이며, 몇 가지 조건을 더 알아야 가능 여부를 말씀드릴 수 있어요."
    return "알려 주신 조건에 맞는 정책 상품을 찾지 못했습니다."


def _letter(letter: LetterDraft) -> str:
    """The text itself first, to be copied; then what is still to be filled in."""
    lines = [
        f"이렇게 보내시면 됩니다({letter['title']}).",
        "\n".join(f"> {line}" for line in letter["text"].splitlines()),
    ]
    if letter["open"]:
        lines.append(f"괄호는 채워 주세요: {', '.join(letter['open'])}. 알려 주시면 제가 넣어 드릴게요.")
    if not letter["short"]:
        lines.append("내용증명은 같은 글 3부를 우체국에 가져가거나 인터넷우체국에서 보냅니다.")
    if letter["article"]:
        lines.append(f"근거: {letter['article']}")
    return "\n\n".join(lines)


def _document(document: DocumentResults) -> str:
    content = document.get("document_content")
    title = content["title"] if content else "계약서"
    if document.get("decision") is None:
        return "계약서를 만들지 못했습니다. 입력하신 내용은 남아 있으니 다시 말씀해 주세요."
    if document.get("decision") == "reject":
        return f"{title} 작성을 멈췄습니다. 입력하신 내용은 남아 있으니 언제든 다시 만들 수 있어요."
    saved = f" 문서 번호는 {document['document_id']}입니다." if document.get("document_id") else ""
    forms = ", ".join(form.upper() for form in document.get("formats") or ())
    notes = "".join(f"\n- {note}" for note in document.get("notes") or ())
    made = f"{title}를 만들었습니다." + (f" 받을 수 있는 형식: {forms}." if forms else "") + saved
    return f"{made}{notes}\n\n{document.get('final_document') or ''}"
