"""What a conversation hands to its agents: documents, and what to check."""

from typing_extensions import TypedDict

FormValues = dict[str, str | int]
"""The values of a form, by field name."""


class Document(TypedDict, total=False):
    """A document or a note: written before, to be edited, or to be stored."""

    document_id: str | None
    document_type: str
    title: str
    content: str
    form_data: FormValues
    version: int
    compliance_text: str


class DocumentInput(Document, total=False):
    """The document to write, with what is known of its form; `text` is the message that asked for it."""

    text: str


class ComplianceInput(TypedDict):
    """The situation to judge: an action that was described, or a document."""

    text: str
    type: str
