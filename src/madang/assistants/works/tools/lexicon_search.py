"""Finding the lexicon's words in a question: spacing, particles and small typos allowed for."""

import re
from dataclasses import dataclass

from madang.assistants.works.tools.lexicon import Lexicon, Meaning, one_less
from madang.text.normalise import to_jamo
from madang.text.particles import ONLY_PARTICLES, strip_particles

_WORD = re.compile(r"[가-힣A-Za-z0-9]+")
_JAMO = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_TAIL = re.compile(
    r"(?:이?[가-힣]?야|했|됐|되었|됩|할|한\s|인데?|이고|이며|인가요?|인지|이나|들|들의|들은|들이|급|쪽|기준|내|중|용|처|거래처|병원|의원|지역|권|애들|님|씨|"
    r"사원|대리|과장|차장|부장|팀장|좀|보다|하고|랑|이랑|별로?|만|도|까지|부터|얼마|어때|알려|보여|왜|몇|총|추이|비교|순위|현황|합계|"
    r"평균|top|상위|하위|많은|높은|적은|낮은|빼고|제외|말고|없는|안|못|대비|늘|줄|증가|감소)"
)


@dataclass(frozen=True)
class Found:
    """A word of the lexicon at its place in the question."""

    meanings: tuple[Meaning, ...]
    start: int
    end: int
    text: str
    exact: bool = True

    @property
    def meaning(self) -> Meaning:
        return self.meanings[0]


def scan(text: str, lexicon: Lexicon) -> list[Found]:
    """The words found, in order; where several fit at one place the longest is taken."""
    letters = [(char.lower(), at) for at, char in enumerate(text) if not char.isspace()]
    squeezed = "".join(char for char, _ in letters)
    places = [at for _, at in letters]
    found: list[Found] = []
    at = 0
    last = -1
    while at < len(squeezed):
        hit = _match(text, squeezed, places, at, last, lexicon)
        if hit is None:
            at += 1
            continue
        found.append(hit)
        last = hit.end
        at += len(re.sub(r"\s", "", text[hit.start : hit.end]))
    return sorted([*found, *_typos(text, found, lexicon)], key=lambda item: item.start)


def _match(text: str, squeezed: str, places: list[int], at: int, last: int, lexicon: Lexicon) -> Found | None:
    if squeezed[at] not in lexicon.firsts:
        return None
    start = places[at]
    begins = start == 0 or not text[start - 1].isalnum() or start == last
    if not begins and last >= 0 and " " not in text[last:start]:
        begins = bool(ONLY_PARTICLES.fullmatch(text[last:start]))
    if not begins:
        return None
    for length in lexicon.lengths:
        key = squeezed[at : at + length]
        if len(key) < length or key not in lexicon.surfaces:
            continue
        end = places[at + length - 1] + 1
        if (
            _ends(text, end, squeezed, at + length, lexicon)
            and _one_word(text, start, end, key, lexicon)
            and not _begins_a_name(text, end, key, lexicon)
        ):
            return Found(tuple(lexicon.surfaces[key]), start, end, text[start:end])
    return None


def _one_word(text: str, start: int, end: int, key: str, lexicon: Lexicon) -> bool:
    """A name written over a blank must break where words do, not inside one (…서 울산 is not 서울)."""
    if " " not in text[start:end]:
        return True
    return len(key) >= 4 or lexicon.surfaces[key][0].role in {"metric", "dimension", "unknown"} or " " in key


def _begins_a_name(text: str, end: int, key: str, lexicon: Lexicon) -> bool:
    """A place written together with 지점 is the name of one, known or not: 서울지점 is no region."""
    if lexicon.surfaces[key][0].role != "value":
        return False
    word = _WORD.match(text, end)
    rest = strip_particles(word.group()) if word else ""
    after = lexicon.surfaces.get(rest, ())
    return any((one.role, one.name) == ("noun", "branch") for one in after)


def _ends(text: str, end: int, squeezed: str, after: int, lexicon: Lexicon) -> bool:
    if end >= len(text) or not text[end].isalnum():
        return True
    word = _WORD.match(text, end)
    rest = word.group() if word else ""
    if ONLY_PARTICLES.fullmatch(rest) or _TAIL.match(rest):
        return True
    return any(squeezed[after : after + size] in lexicon.surfaces for size in lexicon.lengths)


def _typos(text: str, found: list[Found], lexicon: Lexicon) -> list[Found]:
    taken = {at for item in found for at in range(item.start, item.end)}
    near: list[Found] = []
    for word in _WORD.finditer(text):
        if word.start() in taken or len(word.group()) < 2:
            continue
        hit = _near(word.group(), lexicon)
        if hit:
            key, length = hit
            near.append(
                Found(tuple(lexicon.surfaces[key]), word.start(), word.start() + length, word.group()[:length], False)
            )
            # Words may be written straight after a mistyped one (메출지점별로).
            after = word.start() + length
            near += scan(" " * after + text[after : word.end()], lexicon) if after < word.end() else []
    return near


def _near(word: str, lexicon: Lexicon) -> tuple[str, int] | None:
    """A surface one letter away from the word, from its stem, or (for a metric or dimension) from its beginning."""
    for stem in dict.fromkeys((word, strip_particles(word))):
        key = _one_off(stem.lower(), lexicon)
        if key:
            return key, len(stem)
    for length in range(min(6, len(word) - 1), 1, -1):
        key = _one_off(word[:length].lower(), lexicon)
        if key and lexicon.surfaces[key][0].role in {"metric", "dimension"} and len(word) - length >= 2:
            return key, length
    return None


def _one_off(word: str, lexicon: Lexicon) -> str | None:
    """The surface one slip away: a letter put for another, two swapped, one too many or one too few."""
    jamo = to_jamo(word)
    if len(jamo) < 5:
        return None
    slips = []
    for spelled in {one for form in (jamo, *one_less(jamo)) for one in lexicon.nearly_spelled.get(form, ())}:
        key = lexicon.spelled[spelled]
        # A rep's name is three letters: one letter off is another person.
        if spelled[0] == jamo[0] and _may_be_mistyped(lexicon.surfaces[key][0], key):
            slips += [(*slip, key) for slip in [_slip(jamo, spelled)] if slip]
    return min(slips)[-1] if slips else None


def _slip(typed: str, meant: str) -> tuple[int, int] | None:
    """The kind of slip between two spellings and its place, if it is one; the likelier kinds are the smaller."""
    at = next((i for i, (a, b) in enumerate(zip(typed, meant, strict=False)) if a != b), min(len(typed), len(meant)))
    if len(typed) == len(meant) and at < len(typed):
        if typed[at + 1 :] == meant[at + 1 :]:
            return (0, at) if meant[at] in _JAMO else None
        swapped = typed[at : at + 2] == meant[at : at + 2][::-1] and typed[at + 2 :] == meant[at + 2 :]
        return (1, at) if swapped else None
    if len(typed) == len(meant) + 1:
        return (2, at) if typed[at + 1 :] == meant[at:] else None
    if len(typed) == len(meant) - 1:
        return (3, at) if typed[at:] == meant[at + 1 :] and meant[at] in _JAMO else None
    return None


def _may_be_mistyped(meaning: Meaning, key: str) -> bool:
    return meaning.role in {"metric", "dimension"} or (meaning.name not in {"rep", "region", "grade"} and len(key) >= 4)
