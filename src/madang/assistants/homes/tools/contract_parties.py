"""Who a statement is about: the parties of a contract, however they are called, and who bears what it says."""

from functools import cache
from typing import Literal

from madang.assistants.homes.tools.contract_grammar import Tokens, last_predicate, words
from madang.text.morphemes import Morpheme

Actor = Literal["landlord", "tenant", "both"]


@cache
def parties() -> dict[str, Actor]:
    """Every name of a party."""
    kinds: tuple[Actor, ...] = ("landlord", "tenant", "both")
    return {name: kind for kind in kinds for name in words(kind)}


def joined(tokens: Tokens) -> Tokens:
    """The tokens with parties that were taken apart (집 주인, 매 수인) put together."""
    found: list[Morpheme] = []
    for token in tokens:
        last = found[-1] if found else None
        if (
            len(token.form) == 2
            and token.form[0] in "갑을"
            and token.form[1] in "이은의"
            and token.tag.startswith("NN")
        ):
            particle = {"이": "JKS", "은": "JX", "의": "JKG"}[token.form[1]]
            found.append(Morpheme(token.form[0], "NNG", token.start, token.start + 1))
            found.append(Morpheme(token.form[1], particle, token.start + 1, token.end))
        elif last and last.end == token.start and last.form + token.form in parties():
            found[-1] = Morpheme(last.form + token.form, "NNG", last.start, token.end)
        elif last and last.tag == "EC" and last.form in {"어", "아"} and token.form == "도" and token.tag == "JX":
            found[-1] = Morpheme("어도", "EC", last.start, token.end)
        elif token.form == "ᆫ" and len(found) > 1 and last and last.tag == "VCP" and found[-2].form in {"임대", "임차"}:
            found[-2:] = [Morpheme(found[-2].form + "인", "NNG", found[-2].start, token.end)]
        elif token.form == "ᆷ" and last and last.form == "차이":
            found[-1] = Morpheme("차임", "NNG", last.start, token.end)
        elif token.form == "ᆷ" and len(found) > 1 and last and last.tag == "VCP" and found[-2].form == "차":
            found[-2:] = [Morpheme("차임", "NNG", found[-2].start, token.end)]
        elif last and last.form in {"갑", "을"} and token.tag == "VCP":
            found.append(Morpheme(token.form, "JKS", token.start, token.end))
        elif token.form == "분" and token.tag == "NNB" and (start := _resident(found)) is not None:
            name = found[start].form if found[start].form in parties() else "임차인"
            found[start:] = [Morpheme(name, "NNG", found[start].start, token.end)]
        else:
            found.append(token)
    return found


def _resident(tokens: Tokens) -> int | None:
    """Where "사시는 분, 들어오시는 분, 세입자(분)" begins, if these are the last tokens."""
    if tokens and tokens[-1].form in parties():
        return len(tokens) - 1
    if len(tokens) < 2 or tokens[-1].tag != "ETM":
        return None
    verb = len(tokens) - (3 if tokens[-2].form in {"시", "으시"} else 2)
    if verb < 0 or tokens[verb].form not in words("resident"):
        return None
    return None if verb and tokens[verb - 1].form in words("others") | words("newcomer") else verb


def _party(tokens: Tokens, at: int) -> Actor | None:
    token = tokens[at]
    if not token.tag.startswith(("NN", "NP")) or token.form not in parties():
        return None
    return None if at and tokens[at - 1].form in words("others") else parties()[token.form]


def subject_at(tokens: Tokens, at: int) -> Actor | None:
    """The party at this place if it is marked as a subject or topic."""
    actor = _party(tokens, at)
    if actor is None or at + 1 >= len(tokens):
        return None
    following = tokens[at + 1]
    if following.form in {"측", "쪽"} and at + 2 < len(tokens):
        following = tokens[at + 2]
    if following.tag == "JKS" or (following.tag == "JX" and following.form in {"은", "는", "도", "만"}):
        return actor
    return actor if following.form in {"께서", "에서"} else None


def subject(tokens: Tokens) -> Actor | None:
    """The last topic, otherwise the last subject."""
    found = [
        (at, actor)
        for at in range(len(tokens))
        if (actor := subject_at(tokens, at)) and not _in_relative_clause(tokens, at)
    ]
    topics = [actor for at, actor in found if tokens[at + 1].tag == "JX"]
    if topics:
        return topics[-1]
    return found[-1][1] if found else None


def _in_relative_clause(tokens: Tokens, at: int) -> bool:
    """Whether what the party does only describes a noun (임대인이 지정하는 날)."""
    if tokens[at + 1].tag != "JKS":
        return False
    for index in range(at + 2, len(tokens) - 1):
        if tokens[index].tag.startswith("E") and tokens[index].tag != "EP":
            noun = tokens[index + 1]
            return tokens[index].tag == "ETM" and noun.tag.startswith("NNG") and noun.form not in words("complements")
    return False


def honoured(tokens: Tokens) -> Actor | None:
    """Landlords who write politely honour the tenant (~하셔야 합니다) and humble themselves (~해 드립니다)."""
    for token in tokens[last_predicate(tokens) or 0 :]:
        if token.form in words("humble"):
            return "landlord"
        asked = token.tag == "EF" and token.form.endswith(("세요", "시오"))
        if asked or (token.tag == "EP" and token.form in {"시", "으시"}) or (token.form == "말" and token.tag == "VX"):
            return "tenant"
    return None


def named_first(tokens: Tokens) -> Actor | None:
    """A party that opens the statement without a particle (임차인 부담), unless it only belongs to the next noun."""
    if len(tokens) < 2 or not tokens[1].tag.startswith(("NN", "MAG", "XPN")):
        return None
    at = next((at for at in range(1, len(tokens)) if not tokens[at].tag.startswith(("NN", "XSN", "XPN", "MAG"))), None)
    if at is None or tokens[at].tag in {"XSV", "XSA", "SF", "SP", "VCP"}:
        return _party(tokens, 0)
    return _party(tokens, 0) if tokens[at].tag == "JKO" and tokens[at - 1].form not in words("notice") else None


def _charges(tokens: Tokens) -> bool:
    return any(token.form in words("charging") for token in tokens)


def bearer(main: Tokens, actor: Actor | None, negative: bool) -> Actor | None:
    """Who is to bear what the statement is about: who doesn't, leaves it to the other."""
    bearer = actor
    topical = False
    for at in range(len(main)):
        party = _party(main, at)
        following = main[at + 1 : at + 3]
        if subject := subject_at(main, at):
            # A topic outlasts the subject of a relative clause (임차인은 임대인이 낼 보수를 낸다).
            bearer = bearer if topical and main[at + 1].tag == "JKS" else subject
            topical = topical or main[at + 1].tag == "JX"
        elif party and following and following[0].form in {"에게", "한테"} and not negative:
            bearer = party if _charges(main[at:]) else bearer
        elif party and (
            (following and following[0].form in words("burden"))
            or (len(following) == 2 and following[0].form in {"의", "측"} and following[1].form in words("burden"))
        ):
            bearer = party
    if negative:
        return "tenant" if bearer == "landlord" else None
    return bearer
