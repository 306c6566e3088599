"""What a sentence says beside its figures, held against its facts: who does what, yes or no, citations, refusals."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from madang.llm.citations import Citation
from madang.llm.grounds import Grounds, abilities_of, bigrams, roles_of, words

_LEADING = re.compile(r"^\W*(네|예|아니요|아니오)\b")
ALIKE, LEAST = Fraction(2, 5), 4


def party(sentence: str, cited: Sequence[Grounds]) -> Literal["party"] | None:
    """Someone does in the sentence what in its facts someone else does: the clause most like it has the other party."""
    for clause in re.split(r",\s|고\s|;", sentence):
        if found := _other_party(clause, cited):
            return found
    return None


def _other_party(clause: str, cited: Sequence[Grounds]) -> Literal["party"] | None:
    pieces = bigrams(clause)
    if len(pieces) < LEAST:
        return None
    for role, party in roles_of(clause):
        mine = others = Fraction(0)
        for words_of, roles in (clause for one in cited for clause in one.clauses):
            like = Fraction(len(pieces & words_of), len(pieces))
            if (role, party) in roles:
                mine = max(mine, like)
            elif any(r == role for r, _ in roles):
                others = max(others, like)
        if others >= ALIKE and others > mine:
            return "party"
    return None


def acquittal(sentence: str) -> int:
    """Where a sentence says that all is well; -1: nowhere."""
    return max(sentence.find(word) for word in words()["acquittal"]["words"])


def verdict(sentence: str, cited: Sequence[Grounds], *, own: bool) -> Literal["verdict"] | None:
    judged = [one for one in cited if one.fact.verdict in ("yes", "no")]
    led = None if any(word in sentence for word in words()["verdict"]["another"]) else _LEADING.search(sentence)
    stated, pieces = set(abilities_of(sentence)), bigrams(sentence)
    if led and judged:
        yes = led[1] in ("네", "예")
        # What rests on more than the judgement may answer another question than it does.
        if len(cited) == len(judged) == 1 and not own and (judged[0].fact.verdict == "yes") != yes:
            return "verdict"
    for one in cited:
        for verb, can in stated:
            other = (verb, "없" if can == "있" else "있")
            if other in one.abilities and (verb, can) not in one.abilities and _like(pieces, one, other) >= ALIKE:
                return "verdict"
    return None


def _like(pieces: frozenset[str], ground: Grounds, ability: tuple[str, str]) -> Fraction:
    """How like a sentence is to the clause of a fact that says something can or can't be done."""
    said = f"{ability[0]} 수 {ability[1]}", f"{ability[0]}수 {ability[1]}"
    clauses = [clause for clause in re.split(r"[.;\n?!]", ground.fact.text) if any(one in clause for one in said)]
    shared = (Fraction(len(pieces & bigrams(clause)), max(1, len(pieces))) for clause in clauses)
    return max(shared, default=Fraction(0))


def written(item: Citation, sentence: str, cited: Sequence[Grounds]) -> bool:
    """Whether a citation stands in a cited fact as it is written, with the word before it."""
    before = sentence[: item.span[0]].split()[-1:]
    written = _folded("".join([*before, item.text]))
    return len(written) > len(_folded(item.text)) + 1 and any(written in _folded(one.fact.text) for one in cited)


def _folded(text: str) -> str:
    return re.sub(r"[\s*]", "", text)


def refuses(sentence: str) -> bool:
    lowered = sentence.lower()
    return any(phrase in lowered for phrase in words()["refusal"]["phrases"])
