"""Finding internal records, filed documents and rules; merged, without doubles, ranked, cited."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from madang.assistants.works.tools.archive import ArchivedDocument
from madang.assistants.works.tools.compliance import RuleBook
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.warehouse import Warehouse
from madang.search import Document, HybridIndex, Methods

MOST_HITS = 8
MIN_SCORE = 0.12
_VISITS = (
    "SELECT v.date, c.customer, r.rep, v.purpose, v.note FROM ({source}) AS v "
    "JOIN (SELECT customer_id, customer FROM customers WHERE company_id = $company) AS c "
    "ON c.customer_id = v.customer_id "
    "LEFT JOIN (SELECT rep_id, rep FROM reps WHERE company_id = $company) AS r ON r.rep_id = v.rep_id "
    "WHERE c.customer = $customer ORDER BY v.date DESC LIMIT 5"
)
_VISIT_SOURCE = "SELECT date, customer_id, rep_id, purpose, note FROM {table} WHERE company_id = $company"


class WebSearch(Protocol):
    """Outside sources. None is configured unless a key is set."""

    def search(self, query: str, limit: int) -> list[dict[str, Any]]: ...


@dataclass(frozen=True)
class Found:
    """One thing found."""

    id: str
    source: str
    title: str
    text: str
    score: float
    citation: str
    as_of: str = ""
    kind: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.id, "source": self.source, "title": self.title, "content": self.text, "score": self.score,
            "citation": self.citation, "as_of": self.as_of, "kind": self.kind,
        }  # fmt: skip


@dataclass
class Library:
    """What can be searched for one company. The index is built when it is first asked and again when files change."""

    warehouse: Warehouse
    book: RuleBook
    embed: Callable[[Sequence[str]], Any] | None = None
    web: WebSearch | None = None
    _indexes: dict[str, HybridIndex] = field(default_factory=dict)

    @property
    def sources(self) -> list[str]:
        return ["internal_db", "vector_db", *(["web"] if self.web else [])]

    def search(self, query: str, company_id: str, today: date, *, wide: bool = False) -> dict[str, list[Found]]:
        """What was found in each source, best first. `wide` lowers what counts as a hit."""
        found = {
            "internal_db": self._records(query, company_id, today),
            "vector_db": self._texts(query, company_id, MIN_SCORE / 2 if wide else MIN_SCORE),
        }
        if self.web:
            found["web"] = [
                Found(str(r.get("link")), "web", str(r.get("title")), str(r.get("text")), 0.5, str(r.get("link")))
                for r in self.web.search(query, MOST_HITS)
            ]
        return found

    def _index(self, company_id: str) -> HybridIndex:
        version = f"{company_id}:{self.warehouse.archive.version}:{self.book.version}"
        if version not in self._indexes:
            documents = [*rule_documents(self.book), *archived_documents(self.warehouse.archive.documents(company_id))]
            self._indexes.clear()
            self._indexes[version] = HybridIndex.build(documents, Methods(embed=self.embed))
        return self._indexes[version]

    def _texts(self, query: str, company_id: str, least: float) -> list[Found]:
        hits = self._index(company_id).search(query, MOST_HITS, min_score=least)
        return [
            Found(
                hit.document.id,
                "vector_db",
                hit.document.title,
                hit.document.text,
                round(hit.score, 4),
                str(hit.document.meta.get("citation", hit.document.title)),
                str(hit.document.meta.get("as_of", "")),
                hit.document.kind,
            )
            for hit in hits
        ]

    def _records(self, query: str, company_id: str, today: date) -> list[Found]:
        lexicon = self.warehouse.lexicon(company_id, today)
        customers = [f.meaning.value for f in scan(query, lexicon) if f.meaning.name == "customer" and f.meaning.value]
        found: list[Found] = []
        tables = self.warehouse.archive.tables("visits")
        sql = _VISITS.format(source=" UNION ALL ".join(_VISIT_SOURCE.format(table=t) for t in tables))
        for customer in customers[:3]:
            rows = self.warehouse.run(company_id, today, sql, {"customer": customer}).rows
            for i, (day, name, rep, purpose, note) in enumerate(rows):
                text = f"{day} {rep or ''} {name} 방문: {purpose or ''} {note or ''}".strip()
                title = f"{name} 방문 기록"
                found.append(
                    Found(
                        f"visit:{name}:{day}:{i}",
                        "internal_db",
                        title,
                        text,
                        round(0.7 - 0.01 * i, 2),
                        f"{title} {day}",
                        str(day),
                        "visit",
                    )
                )
        return found


def merge(found: dict[str, list[Found]]) -> list[Found]:
    """All sources together: without doubles, best first."""
    best: dict[str, Found] = {}
    for one in (item for items in found.values() for item in items):
        key = re.sub(r"\s+", "", one.text)[:200]
        if key not in best or best[key].score < one.score:
            best[key] = one
    return sorted(best.values(), key=lambda one: (-one.score, one.id))[:MOST_HITS]


def rule_documents(book: RuleBook) -> list[Document]:
    """The rules as searchable texts."""
    documents = []
    for rule in book.rules.values():
        named = [_figure(name, value) for name, value in rule.figures.items() if isinstance(value, int)]
        figures = ", ".join(words for words in named if words)
        text = f"{rule.change}. 근거: {rule.citation}. {' '.join(rule.also)}" + (f" 기준: {figures}" if figures else "")
        documents.append(
            Document(
                id=f"rule:{rule.id}",
                title=rule.title,
                text=text,
                kind="rule",
                meta={"citation": rule.citation, "as_of": rule.as_of, "group": rule.group},
                phrases=(rule.title, f"{rule.title} 규정", *rule.words, *rule.also),
            )
        )
    return documents


_FIGURES = {
    "limit": "한도", "limit_extra": "추가 한도", "limit_farm": "농수산물 한도",
    "limit_farm_holiday": "명절 농수산물 한도",
    "limit_wreath": "화환 한도", "per_day": "하루", "per_month": "한 달", "per_year": "한 해", "days": "기간",
}  # fmt: skip
_LEAST_SUM = 1000


def _figure(name: str, value: int) -> str:
    """A rule's figure in words; sums are in won, small numbers count times or days."""
    if name not in _FIGURES:
        return ""
    unit = "원" if value >= _LEAST_SUM else "일" if name == "days" else "회"
    return f"{_FIGURES[name]} {value:,}{unit}"


def archived_documents(documents: Sequence[ArchivedDocument]) -> list[Document]:
    """Archive documents as searchable texts."""
    return [
        Document(
            id=f"document:{one.document_id}",
            title=one.title,
            text=one.content,
            kind=one.document_type,
            meta={"citation": f"{one.title} v{one.version} ({one.created_at[:10]})", "as_of": one.created_at[:10]},
        )
        for one in documents
    ]
