"""The table of an answer as a file to take away, kept with the conversation."""

import asyncio
import csv
import io
from collections.abc import Sequence
from typing import Any

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.agents import Cell, Column, Row
from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.analysis_text import heading, note_words, period_words, table_words, titled
from madang.assistants.works.understanding.export_requests import wants_export
from madang.graph import TurnContext
from madang.text.rendering import render

# Spreadsheets take a file for Korean in UTF-8 only with this mark in front.
MARK = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def is_export(state: GlobalSessionState) -> bool:
    """Whether this turn's figures were asked for as a file."""
    return bool(state.get("data_analysis")) and wants_export(state.get("query", ""))


async def export(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> tuple[str, dict[str, Any]]:
    """What to say of the file, and the structured data that carries it: every row, not only those shown."""
    query = state["analysis_query"]
    assert query is not None
    result = await asyncio.to_thread(analyse, query, ctx.services.warehouse, state["company_id"], ctx.today)
    title, period = heading(result), period_words(result.compiled.period)
    text = as_csv(result.columns, result.rows)
    file = {"filename": f"{_file_name(f'{title} {period}')}.csv", "media_type": "text/csv", "content": text}
    said = f"표 {len(result.rows):,}행을 CSV 파일로 만들었습니다. 엑셀에서 바로 열립니다 ({file['filename']})."
    made: dict[str, Any] = {"files": [file]}
    if ctx.save_document is not None:
        table = table_words(result.columns, result.rows, most=len(result.rows))
        notes = "\n".join(f"- {note}" for note in note_words(result))
        markdown = "\n\n".join(part for part in (f"# {title}", f"기간: {period}", table, notes) if part) + "\n"
        made["document"] = await _kept(ctx, title, markdown, text)
    return said, made


async def _kept(ctx: TurnContext[WorksServices], title: str, markdown: str, text: str) -> dict[str, Any]:
    assert ctx.save_document is not None
    page = await asyncio.to_thread(render, markdown, "html", title)
    files = {"csv": text.encode(), "md": markdown.encode(), "html": page}
    document = {"title": title, "kind": "table", "markdown": markdown, "files": files, "metadata": {}}
    return {"document_id": await ctx.save_document(document), "title": title, "formats": ["md", "html"]}


def as_csv(columns: Sequence[Column], rows: Sequence[Row]) -> str:
    """The rows under Korean titles with their units; figures as plain numbers, rates in percent."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_title(column) for column in columns])
    writer.writerows([_cell(row[column["name"]], column["unit"]) for column in columns] for row in rows)
    return MARK + out.getvalue()


def _title(column: Column) -> str:
    unit = {"비율": "%", "날짜": ""}.get(column["unit"], column["unit"])
    return titled(column["label"], unit)


def _cell(value: Cell, unit: str) -> Cell:
    if value is None:
        return ""
    if isinstance(value, int | float):
        return round(value * 100, 2) if unit == "비율" else int(value) if value == int(value) else value
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _file_name(title: str) -> str:
    return "".join("-" if letter in '\\/:*?"<>|' else letter for letter in title).strip()[:80]
