"""What Korean grammar says of a statement's tokens: its predicate, its negation, its condition, what is agreed on."""

from collections.abc import Sequence
from functools import cache

from madang.assistants.homes import data
from madang.assistants.homes.tools.contract_words import stems
from madang.text.morphemes import Morpheme

Tokens = Sequence[Morpheme]


def words(name: str) -> frozenset[str]:
    """The words of one kind. Raises `UnreadableData` if their file is wrong."""
    return _tables()[name]


@cache
def _tables() -> dict[str, frozenset[str]]:
    return {name: frozenset(found) for name, found in data.load("contract_grammar.toml").items()}


def is_predicate(tokens: Tokens, at: int) -> bool:
    token = tokens[at]
    if token.tag.startswith(("VV", "VA")):
        return token.form not in words("light_verbs")
    if token.tag in {"NNG", "XR", "NNP"}:
        following = [item.tag for item in tokens[at + 1 : at + 3]]
        # "신고를 하지 않는다" is "신고하지 않는다".
        split = following in (["JKO", "VV"], ["JX", "VV"]) and tokens[at + 2].form == "하"
        return split or following[:1] in (["XSV"], ["XSA"])
    return False


def last_predicate(tokens: Tokens) -> int | None:
    return max((at for at in range(len(tokens)) if is_predicate(tokens, at)), default=None)


def has_predicate(tokens: Tokens) -> bool:
    return any(is_predicate(tokens, at) or tokens[at].form in {"있", "없", "않"} for at in range(len(tokens)))


def is_negative(tokens: Tokens) -> bool:
    """Whether the last predicate is denied."""
    end = last_predicate(tokens)
    if end is None:
        return sum(_denies_verb(tokens, at) for at in range(len(tokens))) % 2 == 1
    before = tokens[end - 1] if end > 0 else tokens[end]
    adverb = (before.tag == "MAG" and before.form in {"안", "못"}) or _is_denying_prefix(before)
    denials = sum(_denies_verb(tokens, at) for at in range(end, len(tokens)))
    return (denials + adverb) % 2 == 1


def _is_denying_prefix(token: Morpheme) -> bool:
    """Whether it is the 미 of 미신고 or the 불 of 불인정."""
    return token.tag == "XPN" and token.form in {"미", "불"}


def _denies_verb(tokens: Tokens, at: int) -> bool:
    if tokens[at].form in {"안", "못"} and tokens[at].tag == "MAG":
        return at + 1 < len(tokens) and tokens[at + 1].form in {"되", "하"}
    if _is_denying_prefix(tokens[at]):
        return True
    if tokens[at].form == "말":
        return tokens[at].tag == "VX" and at > 0 and tokens[at - 1].tag == "EC"
    if tokens[at].form == "없" and at > 0 and tokens[at - 1].form == "밖에":
        return False
    return tokens[at].form in words("negators") and tokens[at].form != "없이"


def is_condition(tokens: Tokens, at: int) -> bool:
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.tag == "EC" and token.form in words("conditions"):
        # "~하면 안 된다" forbids; it is no condition.
        if at and tokens[at - 1].form in {"대하", "관하", "의하", "인하"}:
            return False
        forbids = at + 2 < len(tokens) and tokens[at + 1].form == "안" and tokens[at + 2].form == "되"
        return not (following and following.form in words("allowed") | {"곤란"}) and not forbids
    if token.tag == "EC" and token.form in {"어야", "아야"}:
        plain = following.form == "만" and at + 2 < len(tokens) if following else False
        after = tokens[at + 2] if plain else following
        return after is not None and after.form not in {"하", "되"}
    if token.tag.startswith("NN") and token.form in words("occasions"):
        if at == 0 or tokens[at - 1].tag == "SN":
            return False
        return not (following and following.form in {"까지", "간", "부터"}) and not (
            token.form == "때" and _modifies(tokens, at)
        )
    if token.form in {"즉시", "순간", "날"} and at > 0 and tokens[at - 1].tag == "ETM":
        return not (following and following.form in {"부터", "로부터", "까지", "로"})
    return token.form == "한" and at > 0 and tokens[at - 1].tag == "ETM" and token.tag.startswith("NN")


def _modifies(tokens: Tokens, at: int) -> bool:
    """Whether a bare 때, 시 only says when of a relative clause (떼일 때 대비하는 보험)."""
    for index in range(at + 1, len(tokens)):
        if tokens[index].tag.startswith("E"):
            return tokens[index].tag == "ETM" and is_predicate(tokens, at + 1)
        if tokens[index].tag.startswith(("J", "SP")):
            return False
    return False


def stem_before(tokens: Tokens, at: int) -> int | None:
    """Where the last word with meaning before `at` stands."""
    for index in range(at - 1, -1, -1):
        token = tokens[index]
        meaning = token.tag.startswith(("NN", "VV", "VA", "XR")) or token.form in {"않", "아니하", "못하"}
        if meaning and token.form not in {"하", "되"}:
            return index
    return None


def conceded(condition: Tokens) -> Tokens:
    """The parts of the condition that don't matter (~더라도)."""
    found: list[Morpheme] = []
    start = 0
    for at in range(len(condition)):
        if is_condition(condition, at):
            end = next((next_ for next_ in range(at + 1, len(condition)) if condition[next_].tag != "JX"), at + 1)
            if is_despite(condition[start:end]):
                found += condition[start:end]
            start = end
    return found


def is_despite(condition: Tokens) -> bool:
    """Whether it holds although the condition is met (~더라도)."""
    endings = [token.form for token in condition if token.tag.startswith("E") or token.form in words("occasions")]
    concessive = {"더라도", "어도", "아도", "ᆯ지라도", "을지라도", "라도"}
    return bool(endings) and (endings[-1] in concessive or (len(condition) > 1 and condition[-1].form == "도"))


def without_marker(condition: Tokens) -> Tokens:
    tokens = list(condition)
    while tokens and (tokens[-1].tag.startswith(("J", "E", "SP")) or tokens[-1].form in words("occasions")):
        tokens.pop()
    return tokens


def act(assertion: Tokens) -> Tokens:
    """The last predicate with its object and the nouns before it."""
    end = last_predicate(assertion)
    if end is None:
        end = max((at for at, token in enumerate(assertion) if token.tag.startswith("NN")), default=0)
    start = end
    if (
        end > 1
        and assertion[end].form in words("negators") | words("permitting")
        and assertion[end - 1].tag.startswith("J")
    ):
        start -= 1
    while start and not _bounds_act(assertion[start - 1]):
        start -= 1
    return assertion[start : end + 1]


def _bounds_act(token: Morpheme) -> bool:
    if token.tag == "EC":
        return token.form not in {"어", "아", "거나", "게", "라고", "고"}
    return token.tag in {"JX", "JKS", "JKB", "EF", "SP", "ETM"}


def assertion(main: Tokens, *, protest: bool) -> tuple[Tokens, bool]:
    """What is agreed on ("~하지 않기로 합의한다" asserts "~하지 않"), and whether not to object to it is promised."""
    accepts = False
    for _ in range(3):
        permission = _permission(main)
        if permission is not None:
            main = main[:permission]
        accepted = _protest_start(main) if protest else None
        if accepted is not None:
            main, accepts = main[:accepted], True
            continue
        complement = _complement(main)
        if complement is None:
            return main, accepts
        main = main[:complement]
    return main, accepts


def _permission(main: Tokens) -> int | None:
    """Where "~어도 된다, 무방하다" begins: it grants what comes before."""
    for at in range(len(main) - 1, 0, -1):
        if main[at].form in {"어도", "아도"} and any(token.form in words("allowed") for token in main[at + 1 : at + 3]):
            return at
    return None


def _protest_start(main: Tokens) -> int | None:
    """Where the promise not to object begins, if that is what the main part ends with."""
    if not is_negative(main):
        return None
    last = max((at for at, token in enumerate(main) if _protests(stems(main[at:]))), default=None)
    if last is None or sum(is_predicate(main, at) for at in range(last, len(main))) > 1:
        return None
    while last and not main[last - 1].tag.startswith(("J", "E")):
        last -= 1
    return last


def _complement(main: Tokens) -> int | None:
    """Where the clause ends that is agreed on, confirmed or made a condition."""
    for at in range(len(main) - 1, 0, -1):
        token = main[at]
        nominal = token.tag == "ETN" or (token.form in words("complements") and main[at - 1].tag in {"ETM"})
        nominal = nominal or (token.form == "조건" and at == len(main) - 1)
        nominal = nominal or (token.tag == "EC" and token.form.endswith("다고"))
        if not nominal:
            continue
        rest = [item for item in main[at + 1 :] if item.tag.startswith(("NN", "VV", "VX", "VA", "VC", "XR"))]
        agreed = [
            item
            for item in rest
            if item.form in words("agreements")
            or item.form in words("landlord") | words("tenant") | words("both")
            or item.form in {"임차", "서로", "수", "있", "이"}
        ]
        if len(agreed) == len(rest) and not (rest and token.tag == "ETN" and main[at + 1].tag == "SF"):
            return at
        return None
    return None


def _protests(text: str) -> bool:
    return any(f" {word}" in text for word in words("protests"))
