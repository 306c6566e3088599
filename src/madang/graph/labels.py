"""An assistant's labels in another language: files of its own package, by the label itself."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

Translate = Callable[[str, str | None], str]
"""A label in a language (None: the one it is written in); the label itself where it has no other."""


def as_written(label: str, _language: str | None) -> str:
    """The label of an assistant that speaks one language."""
    return label


def labels_of(package: str) -> Translate:
    """What `data/labels.{language}.toml` in a package calls each label; read when that language is first asked for."""

    def translate(label: str, language: str | None) -> str:
        return _labels(package, language).get(label, label) if language else label

    return translate


@cache
def _labels(package: str, language: str) -> Mapping[str, str]:
    file = files(package).joinpath("data", f"labels.{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
