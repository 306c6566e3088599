"""How well the learnt readers hold for writers they were not trained on, and how much more data would help."""

from collections.abc import Sequence
from typing import Protocol

from bench import Row
from bench.reading.labels import ASSISTANTS, Labelled
from bench.reading.perceptron import Perceptron
from bench.reading.train import clause_labels, clause_sequences, fit, parsed, parsers, role_labels, role_sequences
from madang.graph.acts import LEAST_SURE
from madang.text.features import clause_features, role_features, tokens_of
from madang.text.learnt import OUTSIDE, Chain
from madang.text.message import Message

Pairs = Sequence[tuple[Message, Labelled]]


class Labels(Protocol):
    """Anything that labels items, with how sure it is of each."""

    def label(self, items: Sequence[Sequence[str]]) -> list[tuple[str, float]]: ...


def role_score(chain: Labels, pairs: Pairs, least: float = 0.0) -> tuple[float, float]:
    """Precision and recall over tokens that have a role; a label less sure than `least` claims nothing."""
    right = said = wanted = 0
    for message, one in pairs:
        tokens = tokens_of(message)
        gold = role_labels(message, one)
        for (label, sure), want in zip(chain.label(role_features(message, tokens)), gold, strict=True):
            got = label[2:] if label != OUTSIDE and sure >= least else ""
            expected = want[2:] if want != OUTSIDE else ""
            right += bool(got) and got == expected
            said += bool(got)
            wanted += bool(expected)
    return right / max(said, 1), right / max(wanted, 1)


def clause_score(chain: Labels, pairs: Pairs, which: int) -> float:
    """The share of clauses labelled as they should be."""
    right = total = 0
    for message, one in pairs:
        gold = clause_labels(message, one, which)
        labels = [label for label, _ in chain.label(clause_features(message))]
        right += sum(got == want for got, want in zip(labels, gold, strict=True))
        total += len(gold)
    return right / max(total, 1)


def reading(*, assistant: str = "") -> list[Row]:
    """Roles, tasks and acts on messages by writers never trained on, with ¼, ½ and all of the training data."""
    read = parsers()
    rows = []
    for name in [assistant] if assistant else ASSISTANTS:
        trained = parsed(name, read[name], test=False)
        held = parsed(name, read[name], test=True)
        for share in (0.25, 0.5, 1.0):
            rows += _at_share(name, trained[:: round(1 / share)], held)
        rows += _beside_the_peer(name, trained, held)
    return rows


def _at_share(name: str, part: Pairs, held: Pairs) -> list[Row]:
    precision, recall = role_score(Chain(fit(role_sequences(part))), held, LEAST_SURE)
    note = f"{len(part)} messages trained on, {len(held)} judged"
    rows = [
        Row(measure=f"{name} roles, precision", value=round(precision, 3), note=note),
        Row(measure=f"{name} roles, recall", value=round(recall, 3), note=note),
    ]
    for which, label in ((1, "acts"), (2, "tasks")):
        chain = Chain(fit(clause_sequences(part, which)))
        rows.append(Row(measure=f"{name} {label}", value=round(clause_score(chain, held, which), 3), note=note))
    return rows


def _beside_the_peer(name: str, trained: Pairs, held: Pairs) -> list[Row]:
    """The chain and the perceptron, both saying whatever they think likeliest."""
    chain, peer = Chain(fit(role_sequences(trained))), Perceptron(role_sequences(trained))
    one, other = role_score(chain, held), role_score(peer, held)
    return [
        Row(
            measure=f"{name} roles, F1 of the chain",
            value=round(_f1(*one), 3),
            peer="averaged perceptron",
            peer_value=round(_f1(*other), 3),
        )
    ]


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / max(precision + recall, 1e-9)
