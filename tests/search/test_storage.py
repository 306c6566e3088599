"""An index on disk and an index updated are the same as one built anew."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.errors import InvalidInput, NotFound, UnknownSchemaVersion, UnreadableData
from madang.search import Document, Hit, HybridIndex, Methods
from tests.support.search_words import PLAIN, SPLIT, documents, texts


def shown(hits: list[Hit]) -> list[object]:
    return [(hit.document, hit.score, hit.explanation) for hit in hits]


updates = st.lists(
    st.one_of(
        documents(4).map(lambda found: ("put", found)),
        st.lists(st.sampled_from([f"d{number}" for number in range(12)])).map(lambda ids: ("drop", ids)),
    ),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(documents(), updates, texts)
def test_an_updated_index_equals_one_built_anew(
    first: list[Document], steps: list[tuple[str, list[Any]]], query: str
) -> None:
    index = HybridIndex.build(first, PLAIN)
    expected = {document.id: document for document in first}
    for step, what in steps:
        index.search(query)
        if step == "put":
            index = index.with_documents(what)
            expected |= {document.id: document for document in what}
        else:
            index = index.without(what)
            expected = {key: document for key, document in expected.items() if key not in what}
    anew = HybridIndex.build(expected.values(), PLAIN)
    assert shown(index.search(query, 20)) == shown(anew.search(query, 20))
    assert sorted(document.id for document in index.documents) == sorted(expected)


def test_an_update_leaves_the_older_version_as_it_was() -> None:
    before = HybridIndex.build([Document(id="a", text="보증금")], PLAIN)
    after = before.with_documents([Document(id="a", text="월세")]).with_documents(
        [Document(id="b", text="보증금 계약")]
    )
    assert [hit.document.id for hit in before.search("보증금")] == ["a"]
    assert [hit.document.id for hit in after.search("보증금")] == ["b"]
    assert (len(before), len(after), len(after.without(["a", "zz"]))) == (1, 2, 1)


def test_only_changed_documents_are_cut_again() -> None:
    cut: list[str] = []

    def terms(text: str) -> list[str]:
        cut.append(text)
        return text.split()

    index = HybridIndex.build(
        [Document(id=str(number), text=f"글 {number}") for number in range(5)],
        Methods(tokenizers=replace(SPLIT, terms=terms)),
    )
    cut.clear()
    index.with_documents([Document(id="2", text="새 글")])
    assert cut == ["\n새 글"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    found = [
        Document(
            id="a", title="보증금 반환", text="보증금 계약", meta={"law": "민법", "n": [1, 2]}, phrases=("돈 안 줘요",)
        ),
        Document(id="b", text="월세 인상"),
    ]
    HybridIndex.build(found, PLAIN).save(tmp_path / "index")
    return tmp_path / "index"


def test_what_is_loaded_finds_the_same(saved: Path) -> None:
    loaded = HybridIndex.load(saved, PLAIN)
    anew = HybridIndex.build(loaded.documents, PLAIN)
    assert loaded.documents[0].meta == {"law": "민법", "n": [1, 2]}
    for query in ("보증금", "돈 안 줘요", "월세 계약", "없는말"):
        assert shown(loaded.search(query)) == shown(anew.search(query))


def test_loading_cuts_nothing_again_unless_the_tokenizer_is_another(saved: Path) -> None:
    cut: list[str] = []

    def terms(text: str) -> list[str]:
        cut.append(text)
        return text.split()

    HybridIndex.load(saved, Methods(tokenizers=replace(SPLIT, terms=terms)))
    assert cut == []
    HybridIndex.load(saved, Methods(tokenizers=replace(SPLIT, terms=terms, name="another")))
    assert len(cut) == 4


def test_saving_again_replaces_the_index_and_leaves_nothing_behind(saved: Path) -> None:
    HybridIndex.load(saved, PLAIN).without(["a"]).save(saved)
    assert [document.id for document in HybridIndex.load(saved, PLAIN).documents] == ["b"]
    assert [path.name for path in saved.parent.iterdir()] == ["index"]


def test_a_save_that_fails_keeps_the_older_index(saved: Path) -> None:
    with pytest.raises(InvalidInput, match="meta of document c"):
        HybridIndex.build([Document(id="c", text="", meta={"x": object()})], PLAIN).save(saved)
    assert len(HybridIndex.load(saved, PLAIN)) == 2
    assert [path.name for path in saved.parent.iterdir()] == ["index"]


def test_vectors_are_stored(tmp_path: Path) -> None:
    asked: list[int] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        asked.append(len(texts))
        return [[float(len(text)), 1.0] for text in texts]

    methods = Methods(tokenizers=SPLIT, embed=embed)
    found = [Document(id="a", text="가나", phrases=("다", "라마바")), Document(id="b", text="사")]
    index = HybridIndex.build(found, methods)
    index.save(tmp_path / "v")
    loaded = HybridIndex.load(tmp_path / "v", methods)
    assert asked == [4]
    assert shown(loaded.search("다")) == shown(index.search("다"))


def change(name: str, text: str) -> Callable[[Path], object]:
    return lambda path: (path / name).write_text(text, "utf-8")


def newer(path: Path) -> None:
    manifest = json.loads((path / "manifest.json").read_text("utf-8"))
    (path / "manifest.json").write_text(json.dumps(manifest | {"format": 99}), "utf-8")


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (change("documents.jsonl", "{}"), UnreadableData),
        (change("morphemes.jsonl", ""), UnreadableData),
        (change("manifest.json", "{"), UnreadableData),
        (change("manifest.json", "[]"), UnreadableData),
        (lambda path: (path / "morphemes.jsonl").unlink(), UnreadableData),
        (lambda path: (path / "manifest.json").unlink(), NotFound),
        (newer, UnknownSchemaVersion),
    ],
    ids=["documents", "morphemes", "half manifest", "odd manifest", "missing file", "no manifest", "newer"],
)
def test_a_damaged_index_is_refused_by_name(
    saved: Path, damage: Callable[[Path], object], error: type[Exception]
) -> None:
    damage(saved)
    with pytest.raises(error):
        HybridIndex.load(saved, PLAIN)


def test_no_index_at_all(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        HybridIndex.load(tmp_path / "none", PLAIN)


def test_an_index_with_sound_documents_can_be_rebuilt(saved: Path) -> None:
    (saved / "morphemes.jsonl").write_bytes(b"\x00")
    recovered = HybridIndex.recover(saved, PLAIN)
    recovered.save(saved)
    assert len(HybridIndex.load(saved, PLAIN)) == 2
