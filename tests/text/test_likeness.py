"""Texts compared with labelled examples."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.text.likeness import Likeness, data_hash

EXAMPLES = [
    ("오늘 날씨 어때", ["weather"]),
    ("내일 비가 온대?", ["weather"]),
    ("주말 날씨가 궁금해", ["weather"]),
    ("전세금 올려달래요", ["rent"]),
    ("월세를 올린대요", ["rent"]),
    ("보증금 인상 한도", ["rent"]),
    ("그냥 심심해", []),
]
MODEL = Likeness.learn(EXAMPLES)


def test_an_example_is_like_its_own_labels() -> None:
    for text, labels in EXAMPLES:
        assert {label for label, score in MODEL.of(text).items() if score > 0} == set(labels)


def test_another_wording_is_nearer_to_its_kind() -> None:
    scores = MODEL.of("집주인이 월세 올려 달래")
    assert scores["rent"] > scores["weather"]


@given(st.text(max_size=40))
@settings(max_examples=50)
def test_any_text_has_a_score_for_each_label_or_none(text: str) -> None:
    assert set(MODEL.of(text)) in ({"weather", "rent"}, set())


def test_blanks_punctuation_and_which_number_it_is_do_not_matter() -> None:
    assert MODEL.of("보증금 3억, 인상!") == MODEL.of("보증금 25억인상")


def test_what_was_learnt_is_stored_and_read_back(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "learnt.zip")
    kept = Likeness.load(tmp_path / "learnt.zip")
    assert kept.data_hash == MODEL.data_hash != data_hash(EXAMPLES[1:])
    for text, _ in EXAMPLES:
        assert kept.of(text) == pytest.approx(MODEL.of(text), abs=0.01)
