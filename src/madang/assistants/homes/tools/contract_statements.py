"""What a clause asserts: who does what, under which condition, and whether it is denied, read off its morphemes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from madang.assistants.homes.tools.contract_grammar import (
    Tokens,
    act,
    assertion,
    conceded,
    has_predicate,
    is_condition,
    is_despite,
    is_negative,
    is_predicate,
    stem_before,
    without_marker,
    words,
)
from madang.assistants.homes.tools.contract_parties import (
    Actor,
    bearer,
    honoured,
    joined,
    named_first,
    parties,
    subject,
    subject_at,
)
from madang.assistants.homes.tools.contract_text import sentences
from madang.assistants.homes.tools.contract_words import stems
from madang.text.morphemes import Morpheme, morphemes

_ANAPHOR = re.compile(
    r"\s*[(（]?(?:단|다만|그러나|이\s?경우|이\s?때|이때|그\s?경우|그\s?때|이에|이를|이로|이는|그\s|또한|만약|만일)"
)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One assertion. `main` is what it says and `condition` when, both as stems; `whole` is all of it.

    `act` is the last thing said in `main`, with its object. `around` is the sentence with its exception, `conceded`
    what of the condition doesn't matter (~더라도). `text` and `sentence` are the writer's own words.
    `accepts` says that somebody promises not to object to it, `bearer` at whose cost it is.
    """

    text: str
    sentence: str
    whole: str
    main: str
    act: str
    condition: str
    around: str
    actor: Actor | None
    negative: bool
    condition_negative: bool
    bearer: Actor | None
    accepts: bool
    despite: bool
    conceded: str


@dataclass(frozen=True)
class _Context:
    """What earlier parts of a clause leave to later ones: who, what about, when; and whom the sentence addresses."""

    actor: Actor | None = None
    topic: Tokens = ()
    condition: Tokens = ()
    addressed: Actor | None = None


def read_statements(clause: str) -> list[Statement]:
    """The statements of a clause, one for each act. A later one keeps the subject, topic and condition before it."""
    found: list[Statement] = []
    texts = sentences(clause)
    analysed = [joined(morphemes(text)) for text in texts]
    for at, (text, tokens) in enumerate(zip(texts, analysed, strict=True)):
        follows = at > 0 and bool(_ANAPHOR.match(text))
        context = _Context(condition=analysed[at - 1] if follows else (), addressed=honoured(tokens))
        before = analysed[at - 1] if follows else ()
        after = analysed[at + 1] if at + 1 < len(texts) and _ANAPHOR.match(texts[at + 1]) else ()
        around = stems([*before, *tokens, *after])
        for part in _parts(tokens):
            statement, context = _statement(text, part, context, around)
            found.append(statement)
    return found


def _parts(tokens: Tokens) -> Iterator[Tokens]:
    """The sentence cut where one act ends and another begins."""
    start = 0
    for at, token in enumerate(tokens):
        if at + 1 < len(tokens) and _ends_act(tokens, start, at, token):
            yield tokens[start : at + 1]
            start = at + 1
    if start < len(tokens):
        yield tokens[start:]


def _ends_act(tokens: Tokens, start: int, at: int, token: Morpheme) -> bool:
    following = tokens[at + 1]
    if token.tag == "SP" and token.form in {",", "/", "·", "ㆍ", ";"}:
        return token.form in {",", ";", "/"} and at > start and _is_final(tokens, at - 1)
    if token.form in {"으로", "로", "에"} and tokens[at - 1].form in {"조건", "전제", "대신"}:
        given_up = is_negative(tokens[start : at - 1]) or any(
            token.form in words("giving_up") for token in tokens[start:at]
        )
        return at >= 3 and given_up and tokens[at - 2].tag in {"ETM", "NNG", "JKO"}
    if token.form == "대신" and at > 1 and tokens[at - 1].tag == "ETM":
        return following.form not in {"에", "으로"} and tokens[at - 2].form in words("negators")
    if token.tag != "EC" or token.form not in words("connectives") or following.tag == "VX":
        return False
    if token.end == following.start and following.tag != "SP":
        return False
    return not (_is_manner(tokens, at) or _inside_condition(tokens, at) or _inside_noun(tokens, at))


def _is_final(tokens: Tokens, at: int) -> bool:
    token = tokens[at]
    if token.tag in {"EF", "ETN"}:
        return True
    return token.tag == "NNG" and token.form in words("final_nouns")


def _is_manner(tokens: Tokens, at: int) -> bool:
    """Whether "~고" tells how the next act is done (알리지 않고, 불문하고) rather than being an act."""
    stem = stem_before(tokens, at)
    if stem is None:
        return False
    if tokens[stem].form in words("manner"):
        return True
    negated = tokens[stem].form in {"않", "아니하", "없"}
    if negated:
        verb = stem_before(tokens, stem)
        if verb is None or tokens[at + 1].tag == "SP":
            return False
        if tokens[verb].form in words("getting"):
            thing = stem_before(tokens, verb)
            return thing is not None and tokens[thing].form in words("notice")
        return tokens[verb].form in words("notice")
    if tokens[at + 1].tag == "SP":
        return False
    if tokens[stem].form in words("getting"):
        thing = stem_before(tokens, stem)
        if thing is None or tokens[thing].form not in words("notice"):
            return False
    new_subject = any(subject_at(tokens, index) for index in range(at + 1, len(tokens)))
    return tokens[stem].form in words("notice") and not new_subject and tokens[at].form == "고"


def _inside_condition(tokens: Tokens, at: int) -> bool:
    """Whether what follows runs, without a new subject or a comma, into a condition."""
    agreed = at > 1 and tokens[at - 1].form == "하" and tokens[at - 2].form in {"으로", "로", "ᆯ로"}
    if tokens[at + 1].tag == "SP" or tokens[at].form != "고" or agreed:
        return False
    for index in range(at + 1, len(tokens)):
        if is_condition(tokens, index) or tokens[index].form in {"면", "으면"}:
            return True
        if tokens[index].tag in {"JKS", "JX", "SP"} or tokens[index].form in words("connectives"):
            return False
    return False


def _inside_noun(tokens: Tokens, at: int) -> bool:
    """Whether the next act is only named (문을 따고 들어가는 일은 없다), so that this one is too."""
    for index in range(at + 1, len(tokens) - 1):
        if tokens[index].tag == "ETM":
            return tokens[index + 1].form in {"일", "행위", "것", "거"} and tokens[at].form == "고"
        if tokens[index].tag.startswith(("J", "EC", "SP", "EF")) and tokens[index].tag != "JKO":
            return False
    return False


def _statement(text: str, part: Tokens, context: _Context, around: str) -> tuple[Statement, _Context]:
    cut = _condition_end(part)
    condition, main = list(part[:cut]), list(part[cut:])
    moved = _topic_of(condition)
    main = [*moved, *main]
    condition = condition[len(moved) :]
    own_topic = _topic(part)
    topic = list(own_topic or context.topic)
    if not own_topic and context.topic and not _has_object(part):
        main = [*context.topic, *main]
    when = condition or list(context.condition)
    # A reason (~니) is the writer's own, whoever is addressed by what follows.
    addressed = None if part[-1].form in words("reasons") else context.addressed
    actor = subject(main) or honoured(main) or subject(part) or addressed or context.actor or named_first(main)
    asserted, accepts = assertion(main, protest=subject(main) != "landlord")
    negative = is_negative(asserted)
    accepts = accepts or (is_despite(condition) and not negative and _only_accepts(asserted))
    if accepts and (not has_predicate(asserted) or _only_accepts(asserted)):
        # What the tenant may not object to is what happens in the condition.
        main, asserted, negative = [*condition, *main], condition, is_negative(without_marker(condition))
    statement = Statement(
        sentence=text,
        text=text[part[0].start : part[-1].end].strip(" ,"),
        whole=stems([*([] if own_topic else context.topic), *([] if condition else when), *part]),
        main=stems(main),
        act=stems(act(asserted)),
        condition=stems(when),
        around=around,
        actor=actor,
        negative=negative,
        condition_negative=is_negative(without_marker(when)),
        bearer=bearer(main, actor, negative),
        accepts=accepts,
        despite=is_despite(condition),
        conceded=stems(conceded(condition)),
    )
    reason = part[-1].form in words("reasons") and subject(main) == actor and not own_topic
    carried = context.actor if reason else actor
    return statement, _Context(carried, tuple(topic), tuple(when), context.addressed)


def _only_accepts(tokens: Tokens) -> bool:
    """Whether nothing is said but that it is understood or put up with."""
    verbs = [token for at, token in enumerate(tokens) if is_predicate(tokens, at)]
    return bool(verbs) and all(verb.form in words("accepting") for verb in verbs)


def _condition_end(part: Tokens) -> int:
    """Where the last condition with something after it ends."""
    for at in range(len(part) - 1, -1, -1):
        if is_condition(part, at):
            end = at + 1
            while end < len(part) and (part[end].tag.startswith("J") or part[end].tag == "SP"):
                end += 1
            if any(token.tag.startswith(("NN", "VV", "VA", "XR")) for token in part[end:]):
                return end
    return 0


def _topic_of(condition: Tokens) -> Tokens:
    """The leading words that belong to what follows the condition: a topic, or an object before a new subject."""
    ending = ""
    for at, token in enumerate(condition):
        if token.tag == "JX" and token.form in {"은", "는"} and at and condition[at - 1].form not in parties():
            thing = condition[at - 1].tag.startswith(("NN", "XSN", "ETN"))
            thing = thing and condition[at - 1].form not in words("occasions")
            return condition[: at + 1] if thing and ending in {"", "ETM"} else ()
        if token.tag == "JKO" and not ending and _subject_follows(condition, at):
            return condition[: at + 1]
        if token.tag.startswith("E"):
            ending = token.tag
    return ()


def _subject_follows(tokens: Tokens, at: int) -> bool:
    for token in tokens[at + 1 :]:
        if token.tag == "JKS":
            return True
        if not token.tag.startswith(("NN", "MM", "XS", "XP", "ETM", "VA", "JKG")):
            return False
    return False


def _topic(part: Tokens) -> Tokens:
    """The words before the first 은/는 that isn't a person's."""
    start = 0
    for at, token in enumerate(part):
        if is_condition(part, at):
            start = at + 1
        if token.tag == "JX" and token.form in {"은", "는"}:
            if part[at - 1].form in parties():
                start = at + 1
            elif part[at - 1].tag.startswith(("NN", "XSN", "ETN")) and part[at - 1].form not in words("occasions"):
                return part[start : at + 1]
    return ()


def _has_object(part: Tokens) -> bool:
    return any(token.tag == "JKO" for token in part)
