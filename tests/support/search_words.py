"""Documents and a plain tokenizer for tests that are not about Korean."""

from hypothesis import strategies as st

from madang.search import Document, Methods, Tokenizers

SPLIT = Tokenizers(terms=str.split, name="split")
PLAIN = Methods(tokenizers=SPLIT)

WORDS = ["보증금", "월세", "계약", "갱신", "수리", "경매", "이사", "샘플", "학회", "휴가"]
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def documents(max_size: int = 8) -> st.SearchStrategy[list[Document]]:
    one = st.builds(
        Document,
        id=st.sampled_from([f"d{number}" for number in range(12)]),
        text=texts,
        title=texts,
        kind=st.sampled_from(["law", "rule"]),
        phrases=st.lists(texts, max_size=3).map(tuple),
    )
    return st.lists(one, max_size=max_size, unique_by=lambda document: document.id)
