"""What a conversation hands to its agents: documents, and what to check."""

from typing import NotRequired

from typing_extensions import TypedDict

from madang.assistants.works.state.semantic_query import Filter, Period, SemanticQuery

FormValues = dict[str, str | int]
"""The values of a form, by field name."""


class Finding(TypedDict):
    """A result of this conversation, as a summary needs it: what, in a sentence, and its table."""

    heading: str
    sentence: str
    table: str


class TextPart(TypedDict):
    """One of the texts that are wanted at once: what it is, what it is for, whom it is for, its most lines."""

    kind: str
    occasion: str
    audience: str
    lines: int | None


class TextInput(TypedDict, total=False):
    """A text to write: its kind and occasion, whom it is for, what is known, what must not be in it."""

    kind: str
    occasion: str
    audiences: list[str]
    slots: dict[str, str]
    without: list[str]
    lines: int | None
    english: bool
    note: str
    parts: list[TextPart]
    body: str
    """The text as it was changed by hand; what it was written from no longer counts."""


class Document(TypedDict, total=False):
    """A document or a note: written before, to be edited, or to be stored."""

    document_id: str | None
    document_type: str
    title: str
    content: str
    form_data: FormValues
    version: int
    compliance_text: str
    missing: list[str]
    """The labels of the fields that have no value yet."""
    query: SemanticQuery | None
    """The question whose figures a report shows."""
    wish: TextInput | None
    """What a text of one's own was written from."""


class DocumentInput(Document, total=False):
    """The document to write, with what is known of its form; `text` is the message that asked for it, `changed` what
    is different from the version before, `findings` what a summary sheet is made of."""

    text: str
    changed: str | None
    findings: list[Finding]


class AccountRequest(TypedDict, total=False):
    """Customers that are asked about: a `list`, a `profile` of one, `coverage`, those to see first (`priority`), a
    `plan` of visits, a `review` of reps, what was given (`ledger`), sales a head (`headcount`), those that buy less
    (`falling`), or what is left to a target (`pace`). `uses` and `uses_not` are products, `least` the pieces that
    count."""

    kind: str
    filters: list[Filter]
    period: Period | None
    name_part: str | None
    uses: list[str]
    uses_not: list[str]
    least: int
    unvisited: bool
    lacking: list[str]
    by_branch: bool
    limit: int | None
    oldest: bool
    visits: bool
    yearly: bool
    off: list[str]
    days: list[str]
    blocked: list[str]
    whose: str
    about: list[str]


class ComplianceInput(TypedDict):
    """The situation to judge: an `action` that was described, a `document`, a `report` of figures, a `note`, or an
    `addition` that is wanted in the document of the turn. `more` are further situations, each judged by itself."""

    text: str
    type: str
    more: NotRequired[list[str]]


class AnalysisView(TypedDict, total=False):
    """How figures are looked at: rows to mark, the one that is talked of, whether two metrics go together."""

    mark: Filter | None
    focus: Filter | None
    relate: bool
    falls: bool
    """Whether what went down is wanted, whatever the whole did."""
    whose: str
    """"unknown" where somebody's own figures were wanted and nobody knows who writes."""


class ShowRequest(TypedDict, total=False):
    """The last result or the open document in another form: table, chart, file, summary, document, docx, pdf."""

    form: str
    lines: int | None
    total: bool


class LastResult(TypedDict):
    """What the last figures were about, for what refers to them."""

    query: SemanticQuery
    heading: str
    rows: list[dict[str, str | int | float | bool | None]]
