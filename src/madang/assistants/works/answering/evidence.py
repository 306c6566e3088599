"""What an answer over sales data may state: each row with its subject, what moved, verdicts, hits, documents."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from madang.assistants.works.agents.data_analysis import RAW_ROWS
from madang.assistants.works.answering.derived import totals, working_days
from madang.assistants.works.answering.sections import sections_of, storage_section
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.agents import Column, ComplianceValidationAgentState, FurtherResult, Row
from madang.assistants.works.tools.analysis_text import figure, plain_figure, table_words
from madang.assistants.works.tools.guide import topics_about
from madang.assistants.works.tools.pivots import pivoted
from madang.graph import Answer, TurnContext
from madang.llm.evidence import SEPARATOR, Evidence, Exhibit, Fact, Table, numbered

ROWS, ALL_ROWS, HITS = 120, 260, 8
SHOWN, MANY, TOPICS = 60, 30, 5
LONGEST, LONGEST_PART = 900, 4000
FOUND = {
    "pass": "적힌 말에서는 걸린 규칙이 없음(확인된 것이 아니므로 통과라고 하지 않기)",
    "violation": "아래 규칙에 걸림(사정이 다르면 따르지 않기)",
    "unverified": "이것만으로는 알 수 없음",
}


def evidence(state: GlobalSessionState, ctx: TurnContext[WorksServices], ours: Answer) -> Evidence:
    """The facts of this turn. A document follows as it was written; a sheet of figures, which holds the same as the
    answer, only by its name. Tables stand where the answer puts them, or after it where someone asked for them."""
    if ours.structured_data.get("file"):
        return Evidence(worded=False)
    parts = sections_of(state, ctx.today)
    documents = [one for one in parts if one.data["type"] == "document"]
    exhibits = tuple(_exhibits(state))
    wanted = (state.get("show_request") or {}).get("form") is not None
    after = [one.text.split("\n", maxsplit=1)[0] if _is_sheet(one.data) else one.text for one in documents]
    after += [one.text for one in exhibits[:1] if wanted]
    about = [*(["작성한 문서"] if documents else []), *(["계산 결과의 표"] if wanted and exhibits else [])]
    return Evidence(
        facts=numbered([*_facts(state, ctx), *_beside(state, ctx)]),
        tables=tuple(_tables(state)),
        exhibits=() if wanted else exhibits,
        after="\n\n".join(after),
        after_is=", ".join(about),
        proposes="times",
    )


def _is_sheet(document: dict[str, Any]) -> bool:
    """Whether a document is made of results alone, so that its file tells nothing that the answer doesn't."""
    return bool(document["document_type"] == "summary_sheet")


def _exhibits(state: GlobalSessionState) -> Iterator[Exhibit]:
    """The table of each result, as it can be shown, and what a change is made of."""
    if change := state.get("change_analysis"):
        yield Exhibit(
            "T0", f"{change['heading']} ({change['period']}) 표: 제품, 거래처, 담당자, 지점별", change["answer"]
        )
    for number, (heading, period, given, found) in enumerate(_results(state), 1):
        columns, rows = pivoted(_distinct(given, found), found)
        text = f"**{heading}** — {period}\n\n{table_words(columns, rows, SHOWN)}"
        titles = ", ".join(one["label"] for one in columns)
        yield Exhibit(f"T{number}", f"{heading} ({period}) 표: {titles} / {min(len(rows), SHOWN)}줄", text)


Result = tuple[str, str, Sequence[Column], Sequence[Row]]


def _results(state: GlobalSessionState, *, empty: bool = False) -> Iterator[Result]:
    """Each result with names and rows (or none, if `empty`): heading, period, columns, rows."""
    if analysis := state.get("data_analysis"):
        processed = analysis["processed_data"]
        compared = f" (비교: {processed['compare_period']})" if processed["compare_period"] else ""
        rows = analysis["raw_data"]
        if (rows or empty) and len(processed["columns"]) > 1:
            yield processed["heading"], f"{processed['period']}{compared}", processed["columns"], rows
        others = [*(processed.get("further") or ()), *(state.get("query_results") or ())]
    else:
        others = list(state.get("query_results") or ())
    for other in others:
        if (other["rows"] or empty) and len(other["columns"]) > 1:
            yield other["heading"], _period(other), other["columns"], other["rows"]


def _period(other: FurtherResult) -> str:
    """What stands behind the heading of a result."""
    return other["answer"].split("\n", maxsplit=1)[0].partition("** — ")[2]


def _distinct(columns: Sequence[Column], rows: Sequence[Row]) -> list[Column]:
    """The columns without one that says the same as another: a growth asked for beside a comparison."""
    kept: list[Column] = []
    for one in columns:
        twin = (o for o in kept if o["unit"] == one["unit"] == "비율")
        if not any(all(row[o["name"]] == row[one["name"]] for row in rows) for o in twin):
            kept.append(one)
    return kept


def _beside(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Iterator[Fact]:
    """What was found of customers, as it is shown, and what the house knows of the topics that are named."""
    asked = " ".join(one["restated"] for one in (state.get("understood") or {}).get("asked") or ())
    for topic in topics_about(f"{state.get('query', '')} {asked}", TOPICS):
        text = f"안내 “{topic.title}”: {topic.answer} (근거: {topic.basis})"
        yield Fact(id="", kind="guide", text=text[:LONGEST_PART])
    for one in sections_of(state, ctx.today):
        if one.data["type"] == "accounts":
            yield Fact(id="", kind="guide", text=one.text[:LONGEST_PART], says=one.text.split("\n", maxsplit=1)[0])
        elif one.data["type"] == "document":
            yield Fact(id="", kind="document", text=one.text[:LONGEST_PART])


def _facts(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Iterator[Fact]:
    if checked := state.get("compliance_validation"):
        yield from _compliance(checked, state, ctx)
    if kept := state.get("storage_decision"):
        text = storage_section(kept).text
        yield Fact(id="", kind="finding", text=text, says=text, must=True)
    yield from _figures(state, ctx)
    if change := state.get("change_analysis"):
        lines = [line for line in change["answer"].splitlines() if line and not line.startswith(("|", "-"))]
        says = lines[1] if len(lines) > 1 else lines[0]
        yield Fact(id="", kind="figure", text=" ".join(lines), says=says)
        for part in change["contributions"]:
            share = f", 전체 증감의 {part['share']:.1%}" if part["share"] is not None else ""
            moved = f"{part['before']:,.0f}원에서 {part['after']:,.0f}원, 증감 {part['change']:+,.0f}원{share}"
            text = f"{part['value']}: {moved}"
            yield Fact(id="", kind="row", text=text, says=f"{text}.", subject=str(part["value"]))
    if found := state.get("information_retrieval"):
        for hit in found["filtered_results"][:HITS]:
            text = f"{hit['title']}: {' '.join(hit['content'].split())[:LONGEST]} ({hit['citation']})"
            others = not hit["id"].startswith("rule:")
            yield Fact(id="", kind="guide", text=text, says=f"{hit['title']} ({hit['citation']})", of_others=others)


def _figures(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Iterator[Fact]:
    """What was computed: each result in a sentence, its sums, its rows; and the working days of its periods."""
    results = list(_results(state))
    most = max(20, min(ROWS, ALL_ROWS // max(1, len(results))))
    if analysis := state.get("data_analysis"):
        processed = analysis["processed_data"]
        text = f"{processed['heading']} ({processed['period']}): {processed['sentence']} {' '.join(processed['notes'])}"
        sample = " 가상의 표본 회사 자료입니다." if processed["sample"] else ""
        table = processed["heading"]
        yield Fact(id="", kind="figure", text=f"{text}{sample}", says=processed["sentence"], table=table)
        yield from _rows(processed["heading"], processed["columns"], analysis["raw_data"], most)
        for unknown in processed["unknown"]:
            yield Fact(
                id="", kind="note", text=f"자료에 없는 이름: {unknown['value']} (가까운 이름: {unknown['nearest']})"
            )
    further = (analysis["processed_data"].get("further") if analysis else None) or ()
    for other in (*further, *(state.get("query_results") or ())):
        says, heading = _said(other), other["heading"]
        yield Fact(id="", kind="figure", text=f"{heading} ({_period(other)}): {says}", says=says, table=heading)
        yield from _rows(heading, other["columns"], other["rows"], most)
    for said in working_days([period for _, period, _, _ in results], ctx.today):
        yield Fact(id="", kind="figure", text=f"{said}.", says=f"{said}입니다.")


def _said(other: FurtherResult) -> str:
    """The sentence of a result, under its heading."""
    return next((line for line in other["answer"].splitlines()[2:] if line.strip()), other["heading"])


def _rows(heading: str, columns: Sequence[Column], rows: Sequence[Row], most: int) -> Iterator[Fact]:
    """A fact a row; what its figures are said of is the row's names. Of many rows also their sums and the ends of each
    column."""
    names = [column for column in columns if not column["unit"]]
    columns = _distinct(columns, rows)
    whole = len(rows) < RAW_ROWS
    if whole and (sums := totals(columns, rows)):
        yield Fact(id="", kind="figure", text=f"{heading}: {sums}.", says=f"{sums}입니다.", table=heading)
    if not whole:
        yield Fact(id="", kind="note", text=f"{heading}: 줄이 많아 처음 {most}줄만 아래에 있음.")
    elif len(rows) > MANY:
        ends = "; ".join(text for column in columns if column["unit"] and (text := _ends(column, rows)))
        cut = f"{len(rows)}줄 가운데 {most}줄만 아래에 있음. " if len(rows) > most else ""
        yield Fact(id="", kind="figure", text=f"{heading}: {cut}{ends}", table=heading)
    for row in rows[:most]:
        subject = SEPARATOR.join(str(row[column["name"]]) for column in names)
        cells = [_cell(column, row) for column in columns if column["unit"]]
        text = f"{subject + ': ' if subject else heading + ': '}{', '.join(cells)}"
        yield Fact(id="", kind="row", text=text, says=f"{text}.", subject=subject if names else "", table=heading)


def _tables(state: GlobalSessionState) -> Iterator[Table]:
    """The tables of this turn with all their rows, also those that no fact is made of."""
    for heading, _, columns, rows in _results(state, empty=True):
        yield _table(heading, columns, rows)


def _table(heading: str, columns: Sequence[Column], rows: Sequence[Row]) -> Table:
    names = [column["name"] for column in columns if not column["unit"]]
    measured = [column for column in columns if column["unit"] not in ("", "날짜")]
    return Table(
        heading,
        tuple(column["label"] for column in measured),
        tuple("%" if column["unit"] == "비율" else column["unit"] for column in measured),
        tuple(
            (SEPARATOR.join(str(row[name]) for name in names), tuple(_number(column, row) for column in measured))
            for row in rows
        ),
    )


def _number(column: Column, row: Row) -> Fraction | None:
    """A cell as it is shown: shares in per cent to a tenth, everything else whole."""
    value = row[column["name"]]
    if not isinstance(value, int | float):
        return None
    return Fraction(round(value * 1000), 10) if column["unit"] == "비율" else Fraction(round(value))


def _ends(column: Column, rows: Sequence[Row]) -> str:
    """The least and the most of a column, and how many rows have them."""
    values = [value for row in rows if isinstance(value := row[column["name"]], int | float)]
    if not values:
        return ""
    least, most = min(values), max(values)
    ends = [
        f"가장 {word} 값 {figure(v, column['unit'])} {values.count(v)}줄" for word, v in (("작은", least), ("큰", most))
    ]
    return f"{column['label']}: {', '.join(ends)}"


def _cell(column: Column, row: Row) -> str:
    value: Any = row[column["name"]]
    signed = isinstance(value, int | float) and ("change" in column["name"] or "difference" in column["name"])
    sign = "+" if signed and value > 0 else ""
    return f"{column['label']} {sign}{plain_figure(value, column['unit'])}"


def _compliance(
    checked: ComplianceValidationAgentState, state: GlobalSessionState, ctx: TurnContext[WorksServices]
) -> Iterator[Fact]:
    """Each situation with the rules that it touches, their limits and citations. The rules have read words and seen
    nothing: what they found is to be weighed against what the user tells, and what they didn't find is no pass. A
    violation that an answer passes over is said after it, once in a conversation."""
    target = checked["validation_target"]["text"]
    first = (target, checked["status"] or "unverified", checked["validation_results"])
    earlier = "\n".join(str(one.text) for one in state.get("messages") or () if one.type == "ai")
    for situation, status, results in (
        first,
        *((o["text"], o["status"], o["results"]) for o in checked.get("further") or ()),
    ):
        told = f"규칙이 적힌 말만 보고 판단한 상황: “{situation[:LONGEST]}” → {FOUND[status]}"
        yield Fact(id="", kind="judgement", text=told)
        for one in results:
            if one["status"] != "pass" or one["facts"]:
                rule = ctx.services.rules[one["rule"]]
                cited = f"{one['title']} ({one['citation']}, {one['as_of']} 기준)"
                if one["status"] == "violation":
                    says = f"규정 검토에서 걸린 것: {one['title']}. {one['details']} ({one['citation']})"
                    text = f"[걸림] {cited}: {one['details']}. 지킬 것: {rule.change}"
                    yield Fact(id="", kind="finding", text=text, says=says, heed=says not in earlier)
                elif one["status"] == "pass":
                    yield Fact(id="", kind="finding", text=f"[닿는 규칙] {cited}. 지킬 것: {rule.change}")
                else:
                    text = f"[더 알아야 함] {cited}: {one['details']}. 걸리면: {rule.change}"
                    yield Fact(id="", kind="finding", text=text)
