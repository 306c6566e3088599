"""Which earlier conversations matter for a question: by meaning with an embedding model, by shared words without."""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Sequence

from madang.memory.records import Remembered

_HANGUL, _WORD = re.compile(r"[가-힣]"), re.compile(r"[^\W_]{2,}")
Embed = Callable[[Sequence[str]], Awaitable[Sequence[Sequence[float]]]]


async def rank(query: str, records: Sequence[Remembered], embed: Embed | None = None) -> list[Remembered]:
    """The records, most relevant first; those that share nothing with the question are left out."""
    if not records or not query.strip():
        return list(records) if not query.strip() else []
    texts = [text_of(record) for record in records]
    if embed is not None:
        question, *others = await embed([query, *texts])
        scores = [cosine(question, other) for other in others]
    else:
        scores = await asyncio.to_thread(_overlaps, query, texts)
    ranked = sorted(zip(scores, records, strict=True), key=lambda pair: pair[0], reverse=True)
    return [record for score, record in ranked if score > 0]


def text_of(record: Remembered) -> str:
    """All words of a record."""
    return "\n".join([*record["summary"], *(f"{turn['query']} {turn['answer']}" for turn in record["turns"])])


def _overlaps(query: str, texts: Sequence[str]) -> list[float]:
    """Shared content words, rare ones counting more."""
    words = _words_in_hangul() if _HANGUL.search(query) else _plain_words
    wanted = words(query)
    bags = [words(text) for text in texts]
    weights = {word: math.log(1 + len(bags) / (1 + sum(word in bag for bag in bags))) for word in wanted}
    return [sum(weights[word] for word in wanted & bag) for bag in bags]


def _words_in_hangul() -> Callable[[str], set[str]]:
    """The analyser's words where something has loaded it already: loading holds up the whole process for seconds."""
    from madang.text import morphemes

    return (lambda text: set(morphemes.content_words(text))) if morphemes.is_loaded() else _beginnings


def _beginnings(text: str) -> set[str]:
    """What words begin with: particles and endings come after it."""
    return {word[:2] for word in _plain_words(text)}


def _plain_words(text: str) -> set[str]:
    """The words of a question without hangul."""
    return {word.lower() for word in _WORD.findall(text)}


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """The cosine of two vectors; 0 if one is empty."""
    size = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / size if size else 0.0
