"""A Markdown document in every form: what is in it is in each of them."""

import io
from pathlib import Path

import pytest

from madang.errors import ConfigurationError, InvalidInput
from madang.text.rendering import FORMATS, find_korean_font, read_blocks, render

TEXT = """# 제목

첫 줄
둘째 줄

## 표

| 항목 | 값 |
|---|---|
| 보증금 | 5천만원 |

- 하나
- 둘

3. 셋
4. 넷
"""


def test_blocks_keep_the_order_and_the_numbers() -> None:
    blocks = read_blocks(TEXT)
    kinds = ["heading", "paragraph", "heading", "table", "item", "item", "item", "item"]
    assert [block.kind for block in blocks] == kinds
    assert blocks[1].text == "첫 줄\n둘째 줄"
    assert blocks[3].rows == (("항목", "값"), ("보증금", "5천만원"))
    assert [block.level for block in blocks if block.kind == "item"] == [0, 0, 3, 4]


def test_a_docx_holds_headings_lists_and_tables() -> None:
    from docx import Document

    document = Document(io.BytesIO(render(TEXT, "docx", "문서")))
    lines = [paragraph.text for paragraph in document.paragraphs]
    assert lines == ["제목", "첫 줄\n둘째 줄", "표", "- 하나", "- 둘", "3. 셋", "4. 넷"]
    assert [cell.text for row in document.tables[0].rows for cell in row.cells] == ["항목", "값", "보증금", "5천만원"]
    assert document.core_properties.title == "문서"


def test_html_never_carries_markup_from_a_value() -> None:
    html = render("<script>alert(1)</script>", "html", "<제목>")
    assert b"<script>" not in html
    assert "&lt;제목&gt;" in html.decode()


def test_every_form_is_made() -> None:
    try:
        find_korean_font()
    except ConfigurationError:
        pytest.skip("no Korean font on this machine")
    heads = {form: render(TEXT, form, "문서")[:4] for form in FORMATS}
    assert heads == {"md": TEXT.encode()[:4], "html": b"<!do", "docx": b"PK\x03\x04", "pdf": b"%PDF"}


def test_without_a_font_the_error_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="글꼴"):
        find_korean_font([tmp_path])
    bad = tmp_path / "NanumGothic.ttf"
    bad.write_bytes(b"not a font")
    with pytest.raises(ConfigurationError, match="NanumGothic"):
        render("글", "pdf", font=bad)
    with pytest.raises(InvalidInput, match="odt"):
        render("글", "odt")
