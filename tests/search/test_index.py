"""Finding: ranks, scores, filters, explanations, exact references, vectors, expansions."""

from collections.abc import Sequence

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.errors import InvalidInput
from madang.search import Document, Fusion, HybridIndex, Methods, jamo_trigrams, syllable_bigrams
from madang.search.statistics import Weights, count
from madang.search.texts import K1, B, bm25
from madang.search.tokens import plain_stems
from madang.search.vocabulary import Vocabulary
from tests.support.search_words import PLAIN, SPLIT, WORDS, documents, texts

DEPOSIT = Document(
    id="law-3-3",
    title="임차권등기명령",
    text="임대차가 끝난 후 보증금이 반환되지 아니한 경우 임차인은 법원에 임차권등기명령을 신청할 수 있다.",
    kind="law",
    meta={"law": "주택임대차보호법", "topics": ["deposit", "moving"]},
    phrases=("집주인이 보증금을 안 돌려줘요", "이사 먼저 가도 되나요"),
)
RAISE = Document(
    id="law-7",
    title="차임 증감청구권",
    text="차임이나 보증금의 증액은 약정한 금액의 20분의 1을 초과하지 못한다.",
    kind="law",
    meta={"law": "주택임대차보호법", "topics": ["rent"]},
    phrases=("월세를 너무 많이 올려요", "전세금 얼마까지 올릴 수 있나요"),
)
SAMPLE = Document(
    id="rule-2",
    title="견본품 제공",
    text="견본품은 최소 포장단위로 제공한다.",
    kind="rule",
    meta={"law": "사내규정", "topics": []},
    phrases=("샘플 몇 개까지 줄 수 있어?",),
)
ALL = [DEPOSIT, RAISE, SAMPLE]


@pytest.fixture(scope="module")
def index() -> HybridIndex:
    return HybridIndex.build(ALL)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("만기인데 집주인이 보증금을 안줘요", "law-3-3"),
        ("보즘금 안돌려조요", "law-3-3"),
        ("집주인이보증금을안돌려줘요", "law-3-3"),
        ("월세 많이 올려달래요", "law-7"),
        ("병원에 샘플 얼마나 줄 수 있나", "rule-2"),
        ("안녕하세요 저는 자취생입니다. 작년부터 살았어요. 집주인이 보증금을 안 돌려줘요. 도와주세요!", "law-3-3"),
    ],
)
def test_everyday_questions_find_their_document(index: HybridIndex, query: str, wanted: str) -> None:
    assert index.search(query)[0].document.id == wanted


def test_what_matched_is_explained(index: HybridIndex) -> None:
    explanation = index.search("집주인이 보증금을 안 주네요")[0].explanation
    assert explanation is not None
    assert explanation.phrase == "집주인이 보증금을 안 돌려줘요"
    assert {"집주인", "보증금"} <= set(explanation.terms)
    assert explanation.parts["phrases"] > explanation.parts["terms"] > 0
    assert index.search("보증금", explain=False)[0].explanation is None


@pytest.mark.parametrize(
    "query", ["오늘 날씨 어때", "김치찌개 끓이는 법", "손흥민 골 넣었어?", "hello world", "ㅋㅋㅋ", "!?"]
)
def test_off_topic_questions_score_low(index: HybridIndex, query: str) -> None:
    assert all(hit.score < 0.33 for hit in index.search(query))


def test_on_topic_questions_score_high(index: HybridIndex) -> None:
    assert index.search("집주인이 보증금을 안 돌려줘요")[0].score > 0.85
    assert index.search("보증금 안 돌려주는 집주인 어떡하죠")[0].score > 0.5


def test_exact_references_come_first_in_their_order(index: HybridIndex) -> None:
    def resolve(query: str) -> Sequence[str]:
        return ["law-7", "unknown", "rule-2"] if "7조" in query else []

    named = HybridIndex(index.entries, Methods(resolve=resolve), index.vocabulary)
    hits = named.search("7조 집주인이 보증금을 안 돌려줘요")
    assert [hit.document.id for hit in hits] == ["law-7", "rule-2", "law-3-3"]
    assert hits[0].score == 1.0
    assert [hit.explanation.exact for hit in hits if hit.explanation] == [True, True, False]


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"kind": "law"}, {"law-3-3", "law-7"}),
        ({"kind": ["rule", "other"]}, {"rule-2"}),
        ({"topics": "rent"}, {"law-7"}),
        ({"topics": {"rent", "moving"}}, {"law-3-3", "law-7"}),
        ({"kind": "law", "law": "사내규정"}, set()),
        ({"no such field": "x"}, set()),
    ],
)
def test_filters(index: HybridIndex, filters: dict[str, object], ids: set[str]) -> None:
    hits = index.search("보증금 증액 견본품", filters=filters)
    assert {hit.document.id for hit in hits} == ids


def test_filters_are_applied_before_k(index: HybridIndex) -> None:
    hits = index.search("집주인이 보증금을 안 돌려줘요 샘플", k=1, filters={"kind": "rule"})
    assert [hit.document.id for hit in hits] == ["rule-2"]


def test_expansions_bridge_words(index: HybridIndex) -> None:
    def expand(term: str) -> dict[str, float]:
        return {"집주인": 0.8} if term == "임대인" else {}

    wider = HybridIndex(index.entries, Methods(expand=expand), index.vocabulary)
    plain, expanded = (found.search("임대인")[0] if found.search("임대인") else None for found in (index, wider))
    assert expanded is not None
    assert expanded.document.id == "law-3-3"
    assert expanded.score > (plain.score if plain else 0)


def concept_vectors(texts: Sequence[str]) -> list[list[float]]:
    concepts = [("돈", "보증금", "전세금"), ("샘플", "견본품", "무료 제품")]
    return [[float(any(word in text for word in group)) for group in concepts] + [0.1] for text in texts]


def test_vectors_find_what_shares_no_words() -> None:
    index = HybridIndex.build(ALL, Methods(embed=concept_vectors))
    hit = index.search("무료 제품")[0]
    assert hit.document.id == "rule-2"
    assert hit.explanation is not None
    assert hit.explanation.parts["vectors"] > 0.9


def test_a_failing_embedding_service_costs_only_the_vectors() -> None:
    calls: list[int] = []

    def flaky(texts: Sequence[str]) -> list[list[float]]:
        calls.append(len(texts))
        if len(calls) > 1:
            raise ConnectionError
        return concept_vectors(texts)

    index = HybridIndex.build(ALL, Methods(embed=flaky))
    hits = index.search("집주인이 보증금을 안 돌려줘요")
    assert hits[0].document.id == "law-3-3"
    assert hits[0].explanation is not None
    assert "vectors" not in hits[0].explanation.parts


def test_wrong_use_is_named() -> None:
    with pytest.raises(InvalidInput, match="rule-2"):
        HybridIndex.build([SAMPLE, SAMPLE], PLAIN)
    with pytest.raises(InvalidInput, match="k must"):
        HybridIndex.build([SAMPLE], PLAIN).search("샘플", k=0)
    with pytest.raises(InvalidInput):
        Document(id="", text="x")
    with pytest.raises(InvalidInput):
        Fusion(reliability={"terms": 2})
    with pytest.raises(InvalidInput):
        Fusion(mix={"terms": 0.5})


def test_nothing_to_search_or_to_search_for() -> None:
    assert HybridIndex.build([], PLAIN).search("보증금") == []
    assert HybridIndex.build([SAMPLE], PLAIN).search("  ") == []
    assert HybridIndex.build([Document(id="e", text="")], PLAIN).search("보증금") == []


@settings(max_examples=60, deadline=None)
@given(documents(), texts, st.integers(1, 12))
def test_scores_are_between_0_and_1_and_fall(found: list[Document], query: str, k: int) -> None:
    hits = HybridIndex.build(found, PLAIN).search(query, k)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert len(hits) <= k
    assert len({hit.document.id for hit in hits}) == len(hits)


@settings(max_examples=40, deadline=None)
@given(documents(), texts)
def test_every_document_holding_a_query_word_is_found(found: list[Document], query: str) -> None:
    hits = {hit.document.id for hit in HybridIndex.build(found, PLAIN).search(query, 50)}
    for document in found:
        words = {*document.text.split(), *document.title.split(), *" ".join(document.phrases).split()}
        assert document.id in hits or not words & set(query.split())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=6), st.sampled_from(WORDS))
def test_our_matrix_is_the_one_bm25s_makes(corpus: list[list[str]], word: str) -> None:
    if not any(word in row for row in corpus):
        return
    vocabulary = Vocabulary()
    counts = count([vocabulary.ids(row) for row in corpus], 0)
    counts = count([vocabulary.ids(row) for row in corpus], len(vocabulary))
    ours = bm25(counts, Weights(counts, vocabulary, frozenset()).plain())
    theirs = bm25s.BM25(k1=K1, b=B, method="lucene")
    theirs.index(corpus, show_progress=False)
    number = vocabulary.find(word)
    assert np.allclose(ours.get_scores_from_ids([number]), theirs.get_scores([word]), atol=1e-6)


def test_compound_verbs_are_cut_alike() -> None:
    assert plain_stems("돌려주") == ["돌리"]
    assert plain_stems("돌려받") == ["돌리", "받"]
    assert plain_stems("보증금") == ["보증금"]


def test_tokens() -> None:
    assert syllable_bigrams("보증금 안 줘요!") == ["보증", "증금", "금안", "안줘", "줘요"]
    assert syllable_bigrams("집") == ["집"]
    assert syllable_bigrams(" ?") == []
    assert jamo_trigrams("값A") == ["ㄱㅏㅄ", "ㅏㅄa"]
    common = set(jamo_trigrams("보증금")) & set(jamo_trigrams("보즘금"))
    assert len(common) >= 3
    assert not set(syllable_bigrams("보증금")) & set(syllable_bigrams("보즘금"))


def test_a_search_does_not_load_the_analyser_when_given_another_tokenizer() -> None:
    assert HybridIndex.build(ALL, Methods(tokenizers=SPLIT)).search("견본품은")[0].document.id == "rule-2"
