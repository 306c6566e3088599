"""The documents that can be written, as read from `forms.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from madang.assistants.works.data import load
from madang.errors import NotFound
from madang.text.normalise import squeeze


@dataclass(frozen=True)
class FormField:
    """One field: how it is called, what it holds, and words that tell it in free text."""

    name: str
    label: str
    kind: str
    optional: bool = False
    wanted: bool = False
    """Asked for although the document is whole without it."""
    past: bool = False
    audience: bool = False
    """May also be told as whom it is for: 부산 내과 원장님."""
    hints: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A kind of document. A report has a `period` and no fields; a form has fields and a `body`."""

    document_type: str
    title: str
    template_id: str
    words: tuple[str, ...]
    fields: tuple[FormField, ...]
    body: str = ""
    period: str | None = None

    def missing(self, values: Mapping[str, object]) -> list[FormField]:
        """The required fields that have no value yet."""
        return [f for f in self.fields if (not f.optional or f.wanted) and values.get(f.name) in (None, "")]


@lru_cache(maxsize=1)
def forms() -> tuple[Form, ...]:
    """Every form, read once."""
    return tuple(
        Form(
            name,
            one["title"],
            one["template_id"],
            tuple(one["words"]),
            tuple(
                FormField(**{**f, "hints": tuple(f.get("hints", ())), "roles": tuple(f.get("roles", ()))})
                for f in one["fields"]
            ),
            one.get("body", ""),
            one.get("period"),
        )
        for name, one in load("forms").items()
    )


def find_form(text: str) -> Form | None:
    """The document that a text asks for: the longest of its names that stands in it."""
    squeezed = squeeze(text).replace("지출보고서", "")
    hits = [(len(squeeze(w)), form) for form in forms() for w in form.words if squeeze(w) in squeezed]
    return max(hits, key=lambda hit: hit[0])[1] if hits else None


def form_of(document_type: str) -> Form:
    """The form by its type. Raises `NotFound`."""
    for form in forms():
        if form.document_type == document_type:
            return form
    raise NotFound(f"{document_type} 문서 양식이 없습니다")
