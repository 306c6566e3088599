"""Reports and request forms: what they need, what was said, and the finished text."""

from madang.assistants.works.data.forms import Form, FormField, find_form, form_of
from madang.assistants.works.tools.documents.form_values import fill
from madang.assistants.works.tools.documents.text import compliance_text, compose, report_body, shown_fields

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
