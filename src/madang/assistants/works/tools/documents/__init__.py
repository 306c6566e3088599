"""Reports and request forms: what they need, what was said, and the finished text."""

from madang.assistants.works.tools.documents.composing import compliance_text, compose, report_body, shown_fields
from madang.assistants.works.tools.documents.filling import fill
from madang.assistants.works.tools.documents.forms import Form, FormField, find_form, form_of

__all__ = [
    "Form",
    "FormField",
    "compliance_text",
    "compose",
    "fill",
    "find_form",
    "form_of",
    "report_body",
    "shown_fields",
]
