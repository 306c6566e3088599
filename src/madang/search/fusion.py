"""How the parts' scores become one: each part is independent evidence with a reliability of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from madang.errors import InvalidInput
from madang.search.phrases import Likeness
from madang.search.statistics import Floats

PHRASE_MIX: Mapping[str, float] = {"terms": 0.45, "bigrams": 0.2, "jamo": 0.35}
RELIABILITY: Mapping[str, float] = {"phrases": 0.35, "terms": 0.9, "bigrams": 0.7, "vectors": 0.7}


@dataclass(frozen=True)
class Fusion:
    """The weights of the fusion, chosen on the development set of `madang bench search`.

    `reliability` is how far a part alone may carry a document (0 to 1), `mix` how the kinds of tokens share in
    comparing phrases (sums to 1), `uncovered` what is left of a score when the document has none of the question's
    telling words, `vector_floor` the cosine of unrelated texts in the embedding model that is set.
    """

    reliability: Mapping[str, float] = field(default_factory=lambda: RELIABILITY)
    mix: Mapping[str, float] = field(default_factory=lambda: PHRASE_MIX)
    likeness: Likeness = field(default_factory=Likeness)
    vector_floor: float = 0.3
    uncovered: float = 0.3

    def __post_init__(self) -> None:
        if any(not 0 <= value <= 1 for value in self.reliability.values()):
            raise InvalidInput("a part's reliability must be between 0 and 1")
        if any(value < 0 for value in self.mix.values()) or not np.isclose(sum(self.mix.values()), 1):
            raise InvalidInput("the shares of the phrase mix must not be negative and must sum to 1")

    def fuse(self, parts: Mapping[str, Floats], coverage: Floats) -> Floats:
        """One score per document, 0 to 1, never lower when any part's score or the coverage is higher.

        Coverage tempers what words say, not what vectors say: they exist for questions that share no word.
        """
        doubt = np.ones_like(coverage)
        for name, scores in parts.items():
            if name != "vectors":
                doubt *= 1 - self.reliability.get(name, 0.0) * np.clip(scores, 0, 1)
        words = (1 - doubt) * (self.uncovered + (1 - self.uncovered) * np.sqrt(np.clip(coverage, 0, 1)))
        near = np.clip(parts.get("vectors", np.zeros_like(coverage)), 0, 1)
        return np.asarray(1 - (1 - words) * (1 - self.reliability.get("vectors", 0.0) * near), dtype=np.float64)
