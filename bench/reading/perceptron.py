"""The learnt readers' peer: an averaged perceptron that labels each item by itself, over the same features."""

import random
from collections import defaultdict
from collections.abc import Sequence

Sequences = Sequence[tuple[list[list[str]], list[str]]]
PASSES = 8


class Perceptron:
    """Weights by feature and label, averaged over training; the label before counts as a feature."""

    def __init__(self, sequences: Sequences) -> None:
        self.weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self.labels = sorted({label for _, labels in sequences for label in labels})
        totals: dict[tuple[str, str], float] = defaultdict(float)
        since: dict[tuple[str, str], int] = defaultdict(int)
        order, chance, at = list(sequences), random.Random(0), 0

        def add(feature: str, label: str, change: float) -> None:
            key = (feature, label)
            totals[key] += (at - since[key]) * self.weights[feature][label]
            since[key] = at
            self.weights[feature][label] += change

        for _ in range(PASSES):
            chance.shuffle(order)
            for items, labels in order:
                before = "<start>"
                for item, wanted in zip(items, labels, strict=True):
                    at += 1
                    features = [*item, f"before={before}"]
                    guessed = self._best(features)
                    if guessed != wanted:
                        for feature in features:
                            add(feature, wanted, 1.0)
                            add(feature, guessed, -1.0)
                    before = wanted
        for feature, by_label in self.weights.items():
            for label, weight in by_label.items():
                key = (feature, label)
                by_label[label] = (totals[key] + (at - since[key]) * weight) / max(at, 1)

    def label(self, items: Sequence[Sequence[str]]) -> list[tuple[str, float]]:
        """A label for each item; it has no probability, so each is as sure as can be."""
        found: list[tuple[str, float]] = []
        before = "<start>"
        for item in items:
            before = self._best([*item, f"before={before}"])
            found.append((before, 1.0))
        return found

    def _best(self, features: Sequence[str]) -> str:
        scores: dict[str, float] = dict.fromkeys(self.labels, 0.0)
        for feature in features:
            for label, weight in self.weights.get(feature, {}).items():
                scores[label] += weight
        return max(self.labels, key=lambda label: scores[label])
