"""A Markdown document as HTML, DOCX or PDF. PDF needs a Korean font on the system."""

import io
import logging
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from madang.errors import ConfigurationError, InvalidInput

FORMATS = ("md", "html", "docx", "pdf")
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
_FONTS = (
    "NanumGothic.ttf", "NanumBarunGothic.ttf", "NanumSquareRoundR.ttf", "NanumSquareR.ttf", "NotoSansKR-Regular.ttf",
    "malgun.ttf", "UnDotum.ttf", "NotoSansCJK-Regular.ttc",
)  # fmt: skip


def render(markdown: str, form: str, title: str) -> bytes:
    """The document in that form. Raises `InvalidInput` for another form, `ConfigurationError` without a Korean font."""
    makers = {"md": _markdown, "html": _html, "docx": _docx, "pdf": _pdf}
    if form not in makers:
        raise InvalidInput(f"문서 형식 {form!r}은(는) 없습니다 ({', '.join(FORMATS)})")
    return makers[form](markdown, title)


def korean_font(folders: Sequence[str] = _FOLDERS) -> Path:
    """A font with Hangul. Raises `ConfigurationError` saying what to install."""
    for name in _FONTS:
        for folder in folders:
            place = Path(folder).expanduser()
            found = next(iter(sorted(place.rglob(name))), None) if place.is_dir() else None
            if found:
                return found
    raise ConfigurationError("PDF에는 한글 글꼴이 필요합니다. fonts-nanum 을 설치하거나 docx, html, md 로 받으세요")


def _markdown(markdown: str, _title: str) -> bytes:
    return markdown.encode()


def _html(markdown: str, title: str) -> bytes:
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f'<!doctype html><html lang="ko"><head>{head}</head><body>{body}</body></html>'.encode()


def _lines(markdown: str) -> list[tuple[str, Any]]:
    """The document as (kind, content): h1–h6, p, or table with its rows."""
    from markdown_it import MarkdownIt

    found: list[tuple[str, Any]] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    for i, token in enumerate(tokens):
        if token.type == "table_open":
            found.append(("table", []))
        elif token.type == "tr_open":
            found[-1][1].append([])
        elif token.type == "inline":
            text = "".join(" " if c.type == "softbreak" else c.content for c in token.children or ())
            before = tokens[i - 1]
            if before.tag in {"td", "th"}:
                found[-1][1][-1].append(text)
            else:
                found.append((before.tag if before.type == "heading_open" else "p", text))
    return found


def _docx(markdown: str, title: str) -> bytes:
    from docx import Document

    document = Document()
    document.core_properties.title = title
    for kind, content in _lines(markdown):
        if kind == "table":
            table = document.add_table(rows=0, cols=max(map(len, content)))
            table.style = "Table Grid"
            for row in content:
                for cell, text in zip(table.add_row().cells, row, strict=False):
                    cell.text = text
        elif kind == "p":
            document.add_paragraph(content)
        else:
            document.add_heading(content, int(kind[1]) - 1)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _pdf(markdown: str, title: str) -> bytes:
    from fpdf import FPDF

    logging.getLogger("fontTools.subset").setLevel(logging.ERROR)
    pdf = FPDF(format="A4")
    pdf.set_title(title)
    pdf.add_font("Korean", fname=str(korean_font()))
    pdf.set_auto_page_break(True, margin=18)
    pdf.add_page()
    for kind, content in _lines(markdown):
        pdf.set_font("Korean", size={"h1": 18, "h2": 14}.get(kind, 10 if kind == "table" else 11))
        if kind == "table":
            with pdf.table(first_row_as_headings=False, line_height=7) as table:
                for row in content:
                    table.row(row)
            pdf.ln(3)
        else:
            pdf.multi_cell(0, 8, content, new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())
