"""Files brought to a conversation: read, refused with a reason, and given to the assistant beside the request."""

import io
import zipfile
from typing import Any

import docx
import fpdf
import openpyxl
import pypdf
import pytest

from madang.runtime import file_text
from madang.text.clauses import quotes_of
from tests.support.conversation import SESSIONS, conversation
from tests.support.serving import Site, both


def word(*lines: str) -> bytes:
    made = docx.Document()
    for line in lines:
        made.add_paragraph(line)
    table = made.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "보증금", "3억"
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def paper(text: str | None, password: str = "") -> bytes:
    made = fpdf.FPDF()
    made.add_page()
    if text:
        made.set_font("helvetica")
        made.cell(text=text)
    data = bytes(made.output())
    if not password:
        return data
    locked = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    locked.encrypt(password)
    written = io.BytesIO()
    locked.write(written)
    return written.getvalue()


def book(rows: list[list[Any]]) -> bytes:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def bomb() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"\0" * (file_text.UNPACKED + 1))
    return written.getvalue()


async def upload(site: Site, session: str, name: str, data: bytes) -> Any:
    return await site.http.post(f"{SESSIONS}/{session}/files", files={"file": (name, data)})


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("메모.txt", "특약: 반려동물 금지".encode(), {"kind": "txt", "characters": 11, "rows": None}),
        ("옛글.txt", "특약: 반려동물 금지".encode("cp949"), {"kind": "txt", "characters": 11, "rows": None}),
        ("a.md", b"# title", {"kind": "md", "characters": 7, "rows": None}),
        ("매출.csv", "지점,매출\n서울,10\n부산,20\n".encode(), {"kind": "csv", "characters": 17, "rows": 2}),
        ("계약서.docx", word("제1조 보증금"), {"kind": "docx", "characters": 16, "rows": None}),
        ("lease.PDF", paper("Article 1 deposit"), {"kind": "pdf", "characters": 17, "rows": None}),
        ("매출.xlsx", book([["지점", "매출"], ["서울", 10]]), {"kind": "xlsx", "characters": 11, "rows": 1}),
    ],
)
async def test_a_file_is_read(site: Site, name: str, data: bytes, expected: dict[str, Any]) -> None:
    answer = await upload(site, await site.session(), name, data)
    assert answer.status_code == 201, answer.text
    body = answer.json()
    assert body.pop("file_id")
    assert body == {"name": name, **expected}


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.exe", b"MZ", "wrong_type"),
        ("a", b"text", "wrong_type"),
        ("a.txt", b" \n", "empty"),
        ("a.txt", b"\x00\x01\x02", "damaged"),
        ("a.txt", b"\xff\xfe\x00\xd8", "damaged"),
        ("a.docx", b"PK\x03\x04 not really", "damaged"),
        ("a.pdf", b"%PDF-1.7 nothing", "damaged"),
        ("a.xlsx", b"text", "damaged"),
        ("scan.pdf", paper(None), "no_text"),
        ("locked.pdf", paper("secret", "password"), "locked"),
        ("long.txt", b"a" * (file_text.LONGEST + 1), "too_long"),
        ("large.txt", b"a" * (file_text.LARGEST + 1), "too_large"),
        ("bomb.docx", bomb(), "too_large"),
    ],
)
async def test_what_can_t_be_read_says_why(site: Site, name: str, data: bytes, reason: str) -> None:
    answer = await upload(site, await site.session(), name, data)
    assert answer.status_code == 422, answer.text
    assert (answer.json()["code"], answer.json()["reason"]) == ("unreadable_file", reason)
    assert answer.json()["detail"].startswith(name)


async def test_only_a_form_is_an_upload(site: Site) -> None:
    where = f"{SESSIONS}/{await site.session()}/files"
    assert (await site.http.post(where, json={})).status_code == 415
    assert (await site.http.post(where, files={"other": b"x"})).status_code == 422
    assert (await site.http.post(f"{SESSIONS}", files={"file": b"x"})).status_code == 415


@both
async def test_the_assistant_gets_the_text_apart_from_the_request(site: Site) -> None:
    session, other = await site.session(), await site.session()
    file_id = (await upload(site, session, "계약.txt", "제1조 비밀도시\n서울 9 9".encode())).json()["file_id"]
    given = {"query": "부산 3 100", "files": [file_id], "request_id": "r"}
    outcome = (await site.http.post(f"{SESSIONS}/{session}/messages?wait=true", json=given)).json()
    again = (await site.http.post(f"{SESSIONS}/{session}/messages?wait=true", json=given)).json()
    assert outcome["request_id"] == again["request_id"]
    query = outcome["state"]["query"]
    assert query.startswith("부산 3 100\n\n[첨부: 계약.txt]\n제1조 비밀도시")
    ((start, end),) = quotes_of(query)
    assert query[start:end] == "[첨부: 계약.txt]\n제1조 비밀도시\n서울 9 9\n[첨부 끝]"
    question = (await conversation(site, session))["turns"][0]["question"]
    assert question["content"] == "부산 3 100"
    (shown,) = question["structured_data"]["files"]
    assert (shown["file_id"], shown["name"], shown["kind"]) == (file_id, "계약.txt", "txt")
    assert (await site.http.get(f"{SESSIONS}/{session}")).json()["title"] == "부산 3 100"
    refused = await site.http.post(f"{SESSIONS}/{other}/messages", json={"query": "부산", "files": [file_id]})
    assert refused.status_code == 404
    changed = await site.http.post(f"{SESSIONS}/{session}/messages", json={**given, "files": []})
    assert changed.status_code == 409
