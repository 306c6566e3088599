"""The fusion weights hold on the development set they were chosen on; the test set is only for `madang bench`."""

from bench.search import RELEVANT, eval_search, quality, read_documents, read_questions, synthetic
from madang.search import HybridIndex


def test_everyday_questions_find_their_document_first() -> None:
    found = quality(HybridIndex.build(read_documents()), read_questions("dev"), RELEVANT)
    assert found["first"] >= 0.95
    assert found["in three"] == 1.0
    assert found["on-topic found"] >= 0.9
    assert found["off-topic silent"] >= 0.9


def test_both_splits_are_reported_beside_bm25s() -> None:
    rows = {row.measure: row for row in eval_search()}
    assert {measure.split(":")[0] for measure in rows} == {"dev", "test"}
    for split in ("dev", "test"):
        first = rows[f"{split}: first"]
        assert first.peer_value is not None
        assert 0 < first.peer_value <= 1
        assert 0 < first.value <= 1


def test_the_evaluation_sets_hold_together() -> None:
    known = {document.id for document in read_documents()}
    queries = [question for split in ("dev", "test") for question in read_questions(split)]
    assert all(question.relevant <= known for question in queries)
    assert len({question.query for question in queries}) == len(queries)
    assert len({document.id for document in synthetic(50)}) == 50
