"""The words a question may use: metrics, dimensions, and the names that are in the company's data."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from madang.assistants.works.data import load
from madang.assistants.works.data.semantics import semantics
from madang.text.normalise import closest, squeeze, to_jamo

Role = Literal["metric", "dimension", "noun", "value", "group", "unknown"]

_FORM = re.compile(r"(정|캡슐|시럽|주|액|크림|산|연고|패치)$")
TITLES = r"(?:사원|주임|대리|과장|차장|부장|팀장|지점장|담당자?|님|씨|매니저|선임|책임|MR)"


@dataclass(frozen=True)
class Meaning:
    """What a word stands for: a metric or dimension by `name`, or a `value` of the dimension `name`."""

    role: Role
    name: str
    value: str | None = None


@dataclass(frozen=True)
class Names:
    """The values of each dimension that are in the data."""

    values: Mapping[str, tuple[str, ...]]

    def nearest(self, field: str, word: str) -> str | None:
        """The value most like `word`, or None when none is near; that both end in 지점 counts for nothing."""
        ending = "지점" if field == "branch" else ""
        stems = {value.removesuffix(ending): value for value in self.values.get(field, ())}
        found = closest(word.removesuffix(ending), stems, 0.5 if ending else 0.45)
        return stems[found] if found else None

    def __contains__(self, item: tuple[str, str]) -> bool:
        return item[1] in self._sets.get(item[0], frozenset())

    @cached_property
    def _sets(self) -> dict[str, frozenset[str]]:
        return {name: frozenset(values) for name, values in self.values.items()}


class Lexicon:
    """Surfaces (without blanks, lower case) and what they mean, the likeliest first."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.surfaces: dict[str, list[Meaning]] = {}
        for surface, meaning in [*_layer_words(), *_value_words(names)]:
            key = squeeze(surface)
            known = self.surfaces.setdefault(key, [])
            if meaning not in known:
                known.append(meaning)
        self.lengths = sorted({len(key) for key in self.surfaces}, reverse=True)
        self.firsts = {key[0] for key in self.surfaces}

    @cached_property
    def spelled(self) -> dict[str, str]:
        """Jamo → surface, of the words and names long enough to be mistyped recognisably."""
        return {to_jamo(key): key for key in self.surfaces if len(to_jamo(key)) >= 5}

    @cached_property
    def nearly_spelled(self) -> dict[str, list[str]]:
        """The same, by each spelling and by each with a letter left out: two a slip apart meet there."""
        found: dict[str, list[str]] = {}
        for spelled in self.spelled:
            for form in {spelled, *one_less(spelled)}:
                found.setdefault(form, []).append(spelled)
        return found


def one_less(word: str) -> list[str]:
    """The word with each of its letters left out in turn."""
    return [word[:at] + word[at + 1 :] for at in range(len(word))]


def _layer_words() -> Iterator[tuple[str, Meaning]]:
    layer = semantics()
    for name, metric in layer.metrics.items():
        yield from ((word, Meaning("metric", name)) for word in metric.words)
    for name, dimension in layer.dimensions.items():
        yield from ((word, Meaning("dimension", name)) for word in dimension.words)
        yield from ((noun, Meaning("noun", name)) for noun in dimension.nouns)
    raw = load("semantics")
    for field, aliases in raw["values"].items():
        for value, words in aliases.items():
            yield from ((word, Meaning("value", field, value)) for word in [value, *words])
    for field, groups in raw["groups"].items():
        yield from ((word, Meaning("group", field, word)) for word in groups)
    yield from ((word, Meaning("unknown", name, word)) for word, name in raw["unknown"].items())


def _value_words(names: Names) -> Iterator[tuple[str, Meaning]]:
    regions = set(names.values.get("region", ()))
    for field in ("branch", "team", "product_class", "product", "specialty", "customer_type", "region", "rep"):
        for value in names.values.get(field, ()):
            for surface in (value, *_aliases(field, value, regions)):
                if len(surface) > 1:
                    yield surface, Meaning("value", field, value)
    short: dict[str, list[str]] = {}
    for value in names.values.get("customer", ()):
        yield value, Meaning("value", "customer", value)
        short.setdefault(re.sub(r"의원$", "", value), []).append(value)
    for surface, values in short.items():
        if len(values) == 1 and len(surface) > 2 and surface != values[0]:
            yield surface, Meaning("value", "customer", values[0])


def _aliases(field: str, value: str, regions: set[str]) -> Iterator[str]:
    if field == "branch" and value.endswith("지점"):
        stem = value[:-2]
        yield from (f"{stem}점", f"{stem}지사")
        if stem not in regions:
            yield stem
    if field == "product":
        stem = _FORM.sub("", value)
        if len(stem) >= 3:
            yield stem
