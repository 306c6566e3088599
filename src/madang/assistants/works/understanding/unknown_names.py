"""Names that are not in the data: they stay in the meaning as typed, in the field that their form tells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from madang.assistants.works.data import load
from madang.assistants.works.tools.lexicon import TITLES
from madang.text.parsed import blanked
from madang.text.particles import strip_particles

_SUFFIXES: list[tuple[str, re.Pattern[str]]] = [
    ("branch", re.compile(r"^[가-힣A-Za-z0-9]+(?:지점|지사|영업소|사업소)$")),
    ("team", re.compile(r"^[가-힣A-Za-z0-9]+\s?팀$")),
    (
        "customer",
        re.compile(
            r"^[가-힣A-Za-z0-9]{2,}(?:병원|의원|약국|클리닉|메디컬|의료원|보건소|한의원|센터)$|^[가-힣]{2,}(?:내과|외과|소아과|피부과|안과|치과|이비인후과|산부인과|정형외과|비뇨기과|신경과)$"
        ),
    ),
    (
        "product_class",
        re.compile(
            r"^[가-힣]{2,}(?:제제|치료제|억제제|차단제|백신|항암제|수면제|비만약|탈모약|감기약)$|^[가-힣]{3,}제$"
        ),
    ),
    ("product", re.compile(r"^[가-힣A-Za-z0-9]{2,30}(?:정|캡슐|시럽|주사|주|크림|연고|패치|액|\d{1,5}mg|밀리그램)$")),
]
_ASKING = re.compile(r"어디|누구|누가|뭐|무엇|얼마|몇|언제|어느|어떤|어때|어땠|왜|무슨")
_WORD = re.compile(r"[가-힣A-Za-z0-9]+(?:\s?\d+mg)?")
_VERBISH = re.compile(
    r"(?:줘|줄래|주세요|해요|어요|아요|나요|니까|습니다|네요|을까|ㄹ까|는지|은지|하는|하고|해서|하면|했던|되는|된|인데|이야|지\?|했어|았어|었어|였어|갔어|왔어|든|던|려고"
    r"|하게|하지|한테|께서|겠어|할까|할래|봐요|보자|볼까|싶다|싶어|많아|적어|높아|낮아|같아|맞아|있는|없는|없이|대로|처럼|만큼|주라|달라|랑|까|냐|니|라|면|게|서|고|며|요|다|죠|네|지|가요|건가|던가)$"
)


@dataclass(frozen=True)
class _Words:
    """What tells a name from a word: plain words, a name with a title, a name alone."""

    plain: frozenset[str]
    titled: re.Pattern[str]
    person: re.Pattern[str]


@cache
def _words() -> _Words:
    raw = load("words")
    surname = f"[{raw['surnames']}]"
    return _Words(
        frozenset(raw["plain"].split()),
        re.compile(rf"(?<![가-힣])(?P<name>{surname}[가-힣]{{1,2}})\s?{TITLES}"),
        re.compile(rf"^{surname}[가-힣]{{2}}$"),
    )


def find_unknown_names(text: str, *, guess: bool) -> Iterator[tuple[str, str]]:
    """Words that look like a branch, a customer, a product or a person and aren't in the data, with their field.

    `text` is the question with everything understood blanked out. Without `guess` only names count that say by their
    form what they are (…지점, …의원).
    """
    for match in _words().titled.finditer(text):
        yield "rep", match["name"]
        text = blanked(text, [match.span()])
    for match in _WORD.finditer(text):
        word = match.group()
        stems = tuple(dict.fromkeys((word, strip_particles(word))))
        if any(stem.lower() in _words().plain or _ASKING.match(stem) for stem in stems):
            continue
        for stem in stems:
            if field := _field(stem, guess):
                yield field, stem
                break


def _field(word: str, guess: bool) -> str | None:
    if word.lower() in _words().plain or len(word) < 2 or word.isdigit() or _VERBISH.search(word):
        return None
    for field, pattern in _SUFFIXES:
        if pattern.match(word):
            return field
    if not guess:
        return None
    if _words().person.match(word) and not re.search(r"[한된는을를에의로게며면히적별액량률율만씩하]$", word):
        return "rep"
    if (
        len(word) >= 3
        and re.fullmatch(r"[가-힣]+", word)
        and not re.search(r"(?:별|적|성|률|율|수|액|비|일|월|년|분기)$", word)
    ):
        return "product"
    return None
