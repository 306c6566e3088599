"""A message as the items that the learnt chains label: morphemes, each parsed value as one, and their features."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from madang.text.clauses import Span
from madang.text.message import Message, Value
from madang.text.morphemes import Morpheme

LONG_QUOTE = 60
_SPOKEN = ("N", "V", "XR", "SL", "SN", "MAG", "MM", "IC")


@dataclass(frozen=True)
class Token:
    """A morpheme, a parsed value or a long quotation."""

    form: str
    tag: str
    span: Span
    value: Value | None = None


def tokens_of(message: Message) -> list[Token]:
    """The message's tokens in order. What a value covers is that one token, whatever morphemes it is made of."""
    whole = [Token(f"<{value.kind}>", f"={value.kind}", value.span, value) for value in message.values]
    whole += [Token("<quote>", "=quote", span) for span in message.quotes if span[1] - span[0] >= LONG_QUOTE]
    whole = _apart(whole)
    starts = [token.span[0] for token in whole]
    tokens = list(whole)
    for item in message.morphemes:
        before = bisect_right(starts, item.start) - 1
        covered = before >= 0 and item.start < whole[before].span[1]
        follows = bisect_right(starts, item.end - 1) - 1
        if not covered and follows == before and item.end > item.start:
            tokens.append(Token(item.form.lower(), item.tag, (item.start, item.end)))
    return sorted(tokens, key=lambda token: token.span)


def _apart(tokens: Sequence[Token]) -> list[Token]:
    kept: list[Token] = []
    for token in sorted(tokens, key=lambda one: (one.span[0], -one.span[1])):
        if not kept or token.span[0] >= kept[-1].span[1]:
            kept.append(token)
    return kept


def role_features(message: Message, tokens: Sequence[Token]) -> list[list[str]]:
    """What the chain of roles sees of each token: itself, its neighbours, its particles, the next verb, its clause."""
    ends = [end for _, end in message.clauses]
    verbs = _next_verbs(tokens, ends)
    before, after = _nouns(tokens, ends, 1), _nouns(tokens, ends, -1)
    last = _last_words(message)
    features = []
    for at, token in enumerate(tokens):
        clause = min(bisect_right(ends, token.span[0]), len(last) - 1) if last else 0
        seen = ["bias", f"form={token.form}", f"tag={token.tag}", f"verb={verbs[at]}"]
        seen += [
            f"tag|verb={token.tag}|{verbs[at]}",
            f"noun<={token.tag}|{before[at]}",
            f"noun>={token.tag}|{after[at]}",
        ]
        seen += [f"particle={token.tag}|{_particle(tokens, at)}"]
        if last:
            seen.append(f"end={last[clause]}")
        for step in (-3, -2, -1, 1, 2, 3):
            other = tokens[at + step] if 0 <= at + step < len(tokens) else None
            word = other.form if other else "<edge>"
            seen.append(f"{step}={word}")
            if abs(step) < 3:
                seen += [f"{step}tag={other.tag if other else '-'}", f"{step}|tag={word}|{token.tag}"]
        seen.append(f"around={_form(tokens, at - 1)}|{token.tag}|{_form(tokens, at + 1)}")
        if token.value is not None:
            seen += _value_features(token.value)
        else:
            seen += [f"head={token.form[:2]}", f"tail={token.form[-2:]}"]
        features.append(seen)
    return features


def _form(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].form if 0 <= at < len(tokens) else "<edge>"


def _value_features(value: Value) -> list[str]:
    words = value.words
    seen = [f"words={words}", f"last={words[-1:]}", f"ambiguous={len(value.readings) > 1}"]
    won = getattr(value.value, "won", None)
    if isinstance(won, int) and won > 0:
        seen.append(f"size={len(str(won))}")
    # What the parser itself makes of the words around a sum, a date or a party.
    seen += [f"{name}={getattr(value.value, name)}" for name in _TOLD if getattr(value.value, name, None) is not None]
    return seen


_TOLD = ("role", "per", "approx", "currency", "kind", "exact", "unit", "basis", "delta")


def _next_verbs(tokens: Sequence[Token], ends: Sequence[int]) -> list[str]:
    """For each token the first verb or adjective at or after it in its clause."""
    verbs = ["-"] * len(tokens)
    found, clause = "-", -1
    for at in range(len(tokens) - 1, -1, -1):
        here = bisect_right(ends, tokens[at].span[0])
        if here != clause:
            found, clause = "-", here
        if tokens[at].tag.startswith(("VV", "VA", "XSV", "XSA")):
            found = tokens[at].form
        verbs[at] = found
    return verbs


def _nouns(tokens: Sequence[Token], ends: Sequence[int], step: int) -> list[str]:
    """For each token the nearest noun before it (`step` 1) or after it (-1) in its clause."""
    nouns = ["-"] * len(tokens)
    found, clause = "-", -1
    for at in range(len(tokens))[::step]:
        here = bisect_right(ends, tokens[at].span[0])
        if here != clause:
            found, clause = "-", here
        nouns[at] = found
        if tokens[at].tag in {"NNG", "NNP", "XR", "SL"}:
            found = tokens[at].form
    return nouns


def _particle(tokens: Sequence[Token], at: int) -> str:
    """The particle that clings to a token, past the rest of its word."""
    for token in tokens[at + 1 : at + 4]:
        if token.tag.startswith("J"):
            return token.form
        if token.tag.startswith(("V", "MA", "=")):
            break
    return "-"


def _last_words(message: Message) -> list[str]:
    """How each clause ends."""
    return ["+".join(item.form for item in items[-3:]) for items in _by_clause(message)]


def _by_clause(message: Message) -> list[list[Morpheme]]:
    ends = [end for _, end in message.clauses]
    groups: list[list[Morpheme]] = [[] for _ in ends]
    for item in message.morphemes:
        clause = bisect_right(ends, item.start)
        if clause < len(groups):
            groups[clause].append(item)
    return groups


def clause_features(message: Message) -> list[list[str]]:
    """What the chains of acts and tasks see of each clause."""
    features = []
    count = len(message.clauses)
    for at, (span, items) in enumerate(zip(message.clauses, _by_clause(message), strict=True)):
        forms = [item.form.lower() for item in items][:60]
        spoken = [item.form.lower() for item in items if item.tag.startswith(_SPOKEN)][:60]
        seen = ["bias", *(f"w={form}" for form in dict.fromkeys(forms))]
        seen += [f"ww={one}+{other}" for one, other in pairwise(spoken)]
        seen += [f"www={'+'.join(forms[i : i + 3])}" for i in range(max(0, len(forms) - 5), max(0, len(forms) - 2))]
        seen += [f"last{n}={'+'.join(forms[-n:])}" for n in (1, 2, 3, 4)]
        seen += [f"lasttag={'+'.join(item.tag for item in items[-3:])}", f"first={'+'.join(forms[:2])}"]
        seen += [f"kind={value.kind}" for value in message.within(span)]
        text = message.text[slice(*span)]
        seen += [f"mark={text[-1:]}", f"question={'?' in text or '？' in text}", f"short={len(text) < 8}"]
        seen += ["only"] if count == 1 else [f"place={'first' if at == 0 else 'last' if at == count - 1 else 'middle'}"]
        features.append(seen)
    return features
