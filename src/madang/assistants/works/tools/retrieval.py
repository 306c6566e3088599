"""Finding internal records, archived documents and rules; merged, without doubles, ranked, cited."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.works.state.agents import Hit
from madang.assistants.works.tools.archive import ArchivedDocument
from madang.assistants.works.tools.compliance import RuleBook
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.warehouse import Warehouse
from madang.assistants.works.tools.web_search import NaverSearch, WebPage
from madang.search import Document, HybridIndex, Methods, syllable_bigrams

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


@dataclass
class Library:
    """What can be searched for one company. The index is built when it is first asked and again when files change."""

    warehouse: Warehouse
    book: RuleBook
    embed: Callable[[Sequence[str]], Any] | None = None
    web: NaverSearch | None = None
    _indexes: dict[str, HybridIndex] = field(default_factory=dict)

    @property
    def sources(self) -> list[str]:
        return ["internal_db", "vector_db", *(["web"] if self.web else [])]

    def search(self, query: str, company_id: str, today: date, *, wide: bool = False) -> dict[str, list[Hit]]:
        """What was found in each source, best first. `wide` lowers what counts as a hit, but for rules: a rule that is
        only a little like what is asked for is about something else."""
        found = {
            "internal_db": self._visits(query, company_id, today),
            "vector_db": self._texts(query, company_id, MIN_SCORE / 2 if wide else MIN_SCORE),
        }
        if self.web:
            found["web"] = [_page_hit(query, page) for page in self.web.search(query, MOST_HITS)]
        return found

    def _index(self, company_id: str) -> HybridIndex:
        version = f"{company_id}:{self.warehouse.archive.version}:{self.book.version}"
        if version not in self._indexes:
            documents = [*rule_documents(self.book), *archived_documents(self.warehouse.archive.documents(company_id))]
            self._indexes.clear()
            self._indexes[version] = HybridIndex.build(documents, Methods(embed=self.embed))
        return self._indexes[version]

    def _texts(self, query: str, company_id: str, least: float) -> list[Hit]:
        return [
            Hit(
                id=hit.document.id,
                source="vector_db",
                title=hit.document.title,
                content=hit.document.text,
                score=round(hit.score, 4),
                citation=str(hit.document.meta.get("citation", hit.document.title)),
                as_of=str(hit.document.meta.get("as_of", "")),
                kind=hit.document.kind,
            )
            for hit in self._index(company_id).search(query, MOST_HITS, min_score=least)
            if hit.document.kind != "rule" or hit.score >= MIN_SCORE
        ]

    def _visits(self, query: str, company_id: str, today: date) -> list[Hit]:
        """The latest visits to the customers that the query names."""
        lexicon = self.warehouse.lexicon(company_id, today)
        customers = [f.meaning.value for f in scan(query, lexicon) if f.meaning.name == "customer" and f.meaning.value]
        tables = self.warehouse.archive.tables("visits")
        sql = _VISITS.format(source=" UNION ALL ".join(_VISIT_SOURCE.format(table=t) for t in tables))
        return [
            _visit_hit(query, i, *row)
            for customer in customers[:3]
            for i, row in enumerate(self.warehouse.run(company_id, today, sql, {"customer": customer}).rows)
        ]


def _visit_hit(query: str, number: int, day: date, customer: str, rep: str, purpose: str, note: str) -> Hit:
    title = f"{customer} 방문 기록"
    text = f"{day} {rep or ''} {customer} 방문: {purpose or ''} {note or ''}".strip()
    return Hit(
        id=f"visit:{customer}:{day}:{number}",
        source="internal_db",
        title=title,
        content=text,
        score=likeness(query, f"{title} {text}"),
        citation=f"{title} {day}",
        as_of=str(day),
        kind="visit",
    )


def _page_hit(query: str, page: WebPage) -> Hit:
    return Hit(
        id=page["link"],
        source="web",
        title=page["title"],
        content=page["text"],
        score=likeness(query, f"{page['title']} {page['text']}"),
        citation=page["link"],
        as_of="",
        kind="",
    )


def likeness(query: str, text: str) -> float:
    """The share of the query's pairs of letters that stand in the text, from 0 to 1."""
    asked = set(syllable_bigrams(query))
    return round(len(asked.intersection(syllable_bigrams(text))) / len(asked), 4) if asked else 0.0


def merge(found: dict[str, list[Hit]]) -> list[Hit]:
    """All sources together: without doubles, best first; equally good ones in the order of their source."""
    best: dict[str, Hit] = {}
    for one in (hit for hits in found.values() for hit in hits):
        key = re.sub(r"\s+", "", one["content"])[:200]
        if key not in best or best[key]["score"] < one["score"]:
            best[key] = one
    return sorted(best.values(), key=lambda hit: -hit["score"])[:MOST_HITS]


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
