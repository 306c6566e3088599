"""Names that are not in the data: kept as typed, only with evidence that they are names."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from madang.assistants.works.data import load
from madang.assistants.works.tools.lexicon import TITLES
from madang.graph.reading import Heard, overlap
from madang.text.morphemes import Morpheme
from madang.text.particles import strip_particles

Span = tuple[int, int]
NamedAt = tuple[str, str, Span]
"""The field, the name as typed, and its place."""

_WORD = re.compile(r"[가-힣A-Za-z0-9]+")
_SURE = 0.6
_BY_FORM: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("branch", re.compile(r"[가-힣A-Za-z0-9]{1,20}(?:지점|지사|영업소)")),
    ("team", re.compile(r"[가-힣A-Za-z]{1,10}[0-9]{1,3}팀")),
    (
        "customer",
        re.compile(
            r"[가-힣A-Za-z0-9]{2,20}(?:병원|의원|약국|클리닉|의료원|한의원|보건소)"
            r"|[가-힣]{2,20}(?:내과|외과|소아과|피부과|안과|치과|이비인후과|산부인과|비뇨기과|신경과)"
        ),
    ),
    ("product", re.compile(r"[가-힣A-Za-z0-9]{3,30}(?:정|캡슐|시럽)|[가-힣A-Za-z]{2,30}\d{1,5}mg")),
)
_COMMON = re.compile(
    r"(?:그|이|저|어느|어떤|무슨|각|전|모든|다른|우리|같은|해당|담당|주변|인근|신규|대형|동네|개인|일반|종합|상급종합|대학|국립|시립){0,4}"
    r"(?:지점|지사|영업소|병원|의원|약국|클리닉|의료원|보건소|내과|외과|소아과|피부과|안과|치과|이비인후과|산부인과|비뇨기과|신경과)"
)
_VERBAL = ("V", "E", "MAG", "MM", "MAJ", "IC", "NP", "NNB", "J", "XSV", "XSA")


def find_unknown_names(heard: Heard, free: str) -> Iterator[NamedAt]:
    """Words of `free` (the message with all that was understood blanked out) that are names by their form, by a
    title beside them, or by role and analysis alike. An ordinary word never is one."""
    surname = f"[{load('words')['surnames']}]"
    titled = re.compile(rf"(?<![가-힣])(?P<name>{surname}[가-힣]{{2}})\s?{TITLES}(?![가-힣]{{2}})")
    taken: list[Span] = []
    for match in titled.finditer(free):
        if _proper(heard.message.morphemes, match.span("name")):
            taken.append(match.span())
            yield "rep", match["name"], match.span("name")
    for match in _WORD.finditer(free):
        if any(overlap(match.span(), span) for span in taken):
            continue
        stem = strip_particles(match.group())
        for word in dict.fromkeys((match.group(), stem)):
            span = (match.start(), match.start() + len(word))
            if field := _field(word, span, heard, surname):
                yield field, word, span
                break


def _field(word: str, span: Span, heard: Heard, surname: str) -> str | None:
    if len(word) < 3 or word.isdigit() or _COMMON.fullmatch(word):
        return None
    morphemes = heard.message.morphemes
    for field, pattern in _BY_FORM:
        if pattern.fullmatch(word) and (field != "product" or _one_noun(morphemes, span)):
            return field
    if not _proper(morphemes, span):
        return None
    if re.fullmatch(rf"{surname}[가-힣]{{2}}", word):
        return "rep"
    role = heard.role_at(span)
    return role.name if role and role.sure >= _SURE and role.name in {"branch", "team", "customer", "product"} else None


def _inside(morphemes: Sequence[Morpheme], span: Span) -> list[Morpheme]:
    first = bisect_left(morphemes, span[0], key=lambda item: item.start)
    within = takewhile(lambda item: item.start < span[1], islice(morphemes, first, None))
    return [item for item in within if item.end <= span[1]]


def _proper(morphemes: Sequence[Morpheme], span: Span) -> bool:
    """Whether the analyser takes the whole word for a proper noun."""
    found = _inside(morphemes, span)
    return [item.tag for item in found] == ["NNP"] and (found[0].start, found[0].end) == span


def _one_noun(morphemes: Sequence[Morpheme], span: Span) -> bool:
    """A word of four letters or more that is one noun to the analyser, not built of ordinary ones."""
    found = _inside(morphemes, span)
    return span[1] - span[0] >= 4 and bool(found) and not any(item.tag.startswith(_VERBAL) for item in found)
