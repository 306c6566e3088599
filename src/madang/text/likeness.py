"""What a text is like, among labelled examples: for wordings that no rule foresees.

A ridge regression over hashed letter groups, one column a label. A score near 1 means "as the examples with this
label", near -1 "as the others". With `words` also over morphemes and their pairs, for texts of several sentences and
many labels: the others are 0 then, and the weights are stored in a byte each.
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

_SIZE_BITS, _WORD_BITS = 13, 13
# The smallest weights, by their share of a label's largest, are not stored.
_LEAST_WEIGHT, _STEPS = 0.04, 127
_GROUPS = (1, 2, 3)
_RIDGE = 0.1
_NUMBER = re.compile(r"\d[\d,.]*")
_NO_LETTER = re.compile(r"[\W_]+")


Examples = Sequence[tuple[str, Collection[str]]]


@dataclass(frozen=True)
class Likeness:
    """Learnt from examples, each a text and its labels. `data_hash` says which ones they were."""

    labels: tuple[str, ...]
    data_hash: str
    rarity: Any
    weights: Any
    words: bool = False

    @classmethod
    def learn(cls, examples: Examples, *, words: bool = False, ridge: float = _RIDGE) -> "Likeness":
        """4,000 examples take seconds: what ships is learnt before, by `make readers`."""
        import numpy as np

        labels = sorted({label for _, found in examples for label in found})
        rows = np.stack([_groups(text, words=words) for text, _ in examples])
        rarity = np.log(1 + len(rows) / (1 + (rows > 0).sum(axis=0))).astype(np.float32)
        rows = np.stack([_evened(row * rarity) for row in rows])
        other = 0 if words else -1
        wanted = [[1 if label in found else other for label in labels] for _, found in examples]
        alike = rows @ rows.T
        alike[np.diag_indices_from(alike)] += ridge
        weights = rows.T @ np.linalg.solve(alike, np.array(wanted, dtype=np.float32))
        return cls(tuple(labels), data_hash(examples), rarity, weights, words)

    @classmethod
    def load(cls, path: Path) -> "Likeness":
        """What `save` stored. Raises `OSError` if there is none."""
        import numpy as np

        with zipfile.ZipFile(BytesIO(path.read_bytes())) as packed:
            about = json.loads(packed.read("about.json"))
            rarity = np.frombuffer(packed.read("rarity"), dtype=np.float16).astype(np.float32)
            words = bool(about.get("words"))
            kind = np.int8 if words else np.float16
            weights = np.frombuffer(packed.read("weights"), dtype=kind).astype(np.float32)
            largest = np.frombuffer(packed.read("largest"), dtype=np.float32) if words else None
        labels = tuple(about["labels"])
        weights = weights.reshape(-1, len(labels))
        return cls(labels, about["data_hash"], rarity, weights if largest is None else weights * largest, words)

    def save(self, path: Path) -> None:
        import numpy as np

        told = {"labels": self.labels, "data_hash": self.data_hash} | ({"words": True} if self.words else {})
        about = json.dumps(told).encode()
        numbers = {name: getattr(self, name).astype(np.float16).tobytes() for name in ("rarity", "weights")}
        if self.words:
            largest = np.abs(self.weights).max(axis=0) / _STEPS
            steps = np.round(self.weights / largest)
            steps[np.abs(steps) < _LEAST_WEIGHT * _STEPS] = 0
            numbers |= {"weights": steps.astype(np.int8).tobytes(), "largest": largest.astype(np.float32).tobytes()}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for name, content in {"about.json": about, **numbers}.items():
                packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)

    def of(self, text: str) -> dict[str, float]:
        """The score of each label; empty for a text without letters."""
        import numpy as np

        vector = _evened(_groups(text, words=self.words) * self.rarity)
        there = np.flatnonzero(vector)
        return (
            dict(zip(self.labels, map(float, vector[there] @ self.weights[there]), strict=True)) if len(there) else {}
        )


def data_hash(examples: Examples) -> str:
    """What changes when an example does."""
    told = json.dumps([(text, sorted(labels)) for text, labels in examples], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _groups(text: str, *, words: bool) -> Any:
    import numpy as np

    letters = letter_groups(text)
    return np.concatenate([letters, _words(text)]) if words else letters


def _evened(row: Any) -> Any:
    """A row of length 1, of which letters and words have half each."""
    import numpy as np

    letters, words = row[: 1 << _SIZE_BITS], row[1 << _SIZE_BITS :]
    parts = [part / (float(np.linalg.norm(part)) or 1.0) for part in (letters, words) if len(part)]
    return np.concatenate(parts) / np.sqrt(np.float32(len(parts)))


def _words(text: str) -> Any:
    """How often each morpheme and each pair of them is there, hashed."""
    import numpy as np

    from madang.text.morphemes import telling

    forms = [one.form for one in telling(text)]
    counts = np.zeros(1 << _WORD_BITS, dtype=np.float32)
    for form in [*forms, *(f"{one} {next_}" for one, next_ in pairwise(forms))]:
        counts[crc32(form.encode()) & ((1 << _WORD_BITS) - 1)] += 1
    return np.log1p(counts)


def letter_groups(text: str) -> Any:
    """How often each group of letters is there, hashed; which number it is, blanks and punctuation don't count."""
    import numpy as np

    bare = _NO_LETTER.sub("", _NUMBER.sub("0", text))
    counts = np.zeros(1 << _SIZE_BITS, dtype=np.float32)
    if not bare:
        return counts
    codes = np.frombuffer(f"^{bare}$".encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    places = []
    for size in _GROUPS:
        mixed = np.full(len(codes) - size + 1, size, dtype=np.uint64)
        for place in range(size):
            mixed = mixed * np.uint64(1000003) + codes[place : len(codes) - size + 1 + place]
        places.append((mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _SIZE_BITS))
    there, often = np.unique(np.concatenate(places), return_counts=True)
    counts[there] = 1 + np.log(often.astype(np.float32))
    return counts
