"""`make readers`: train the learnt readers of the three assistants from the labelled messages, reproducibly."""

import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib.resources import files
from pathlib import Path

import pycrfsuite

from bench.reading import topics, travel_topics, works_topics
from bench.reading.labels import ASSISTANTS, Labelled, data_hash, files_of, messages
from madang.assistants.homes.tools import contract_examples
from madang.assistants.homes.understanding import hearing as homes
from madang.assistants.homes.understanding import intent_examples
from madang.assistants.travel.understanding import hearing as travel
from madang.assistants.works.data import load
from madang.assistants.works.data.sample.masters import make_masters
from madang.assistants.works.tools.lexicon import Lexicon, Names
from madang.assistants.works.understanding import hearing as works
from madang.graph.acts import ACTS_READER
from madang.search.faq import LEARNT, learn, load_questions
from madang.text.features import clause_features, role_features, tokens_of
from madang.text.learnt import OUTSIDE, save
from madang.text.likeness import Likeness
from madang.text.message import Message

TODAY = date(2026, 11, 18)
READERS = {"homes": homes.READER, "travel": travel.READER, "works": works.READER}
LIKENESSES = (intent_examples, contract_examples)
TOPICS = (topics, travel_topics, works_topics)
# Of how many of the labelled messages one tells what is usual.
USUAL = 4
Sequences = list[tuple[list[list[str]], list[str]]]


def sample_lexicon() -> Lexicon:
    """The words of the sample company."""
    masters = make_masters(load("company")["seed"])
    values: dict[str, set[str]] = {}
    for table in (masters.reps, masters.customers, masters.products):
        for name, column in table.items():
            values.setdefault(name, set()).update(str(value) for value in column if value is not None)
    return Lexicon(Names({name: tuple(sorted(found)) for name, found in values.items() if not name.endswith("_id")}))


def parsers() -> dict[str, Callable[[str], Message]]:
    """How each assistant parses a message before anything is learnt."""
    lexicon = sample_lexicon()
    return {
        "homes": lambda text: homes.message_of(text, TODAY),
        "travel": lambda text: travel.message_of(text, TODAY),
        "works": lambda text: works.message_of(text, TODAY, lexicon),
    }


def role_labels(message: Message, labelled: Labelled) -> list[str]:
    """A label for each token: the role of the words it lies in, `B-` where they begin."""
    labels, last = [], None
    for token in tokens_of(message):
        start, end = token.span
        role = next((one for one in labelled.roles if start < one[1] and one[0] < end), None)
        labels.append(OUTSIDE if role is None else f"{'I' if role == last else 'B'}-{role[2]}")
        last = role
    return labels


def clause_labels(message: Message, labelled: Labelled, which: int) -> list[str]:
    """A label for each clause: the marker that closes the part of the message it ends in."""
    labels: list[str] = []
    for _, end in message.clauses:
        marks = [mark for mark in labelled.clauses if mark[0] >= end - 1] or [labelled.clauses[-1]]
        labels.append(str(marks[0][which]))
    return labels


def fit(sequences: Sequences, *, least: int = 1, l1: float = 0.15, l2: float = 0.02) -> bytes:
    """A trained chain. The same sequences in the same order give the same bytes."""
    trainer = pycrfsuite.Trainer(verbose=False)
    for items, labels in sequences:
        trainer.append(items, labels)
    trainer.set_params({"c1": l1, "c2": l2, "max_iterations": 120, "feature.minfreq": least})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain"
        trainer.train(str(path))
        return path.read_bytes()


def parsed(assistant: str, parse: Callable[[str], Message], *, test: bool) -> list[tuple[Message, Labelled]]:
    """The assistant's labelled messages, each parsed."""
    return [
        (parse(one.text), one)
        for path in files_of(assistant, test=test)
        for one in messages(path)
        if one.text.strip() and one.clauses
    ]


def role_sequences(pairs: Iterable[tuple[Message, Labelled]]) -> Sequences:
    return [(role_features(m, tokens_of(m)), role_labels(m, one)) for m, one in pairs]


def clause_sequences(pairs: Iterable[tuple[Message, Labelled]], which: int) -> Sequences:
    return [(clause_features(m), clause_labels(m, one, which)) for m, one in pairs]


def train(assistants: Sequence[str] = ASSISTANTS) -> None:
    """Train and store the reader of each assistant, and the acts that all share."""
    read = parsers()
    everything = []
    for assistant in ASSISTANTS:
        pairs = parsed(assistant, read[assistant], test=False)
        everything += pairs
        if assistant in assistants:
            chains = {"roles": fit(role_sequences(pairs)), "tasks": fit(clause_sequences(pairs, 2))}
            save(READERS[assistant], chains, data_hash(assistant))
    save(ACTS_READER, {"acts": fit(clause_sequences(everything, 1))}, data_hash(*ASSISTANTS))
    for part in LIKENESSES:
        Likeness.learn(part.labelled()).save(part.LEARNT)
    train_topics()
    train_faq()


def train_faq() -> None:
    """Learn how the narrow questions of each assistant are asked."""
    labelled = {"travel": travel_topics.labelled(), "works": works_topics.labelled()}
    said = {name: [text for text, _ in found][::USUAL] for name, found in labelled.items()}
    for assistant in ASSISTANTS:
        package = f"madang.assistants.{assistant}.data"
        learnt = learn(load_questions(package), said.get(assistant, ()))
        Path(str(files(package).joinpath(LEARNT))).write_bytes(learnt)


def train_topics() -> None:
    """Learn which situation a message is about, of its letters and its words."""
    for part in TOPICS:
        Likeness.learn(part.labelled(), words=part.WORDS, ridge=part.RIDGE).save(part.LEARNT)


if __name__ == "__main__":
    {"topics": train_topics, "faq": train_faq}.get("".join(sys.argv[1:]), train)()
