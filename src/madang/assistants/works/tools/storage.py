"""Deciding where something is kept, and keeping it there."""

import uuid
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from madang.assistants.works.data.tables import KEYS
from madang.assistants.works.state.agents import Row, SchemaMapping
from madang.assistants.works.state.documents import Document
from madang.assistants.works.tools.archive import ArchivedDocument
from madang.assistants.works.tools.warehouse import Warehouse
from madang.state.clock import now_iso
from madang.text.rendering import render_all

Where = Literal["structured_db", "vector_db", "unstructured_db", "hybrid"]
_PEOPLE = (
    "SELECT c.customer_id, c.rep_id FROM (SELECT customer_id, customer, rep_id FROM customers "
    "WHERE company_id = $company) AS c WHERE c.customer = $customer LIMIT 1"
)
FILED_IN = {
    "visit_report": (
        "visits",
        {"date": "date", "customer": "customer_id", "purpose": "purpose", "content": "note"},
        "방문 사실은 방문 기록에",
    ),
    "seminar_request": (
        "benefits",
        {"date": "date", "customer": "customer_id", "attendees": "people"},
        "제공 예정액은 경제적 이익 원장에",
    ),
}
"""The table that the facts of a form belong to, its columns by form field, and why."""


@dataclass(frozen=True)
class Decision:
    """Where the content belongs and why; `rows` by table are what goes into relational tables."""

    where: Where
    reasoning: str
    rows: dict[str, list[Row]] = field(default_factory=dict)
    mapping: SchemaMapping = field(default_factory=SchemaMapping)


@dataclass(frozen=True)
class Stored:
    """What was kept, and where it is found again."""

    document_id: str
    version: int
    location: str
    files: dict[str, str]
    rows: dict[str, int]
    bytes: int
    skipped: dict[str, str]


def decide(document: Document, warehouse: Warehouse, company_id: str, today: date) -> Decision:
    """By the content: facts that have a table are rows, prose is searchable text, a laid-out report is a file."""
    kind, form = document.get("document_type", ""), document.get("form_data", {})
    customer = form.get("customer")
    ids = warehouse.run(company_id, today, _PEOPLE, {"customer": customer}).rows if customer else ()
    if kind in FILED_IN and ids:
        table, fields, why = FILED_IN[kind]
        row: Row = {column: form.get(name) for name, column in fields.items()}
        row |= {KEYS[table]: f"F{uuid.uuid4().hex[:12]}", "customer_id": ids[0][0], "rep_id": ids[0][1]}
        if table == "benefits":
            people, each = int(form.get("attendees") or 0), int(form.get("cost_per_person") or 0)
            row |= {"recipient": "참석자 전체", "kind": "seminar_meal", "amount": people * each}
        return Decision(
            "hybrid", f"{why}, 본문은 검색용 문서에, 서식은 파일에 둡니다", {table: [row]}, _mapping(table, fields)
        )
    if kind in FILED_IN:
        return Decision(
            "unstructured_db", f"거래처 이름({customer})이 자료에 없어 표에는 넣지 않고 파일과 검색용 문서로 둡니다"
        )
    if kind.endswith("_report"):
        return Decision("unstructured_db", "정해진 표가 없는 보고서라 파일로 두고 본문을 검색할 수 있게 합니다")
    return Decision("vector_db", "서식이 없는 글이라 검색용 문서로 둡니다")


def _mapping(table: str, fields: dict[str, str]) -> SchemaMapping:
    rules = [f"{name} → {column}" for name, column in fields.items() if name != column]
    return {"target_table": table, "field_mappings": fields, "transformation_rules": rules}


def store(document: Document, decision: Decision, warehouse: Warehouse, company_id: str, *, user_id: str) -> Stored:
    """Keep it: rows and text in one transaction, files beside. Storing the same document again is its next version."""
    # The same content has the same id: storing it again, or again after a crash, is a version and not a double.
    content, title = document.get("content", ""), document.get("title", "메모")
    document_id = document.get("document_id") or str(
        uuid.uuid5(uuid.NAMESPACE_OID, f"{company_id}\n{title}\n{content}")
    )
    before = [d for d in warehouse.archive.documents(company_id) if d.document_id == document_id]
    version = max((before[0].version if before else 0) + 1, document.get("version") or 1)
    files: dict[str, str] = {}
    skipped: dict[str, str] = {}
    if decision.where != "vector_db":
        rendered, skipped = render_all(content, title)
        files = _write(warehouse.company_folder(company_id) / "files", f"{document_id}-v{version}", rendered)
    location = files.get("md") or f"documents/{document_id}"
    kept = ArchivedDocument(
        document_id,
        version,
        document.get("document_type", "note"),
        title,
        content,
        {"form_data": document.get("form_data"), "decision": decision.where, "files": files},
        location,
        user_id,
        now_iso(),
    )
    rows = {} if before else decision.rows
    warehouse.archive.add(company_id, rows, [kept])
    size = len(content.encode()) + sum(Path(path).stat().st_size for path in files.values())
    return Stored(document_id, version, location, files, {t: len(r) for t, r in rows.items()}, size, skipped)


def _write(folder: Path, name: str, files: dict[str, bytes]) -> dict[str, str]:
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, str] = {}
    for form, data in files.items():
        path = folder / f"{name}.{form}"
        path.write_bytes(data)
        written[form] = str(path)
    return written
