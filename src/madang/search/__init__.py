"""Hybrid retrieval over short documents."""

from madang.errors import needs_extra

with needs_extra("korean", "madang.search"):
    from madang.search.documents import Document, Explanation, Hit
    from madang.search.fusion import Fusion
    from madang.search.index import HybridIndex, Methods
    from madang.search.tokens import Tokenizers, jamo_trigrams, morphemes, syllable_bigrams

__all__ = [
    "Document",
    "Explanation",
    "Fusion",
    "Hit",
    "HybridIndex",
    "Methods",
    "Tokenizers",
    "jamo_trigrams",
    "morphemes",
    "syllable_bigrams",
]
