"""The trained readers belong to the labelled messages in the repository, and are small."""

from types import ModuleType

import pytest

from bench.reading.labels import ASSISTANTS, data_hash, files_of, messages
from bench.reading.train import LIKENESSES, READERS, TOPICS
from madang.graph.acts import ACTS_READER
from madang.graph.reading import ACT_KINDS
from madang.text import likeness
from madang.text.learnt import LearntReader
from madang.text.likeness import Likeness

LARGEST = 2_000_000


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_a_reader_was_trained_from_the_data_there_is(assistant: str) -> None:
    assert LearntReader.load(READERS[assistant]).data_hash == data_hash(assistant), "run `make readers`"
    assert READERS[assistant].stat().st_size <= LARGEST


def test_the_acts_were_trained_from_all() -> None:
    assert LearntReader.load(ACTS_READER).data_hash == data_hash(*ASSISTANTS), "run `make readers`"
    assert ACTS_READER.stat().st_size <= LARGEST


@pytest.mark.parametrize("part", [*LIKENESSES, *TOPICS], ids=lambda part: part.__name__.rpartition(".")[2])
def test_what_texts_are_like_was_learnt_from_the_examples_there_are(part: ModuleType) -> None:
    assert Likeness.load(part.LEARNT).data_hash == likeness.data_hash(part.labelled()), "run `make readers`"
    assert part.LEARNT.stat().st_size <= LARGEST


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_the_labelled_messages_are_well_formed(assistant: str) -> None:
    written = 0
    made = 0
    for path in [*files_of(assistant, test=False), *files_of(assistant, test=True)]:
        for number, one in enumerate(messages(path), 2):
            where = f"{path.name}:{number}: {one.text[:40]}"
            assert one.clauses, where
            assert {act for _, act, _ in one.clauses} <= set(ACT_KINDS), where
            assert all(end <= len(one.text) for _, end, _ in one.roles), where
            written += path.name != "templates.txt"
            made += path.name == "templates.txt"
    assert made <= written + 200  # at most about half comes from patterns
