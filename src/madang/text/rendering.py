"""A Markdown document as HTML, DOCX or PDF. PDF needs a Korean font, found on the system or in a package."""

import io
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from madang.errors import ConfigurationError, InvalidInput

FORMATS = ("md", "html", "docx", "pdf")
_FONT_NAMES = (
    "NanumGothic.ttf", "NanumBarunGothic.ttf", "NotoSansKR-Regular.ttf", "NotoSansKR-Regular.otf", "malgun.ttf",
    "AppleGothic.ttf", "UnDotum.ttf", "NanumSquareR.ttf", "NotoSansCJK-Regular.ttc", "NotoSansCJKkr-Regular.otf",
)  # fmt: skip
_FONT_HEADS = frozenset({b"\x00\x01\x00\x00", b"OTTO", b"ttcf", b"true"})
_FONT_FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts", "/Library/Fonts",
    "/System/Library/Fonts", "C:/Windows/Fonts",
)  # fmt: skip
_FONT_PACKAGES = ("koreanize_matplotlib", "pynanumfonts", "korean_fonts")
_STYLE = (
    "body{font-family:'Noto Sans KR','Malgun Gothic',sans-serif;max-width:44rem;margin:2rem auto;line-height:1.7}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid #999;padding:.4rem .6rem;text-align:left}"
)


@dataclass(frozen=True)
class Block:
    """A piece of a document: a heading (level 1–6), a paragraph, a list item (numbered if `level` > 0) or a table."""

    kind: Literal["heading", "paragraph", "item", "table"]
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def render(markdown: str, form: str, title: str = "", *, font: Path | None = None) -> bytes:
    """The document in that form. Raises `InvalidInput` for another form, `ConfigurationError` without a Korean font."""
    if form == "md":
        return markdown.encode("utf-8")
    if form == "html":
        return _html(markdown, title).encode("utf-8")
    if form == "docx":
        return _docx(markdown, title)
    if form == "pdf":
        return _pdf(markdown, title, font or find_korean_font())
    raise InvalidInput(f"문서 형식 {form!r}은(는) 없습니다 ({', '.join(FORMATS)})")


def render_all(markdown: str, title: str = "") -> tuple[dict[str, bytes], dict[str, str]]:
    """The document in every form that can be made here, and why for each that can't."""
    files: dict[str, bytes] = {}
    skipped: dict[str, str] = {}
    for form in FORMATS:
        try:
            files[form] = render(markdown, form, title)
        except ConfigurationError as error:
            skipped[form] = str(error)
    return files, skipped


def find_korean_font(folders: Sequence[Path] | None = None) -> Path:
    """A font with Hangul. Raises `ConfigurationError` saying what to install."""
    places = [Path(folder).expanduser() for folder in (_FONT_FOLDERS if folders is None else folders)]
    if folders is None:
        places += [Path(spec.origin).parent for name in _FONT_PACKAGES if (spec := find_spec(name)) and spec.origin]
    for name in _FONT_NAMES:
        for place in places:
            found = next(iter(sorted(place.rglob(name))), None) if place.is_dir() else None
            if found:
                return found
    raise ConfigurationError(
        "PDF를 만들려면 한글 글꼴이 필요합니다. fonts-nanum(Debian)이나 나눔고딕을 설치하거나 글꼴 파일을 지정하세요."
        " 다른 형식(docx, html, md)은 그대로 만들 수 있습니다."
    )


def read_blocks(markdown: str) -> list[Block]:
    """The document's blocks in order, inline marks removed."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return list(_blocks(tokens))


def _blocks(tokens: Sequence[Any]) -> Iterator[Block]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "table_open":
            end = _closing(tokens, at, "table_close")
            yield Block("table", rows=_rows(tokens[at:end]))
            at = end
        elif token.type in ("ordered_list_open", "bullet_list_open"):
            end = _closing(tokens, at, token.type.replace("open", "close"))
            first = int(token.attrGet("start") or 1) if token.type == "ordered_list_open" else 0
            lines = [_plain(inner) for inner in tokens[at:end] if inner.type == "inline"]
            yield from (Block("item", line, first + place if first else 0) for place, line in enumerate(lines))
            at = end
        elif token.type == "inline":
            heading = tokens[at - 1].type == "heading_open"
            yield Block("heading" if heading else "paragraph", _plain(token), _heading_level(tokens[at - 1]))
        at += 1


def _heading_level(token: Any) -> int:
    """The level of a heading token, 0 for any other."""
    return int(token.tag[1]) if token.type == "heading_open" else 0


def _closing(tokens: Sequence[Any], at: int, kind: str) -> int:
    """Where the token at `at` is closed, at its own depth."""
    level = tokens[at].level
    return next(i for i in range(at + 1, len(tokens)) if tokens[i].type == kind and tokens[i].level == level)


def _rows(tokens: Sequence[Any]) -> tuple[tuple[str, ...], ...]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token))
    return tuple(tuple(row) for row in rows)


def _plain(token: Any) -> str:
    parts = ("\n" if child.type in ("softbreak", "hardbreak") else child.content for child in token.children or ())
    return "".join(parts).strip()


def _html(markdown: str, title: str) -> str:
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return (
        f'<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>"
    )


def _docx(markdown: str, title: str) -> bytes:
    from docx import Document
    from docx.oxml.ns import qn

    document = Document()
    style = document.styles["Normal"]
    style.font.name = "맑은 고딕"
    style.element.rPr.rFonts.set(qn("w:eastAsia"), "맑은 고딕")
    document.core_properties.title = title
    document.core_properties.author = "Madang"
    for block in read_blocks(markdown):
        if block.kind == "heading":
            document.add_heading(block.text, min(block.level, 4) - 1 if block.level == 1 else min(block.level, 4))
        elif block.kind == "table":
            _docx_table(document, block)
        else:
            document.add_paragraph(_line(block))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _line(block: Block) -> str:
    """The block's words, a list item with its number or dash."""
    if block.kind != "item":
        return block.text
    return f"{block.level}. {block.text}" if block.level else f"- {block.text}"


def _docx_table(document: Any, block: Block) -> None:
    table = document.add_table(rows=0, cols=max(len(row) for row in block.rows))
    table.style = "Table Grid"
    for row in block.rows:
        cells = table.add_row().cells
        for cell, text in zip(cells, row, strict=False):
            cell.text = text


def _pdf(markdown: str, title: str, font: Path) -> bytes:
    from fpdf import FPDF

    # The font library notes every table that it leaves out of the embedded part.
    logging.getLogger("fontTools.subset").setLevel(logging.ERROR)
    pdf = FPDF(format="A4")
    pdf.set_title(title)
    if font.read_bytes()[:4] not in _FONT_HEADS:
        raise ConfigurationError(f"{font}은(는) 글꼴 파일이 아닙니다")
    try:
        pdf.add_font("Korean", fname=str(font))
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigurationError(f"글꼴 {font}을(를) 읽을 수 없습니다: {error}") from error
    pdf.set_auto_page_break(True, margin=18)
    pdf.add_page()
    for block in read_blocks(markdown):
        if block.kind == "table":
            pdf.set_font("Korean", size=10)
            with pdf.table(first_row_as_headings=False, line_height=7) as table:
                for cells in block.rows:
                    table.row(cells)
            pdf.ln(3)
            continue
        pdf.set_font("Korean", size=max(11, 20 - 3 * block.level) if block.kind == "heading" else 11)
        text = re.sub(r" {3,}", "    ", _line(block))
        pdf.multi_cell(0, 10 if block.kind == "heading" else 7, text, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(1)
    return bytes(pdf.output())
