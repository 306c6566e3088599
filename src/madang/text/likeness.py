"""What a text is like, among labelled examples: for wordings that no rule foresees.

A ridge regression over hashed letter groups, one column a label. A score near 1 means "as the examples with this
label", near -1 "as the others".
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

_SIZE_BITS = 13
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

    @classmethod
    def learn(cls, examples: Examples) -> "Likeness":
        """4,000 examples take seconds: what ships is learnt before, by `make readers`."""
        import numpy as np

        labels = sorted({label for _, found in examples for label in found})
        rows = np.stack([_letters(text) for text, _ in examples])
        rarity = np.log(1 + len(rows) / (1 + (rows > 0).sum(axis=0))).astype(np.float32)
        rows *= rarity
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        wanted = [[1 if label in found else -1 for label in labels] for _, found in examples]
        alike = rows @ rows.T
        alike[np.diag_indices_from(alike)] += _RIDGE
        weights = rows.T @ np.linalg.solve(alike, np.array(wanted, dtype=np.float32))
        return cls(tuple(labels), data_hash(examples), rarity, weights)

    @classmethod
    def load(cls, path: Path) -> "Likeness":
        """What `save` stored. Raises `OSError` if there is none."""
        import numpy as np

        with zipfile.ZipFile(BytesIO(path.read_bytes())) as packed:
            about = json.loads(packed.read("about.json"))
            rarity = np.frombuffer(packed.read("rarity"), dtype=np.float16).astype(np.float32)
            weights = np.frombuffer(packed.read("weights"), dtype=np.float16).astype(np.float32)
        labels = tuple(about["labels"])
        return cls(labels, about["data_hash"], rarity, weights.reshape(-1, len(labels)))

    def save(self, path: Path) -> None:
        import numpy as np

        about = json.dumps({"labels": self.labels, "data_hash": self.data_hash}).encode()
        numbers = {name: getattr(self, name).astype(np.float16).tobytes() for name in ("rarity", "weights")}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for name, content in {"about.json": about, **numbers}.items():
                packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)

    def of(self, text: str) -> dict[str, float]:
        """The score of each label; empty for a text without letters."""
        import numpy as np

        vector = _letters(text) * self.rarity
        length = float(np.linalg.norm(vector))
        return dict(zip(self.labels, map(float, vector @ self.weights / length), strict=True)) if length else {}


def data_hash(examples: Examples) -> str:
    """What changes when an example does."""
    told = json.dumps([(text, sorted(labels)) for text, labels in examples], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _letters(text: str) -> Any:
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
