"""Search: how well everyday questions find their document, and what 2,000 documents cost beside bm25s alone."""

import json
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeVar

from bench import Row
from madang.search import Document, HybridIndex, Methods, Tokenizers, syllable_bigrams
from madang.search.tokens import morphemes

T = TypeVar("T")

SIZE = 2000
QUERIES = 200
# Chosen on the development set: a best hit below this means that nothing relevant was found.
RELEVANT = 0.28


@dataclass(frozen=True)
class Question:
    query: str
    relevant: frozenset[str]


def read_documents() -> list[Document]:
    return [Document(**entry) for entry in _lines("search.documents.jsonl")]


def read_questions(split: str) -> list[Question]:
    return [Question(entry["query"], frozenset(entry["relevant"])) for entry in _lines(f"search.{split}.jsonl")]


def _lines(name: str) -> list[dict[str, Any]]:
    text = files("bench").joinpath("data", name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def quality(index: HybridIndex, questions: Sequence[Question], threshold: float = RELEVANT) -> dict[str, float]:
    """Shares: the right document first, among three, its mean reciprocal rank; on- and off-topic told apart."""
    first = three = reciprocal = kept = silent = 0.0
    for question in questions:
        hits = index.search(question.query, 10, explain=False)
        best = hits[0].score if hits else 0.0
        if not question.relevant:
            silent += best < threshold
            continue
        kept += best >= threshold
        rank = next((place for place, hit in enumerate(hits, 1) if hit.document.id in question.relevant), None)
        first += rank == 1
        three += rank is not None and rank <= 3
        reciprocal += 1 / rank if rank else 0
    on = sum(bool(question.relevant) for question in questions)
    return {
        "first": first / on,
        "in three": three / on,
        "reciprocal rank": reciprocal / on,
        "on-topic found": kept / on,
        "off-topic silent": silent / (len(questions) - on),
    }


def eval_search() -> list[Row]:
    """Quality on both splits beside bm25s on the same words (morphemes of title, text and phrases)."""
    documents = read_documents()
    ours = HybridIndex.build(documents)
    rows: list[Row] = []
    for split in ("dev", "test"):
        questions = read_questions(split)
        plain = _plain_quality(documents, questions)
        for name, value in quality(ours, questions).items():
            rows.append(
                Row(measure=f"{split}: {name}", value=value, peer="bm25s, same words", peer_value=plain.get(name))
            )
    return rows


def _plain_quality(documents: Sequence[Document], questions: Sequence[Question]) -> dict[str, float]:
    ranker = _bm25([morphemes("\n".join((document.title, document.text, *document.phrases))) for document in documents])
    first = three = reciprocal = 0.0
    asked = [question for question in questions if question.relevant]
    for question in asked:
        scores = ranker(morphemes(question.query))
        order = sorted(range(len(documents)), key=lambda number: -scores[number])
        ranks = [place for place, number in enumerate(order, 1) if documents[number].id in question.relevant]
        found = ranks and scores[order[ranks[0] - 1]] > 0
        rank = ranks[0] if found else None
        first += rank == 1
        three += rank is not None and rank <= 3
        reciprocal += 1 / rank if rank else 0
    return {"first": first / len(asked), "in three": three / len(asked), "reciprocal rank": reciprocal / len(asked)}


def _bm25(tokens: Sequence[Sequence[str]]) -> Callable[[list[str]], list[float]]:
    import bm25s

    ranker = bm25s.BM25(method="lucene")
    ranker.index([list(row) for row in tokens], show_progress=False)

    def scores(query: list[str]) -> list[float]:
        known = [token for token in query if token in ranker.vocab_dict]
        return list(ranker.get_scores(known)) if known else [0.0] * len(tokens)

    return scores


def synthetic(size: int = SIZE, seed: int = 7) -> list[Document]:
    """Documents in the manner of the evaluation set: its sentences and phrases recombined, with made-up places."""
    rng = random.Random(seed)
    originals = read_documents()
    sentences = [part.strip() + "." for document in originals for part in document.text.split(".") if part.strip()]
    phrases = [phrase for document in originals for phrase in document.phrases]
    places = [
        f"{city} {district}"
        for city in ("서울", "부산", "대전", "광주")
        for district in ("중구", "서구", "동구", "남구")
    ]
    return [
        Document(
            id=f"synthetic-{number:05}",
            title=f"{rng.choice(originals).title} {number}",
            text=f"{rng.choice(places)} 사례 {number}. " + " ".join(rng.sample(sentences, 5)),
            kind=rng.choice(("lease", "rule")),
            phrases=tuple(rng.sample(phrases, 4)),
        )
        for number in range(size)
    ]


def cost() -> list[Row]:
    """Index time, query time and memory for 2,000 documents, beside bm25s on the same morphemes."""
    documents = synthetic()
    queries = [question.query for question in read_questions("dev")]
    queries = (queries * (QUERIES // len(queries) + 1))[:QUERIES]
    known: dict[str, list[str]] = {}

    def remembered(text: str) -> list[str]:
        return known.get(text) or known.setdefault(text, morphemes(text))

    cold, _, _ = _measured(
        lambda: HybridIndex.build(documents, Methods(tokenizers=Tokenizers(terms=remembered))).search("집")
    )
    warm, memory, index = _measured(lambda: _searchable(documents, remembered))
    texts = [f"{document.title}\n{document.text}" for document in documents]
    peer, peer_memory, ranker = _measured(lambda: _bm25([remembered(text) for text in texts]))
    update, _, _ = _measured(lambda: index.with_documents(documents[:1]).search("집"))
    mine = _per_query(lambda query: index.search(query, 10), queries)
    theirs = _per_query(lambda query: ranker(remembered(query)), queries)
    alone = "bm25s alone"
    return [
        Row(measure="index 2,000 documents", value=cold, unit="s", note="morphemes cut"),
        Row(measure="index, morphemes given", value=warm, unit="s", peer=alone, peer_value=peer),
        Row(measure="update of one document", value=update, unit="s", peer="index anew", peer_value=cold),
        Row(measure="query", value=mine, unit="ms", peer=alone, peer_value=theirs, note="median, morphemes known"),
        Row(
            measure="memory",
            value=memory,
            unit="MB",
            peer=alone,
            peer_value=peer_memory,
            note="tokens kept for updates",
        ),
    ]


def _searchable(documents: Sequence[Document], terms: Callable[[str], list[str]]) -> HybridIndex:
    index = HybridIndex.build(documents, Methods(tokenizers=Tokenizers(terms=terms, bigrams=syllable_bigrams)))
    index.search("집")
    return index


def _measured(work: Callable[[], T]) -> tuple[float, float, T]:
    """Seconds, megabytes kept, result. Time and memory are taken in separate runs: tracing slows Python down."""
    started = time.perf_counter()
    work()
    seconds = time.perf_counter() - started
    tracemalloc.start()
    kept = work()
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return seconds, megabytes, kept


def _per_query(ask: Callable[[str], object], queries: Sequence[str]) -> float:
    times = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


SUITES = {"search": cost, "eval-search": eval_search}
