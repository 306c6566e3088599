"""A right figure in the wrong place: under another's name, on the other side of a target, or open to the other side."""

from collections.abc import Sequence

from madang.llm.arithmetic import same
from madang.llm.contraries import bound_of, crosses
from madang.llm.directions import is_across
from madang.llm.figures import Figure
from madang.llm.grounds import Grounds, Signed, words
from madang.llm.known import Known
from madang.llm.labels import is_called_another, labels_of, plain_label

_LISTS = ("row", "plan")


def is_on_the_other_side(
    known: Known, signed: Signed, sentence: str, stated: Sequence[Signed], cited: Sequence[Grounds]
) -> bool:
    """6,512,200원 부족 of a target that was passed."""
    bounds = [
        (word, other.figure)
        for word in words()["distances"]
        if word in sentence
        for one in (*cited, known.user)
        for other in one.figures
        if plain_label(one.text, other.figure).startswith(word)
    ]
    bounds += [
        (word, one.figure)
        for word in words()["distances"]
        for one in stated
        if any(label.startswith(word) for label in labels_of(sentence, one.figure))
    ]
    given = [other.figure for one in cited for other in one.figures] + [one.figure for one in stated]
    return bool(bounds) and is_across(signed, sentence, given, bounds)


def is_beyond(known: Known, figure: Figure, sentence: str, cited: Sequence[Grounds]) -> bool:
    """80cm 이하 where the facts and the user say 80cm 이상."""
    stated = bound_of(sentence, figure)
    if stated is None:
        return False
    bounds = [
        bound
        for one in (*cited, known.user)
        for other in one.figures
        if same(figure, other.figure) and (bound := bound_of(one.text, other.figure))
    ]
    return crosses(stated, bounds)


def is_misnamed(known: Known, figure: Figure, sentence: str, about: Sequence[Grounds]) -> bool:
    """Whether the sentence calls a figure what the facts call another one of its unit."""
    if figure.kind not in ("money", "percent"):
        return False
    stated = labels_of(sentence, figure, known.subjects)
    plain = plain_label(sentence, figure)
    found: list[bool] = []
    for one in about:
        listed = one.fact.kind in _LISTS
        called = [
            (
                same(figure, other.figure),
                labels_of(one.text, other.figure, known.subjects)
                if listed
                else frozenset({plain_label(one.text, other.figure)}) - {""},
            )
            for other in one.figures
            if other.figure.unit == figure.unit
        ]
        if own := [labels for is_own, labels in called if is_own]:
            others = [labels for is_own, labels in called if not is_own]
            words_of = stated if listed else frozenset({plain}) - {""}
            found.append(is_called_another(words_of, own, others))
    return bool(found) and all(found)
