"""Contract drafts: blanks, checks, and documents that open."""

import io
import zipfile
from datetime import date

import pytest

from madang.assistants.homes.tools.contract_review import ContractAnalysisTool
from madang.assistants.homes.tools.document_fields import FieldValue, read_fields
from madang.assistants.homes.tools.documents import (
    check_fields,
    draft,
    find_template,
    finish,
    load_templates,
    missing_fields,
)
from madang.errors import ConfigurationError, InvalidState, NotFound
from madang.text.rendering import find_korean_font, read_blocks, render

TODAY = date(2026, 11, 15)
MESSAGE = (
    "임대인 김철수, 임차인 이영희, 서울 마포구 합정동 12-3 101동 1002호, 보증금 5천에 월세 60, 계약금 500만원, "
    "계약일 2026년 11월 20일, 잔금은 2026년 12월 1일, 2026년 12월 1일부터 2028년 11월 30일까지"
)


def test_every_template_is_fair_and_names_what_it_needs() -> None:
    for template in load_templates():
        assert ContractAnalysisTool().review(draft(template, {})).findings == ()
        asked = missing_fields(template, {})
        assert asked
        assert all(field.question.endswith(("?", ".")) for field in asked)


def test_templates_are_found_by_deal_and_refused_by_name() -> None:
    assert find_template("전세").template_id == "jeonse_contract_v1"
    assert find_template("sales_contract").deal == "매매"
    with pytest.raises(NotFound, match="혼인"):
        find_template("혼인")


def test_a_message_fills_the_blanks() -> None:
    found = read_fields(MESSAGE, TODAY)
    assert found == {
        "contract_date": "2026-11-20",
        "balance_date": "2026-12-01",
        "start_date": "2026-12-01",
        "end_date": "2028-11-30",
        "deposit": 50_000_000,
        "monthly_rent": 600_000,
        "down_payment": 5_000_000,
        "landlord_name": "김철수",
        "tenant_name": "이영희",
        "address": "서울 마포구 합정동 12-3 101동 1002호",
    }
    text = finish(find_template("월세"), found, TODAY)
    assert "금 4,500만원 (₩45,000,000)" in text
    assert "2028년 11월 30일" in text
    assert "{{" not in text
    assert "[" not in text


def test_good_values_are_kept_and_bad_ones_named() -> None:
    template = find_template("월세")
    given: dict[str, FieldValue] = {"deposit": "5천", "start_date": "어느 날", "ghost": "x", "rent_day": 32}
    checked = check_fields(template, given, TODAY)
    assert checked.values == {"deposit": 50_000_000}
    assert {problem.field for problem in checked.problems} == {"start_date", "ghost", "rent_day"}


def test_contradictions_are_refused() -> None:
    template = find_template("전세")
    values: dict[str, FieldValue] = {"deposit": 100, "down_payment": 20, "balance": 70, "start_date": "2027-01-01"}
    values["end_date"] = "2026-01-01"
    assert {problem.field for problem in check_fields(template, values, TODAY).problems} == {"balance", "end_date"}
    with pytest.raises(InvalidState) as error:
        finish(template, {}, TODAY)
    assert "deposit" in {problem.field for problem in error.value.problems}


def test_a_value_cannot_break_the_contract() -> None:
    text = draft(find_template("월세"), {"address": "서울 | 마포\n# 가짜 제목"})
    assert "\n# 가짜 제목" not in text
    assert len([block for block in read_blocks(text) if block.kind == "heading" and block.level == 1]) == 1


def test_docx_html_and_pdf_open() -> None:
    from docx import Document

    text = finish(find_template("월세"), read_fields(MESSAGE, TODAY), TODAY)
    document = Document(io.BytesIO(render(text, "docx", title="월세 계약서")))
    assert any("월세 계약서" in paragraph.text for paragraph in document.paragraphs)
    assert any("김철수" in cell.text for table in document.tables for row in table.rows for cell in row.cells)
    assert zipfile.is_zipfile(io.BytesIO(render(text, "docx")))
    html = render(text, "html", title="<월세>").decode()
    assert "<table>" in html
    assert "&lt;월세&gt;" in html
    assert render(text, "md").decode() == text
    try:
        find_korean_font()
    except ConfigurationError:
        pytest.skip("no Korean font on this machine")
    pdf = render(text, "pdf", title="월세 계약서")
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 10_000
