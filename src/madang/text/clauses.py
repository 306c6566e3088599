"""Where sentences, clauses and quotations stand in a message. Linear in its length."""

import re
from collections.abc import Iterable, Iterator, Sequence

from madang.text.morphemes import Morpheme

Span = tuple[int, int]

_SENTENCE_END = re.compile(r"[.!?…。？！~]{1,9}(?=\s|$)|\n+|[ㅋㅎㅠㅜ]{2,}(?=\s|$)")
_CLOSES = {"“": "”", "‘": "’", "「": "」", "『": "』", '"': '"', "'": "'"}
_ON_ONE_LINE = "\"'"
_SHORTEST_QUOTE, _LONGEST_QUOTE = 4, 4000
_PASTED_LINE = re.compile(r"\s*(?:제\s?\d{1,3}\s?조|[①-⑳]|\d{1,2}\s?[.)]\s|[-*·•▪]\s|\[[^\]\n]{1,20}\]|특약|\|)")
_JOINING = frozenset(
    ["는데", "은데", "ㄴ데", "던데", "지만", "고", "니까", "으니까", "거든", "는지", "ㄴ지", "면서", "다가"]
)
_FEWEST = 2
# As `runtime.file_text` puts them.
_ATTACHED, _ATTACHED_END = "[첨부: ", "[첨부 끝]"


def sentences_of(text: str) -> tuple[Span, ...]:
    """The sentences, blanks around them left out."""
    spans, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        spans.append((start, end.end()))
        start = end.end()
    return trimmed(text, [*spans, (start, len(text))])


def quotes_of(text: str) -> tuple[Span, ...]:
    """What stands in quotation marks, and runs of two or more lines that look pasted (articles, items, tables)."""
    found = [*_marked(text), *_attached(text)]
    pasted: Span | None = None
    lines = 0
    at = 0
    for line in [*text.splitlines(keepends=True), ""]:
        if line and (_PASTED_LINE.match(line) or (pasted and not line.strip())):
            pasted = (pasted[0] if pasted else at, at + len(line))
            lines += bool(line.strip())
        else:
            if pasted and lines > 1:
                found.append(pasted)
            pasted, lines = None, 0
        at += len(line)
    return merged(found)


def _attached(text: str) -> Iterator[Span]:
    """The files that came with a message, each between its name and its end."""
    start = text.find(_ATTACHED)
    while start >= 0:
        end = text.find(_ATTACHED_END, start)
        stop = len(text) if end < 0 else end + len(_ATTACHED_END)
        yield start, stop
        start = text.find(_ATTACHED, stop)


def _marked(text: str) -> Iterator[Span]:
    """What stands between quotation marks, in one pass: a mark that is never closed costs nothing."""
    opened: dict[str, int] = {}
    for at, char in enumerate(text):
        if char in opened:
            start = opened.pop(char)
            if _SHORTEST_QUOTE <= at + 1 - start <= _LONGEST_QUOTE:
                yield start, at + 1
        elif char in _CLOSES and not (char in _ON_ONE_LINE and at and text[at - 1].isalnum()):
            opened[_CLOSES[char]] = at
        elif char == "\n":
            for mark in _ON_ONE_LINE:
                opened.pop(mark, None)


def clauses_of(
    text: str, morphemes: Sequence[Morpheme], sentences: Sequence[Span], quotes: Sequence[Span]
) -> tuple[Span, ...]:
    """Each sentence cut after the endings that close a statement; a quotation is part of the clause it stands in."""
    cuts = {end for _, end in sentences} | set(_cuts(morphemes))
    quoted = sorted(quotes)
    spans, start, index = [], 0, 0
    for cut in sorted(cuts | {len(text)}):
        while index < len(quoted) and quoted[index][1] <= cut:
            index += 1
        if index < len(quoted) and quoted[index][0] < cut:
            continue
        spans.append((start, cut))
        start = cut
    if start < len(text):
        spans.append((start, len(text)))
    return trimmed(text, spans)


def _cuts(morphemes: Sequence[Morpheme]) -> Iterable[int]:
    """Ends of clauses: a final ending (with what clings to it), or a joining one with something said before it."""
    said = 0
    for at, item in enumerate(morphemes):
        said += item.tag.startswith(("N", "V", "SN", "SL", "MM"))
        following = morphemes[at + 1] if at + 1 < len(morphemes) else None
        closes = item.tag == "EF" or (
            item.tag == "EC" and item.form in _JOINING and not (following and following.tag.startswith("VX"))
        )
        if not closes or said < _FEWEST:
            continue
        if following and following.start < item.end + 1 and following.tag in {"JX", "SF", "SP", "EF"}:
            yield following.end
        else:
            yield item.end
        said = 0


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, those that touch or overlap made one."""
    kept: list[Span] = []
    for start, end in sorted(spans):
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return tuple(kept)


def trimmed(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans without the blanks at their ends; those of blanks alone are left out."""
    kept = []
    for start, end in spans:
        words = text[start:end]
        if words.strip():
            kept.append((end - len(words.lstrip()), start + len(words.rstrip())))
    return tuple(kept)
