"""How the work of a regular expression grows with its text, by counting: the same on every machine, however busy.

`Counter` walks a text as `re` does (the same parse tree, the same order of attempts) and counts its steps; `growing`
tries texts made from the pattern itself and names one on which four times the text is far more than that work.
"""

import re
import sys
from collections.abc import Callable, Iterator
from re import _constants as op
from re import _parser
from typing import Any

# Four times the text is four times the work of a linear pattern and sixteen times that of a quadratic one.
SIZES, MOST = (64, 256, 1024), 8
# So many steps a character are no trouble however they come about, and so many always are.
FEW, MANY = 16, 600

Then = Callable[[int], int]
Match = Callable[[int, Then], int]
Test = Callable[[str], bool]
# What a part can begin with, and whether it can be nothing at all.
First = tuple[Test, bool]
FAILED = -1
KINDS: dict[Any, Test] = {
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    op.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    op.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}


class Exhausted(Exception):
    """More steps than anybody would wait for."""


class Counter:
    """A pattern that counts what it does."""

    def __init__(self, pattern: re.Pattern[str], *, at_the_start: bool = False) -> None:
        self._flags = pattern.flags
        self._at_the_start = at_the_start
        self.tree = _parser.parse(pattern.pattern, pattern.flags)
        self.steps = self._enough = 0
        self._text = ""
        self._groups: dict[int, tuple[int, int]] = {}
        self._firsts: dict[Match, First] = {}
        self._match = self._branch((None, [self.tree]))

    def count(self, text: str) -> int:
        """The steps of finding every match. Raises `Exhausted`."""
        list(self.spans(text))
        return self.steps

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the matches are, as `finditer` finds them (or `match`, at the start). Raises `Exhausted`."""
        self._text, self.steps, start, empty_at = text, 0, 0, -1
        self._enough = MANY * (len(text) + 1)
        while start <= len(text):
            self._groups = {}
            self._count()
            end = self._match(start, lambda i, s=start, e=empty_at: FAILED if i == s == e else i)  # type: ignore[misc]
            if end != FAILED:
                yield start, end
            if self._at_the_start:
                return
            if end == FAILED:
                start += 1
                continue
            empty_at = end if end == start else -1
            start = end

    def _count(self) -> None:
        self.steps += 1
        if self.steps > self._enough:
            raise Exhausted

    def _sequence(self, nodes: Any) -> Match:
        matches = [self._node(*node) for node in nodes]
        if len(matches) == 1:
            return matches[0]

        def run(i: int, then: Then, at: int = 0) -> int:
            if at == len(matches):
                return then(i)
            return matches[at](i, lambda j: run(j, then, at + 1))

        tests: list[Test] = []
        for one in matches:
            test, nothing = self._firsts[one]
            tests.append(test)
            if not nothing:
                return self._beginning(run, tests, nothing=False)
        return self._beginning(run, tests, nothing=True)

    def _beginning(self, match: Match, tests: list[Test], *, nothing: bool) -> Match:
        self._firsts[match] = (lambda c: any(test(c) for test in tests)), nothing
        return match

    def _node(self, kind: Any, given: Any) -> Match:
        if (test := self.character(kind, given)) is not None:
            return self._beginning(self._one(test), [test], nothing=False)
        made: Match = getattr(self, f"_{str(kind).lower()}")(given)
        return made

    def character(self, kind: Any, given: Any) -> Test | None:
        """The test of one character, if the node is one."""
        if kind is op.ANY:
            return (lambda _: True) if self._flags & re.DOTALL else (lambda c: c != "\n")
        if kind in (op.LITERAL, op.NOT_LITERAL):
            wanted = {chr(given)} | ({chr(given).lower(), chr(given).upper()} if self._flags & re.IGNORECASE else set())
            return wanted.__contains__ if kind is op.LITERAL else (lambda c: c not in wanted)
        return self._set(given) if kind is op.IN else None

    def _set(self, given: Any) -> Test:
        negated = given[0][0] is op.NEGATE
        parts: list[Test] = []
        for kind, value in given[negated:]:
            if kind is op.RANGE:
                low, high = chr(value[0]), chr(value[1])
                parts.append(lambda c, low=low, high=high: low <= c <= high)  # type: ignore[misc]
            elif kind is op.CATEGORY:
                parts.append(KINDS[value])
            else:
                parts.append(self.character(kind, value) or str.isspace)
        known: dict[str, bool] = {}

        def test(c: str) -> bool:
            if c not in known:
                cases = {c, c.lower(), c.upper()} if self._flags & re.IGNORECASE else {c}
                known[c] = any(part(case) for part in parts for case in cases) is not negated
            return known[c]

        return test

    def _one(self, test: Test) -> Match:
        def run(i: int, then: Then) -> int:
            self._count()
            return then(i + 1) if i < len(self._text) and test(self._text[i]) else FAILED

        return run

    def _at(self, where: Any) -> Match:
        def word(i: int) -> bool:
            return 0 <= i < len(self._text) and KINDS[op.CATEGORY_WORD](self._text[i])

        def holds(i: int) -> bool:
            text, size, lines = self._text, len(self._text), self._flags & re.MULTILINE
            if where is op.AT_BEGINNING:
                return i == 0 or bool(lines and text[i - 1] == "\n")
            if where is op.AT_END:
                return i == size or (i == size - 1 and text[i] == "\n") or bool(lines and text[i] == "\n")
            if where in (op.AT_BOUNDARY, op.AT_NON_BOUNDARY):
                return (word(i - 1) is not word(i)) is (where is op.AT_BOUNDARY)
            return i == (0 if where is op.AT_BEGINNING_STRING else size)

        def run(i: int, then: Then) -> int:
            self._count()
            return then(i) if holds(i) else FAILED

        return self._beginning(run, [], nothing=True)

    def _branch(self, given: Any) -> Match:
        options = [self._sequence(one) for one in given[1]]
        firsts = [self._firsts[one] for one in options]
        empty = [one for one, (_, nothing) in zip(options, firsts, strict=True) if nothing]
        known: dict[str, list[Match]] = {}

        def run(i: int, then: Then) -> int:
            self._count()
            c = self._text[i : i + 1]
            if c and c not in known:
                known[c] = [one for one, (test, none) in zip(options, firsts, strict=True) if none or test(c)]
            for option in known[c] if c else empty:
                if (end := option(i, then)) != FAILED:
                    return end
            return FAILED

        return self._beginning(run, [test for test, _ in firsts], nothing=bool(empty))

    def _subpattern(self, given: Any) -> Match:
        number, added, removed, body = given
        before, self._flags = self._flags, (self._flags | added) & ~removed
        inner = self._sequence(body)
        self._flags = before
        if number is None:
            return inner

        def run(i: int, then: Then) -> int:
            kept = self._groups.get(number)

            def close(j: int) -> int:
                self._groups[number] = (i, j)
                return then(j)

            if (end := inner(i, close)) == FAILED and kept is not None:
                self._groups[number] = kept
            return end

        return self._like(inner, run)

    def _atomic_group(self, body: Any) -> Match:
        inner = self._sequence(body)

        def run(i: int, then: Then) -> int:
            end = inner(i, lambda j: j)
            return FAILED if end == FAILED else then(end)

        return self._like(inner, run)

    def _like(self, inner: Match, match: Match, *, nothing: bool = False) -> Match:
        test, empty = self._firsts[inner]
        return self._beginning(match, [test], nothing=nothing or empty)

    def _groupref(self, number: int) -> Match:
        def run(i: int, then: Then) -> int:
            if number not in self._groups:
                return FAILED
            start, end = self._groups[number]
            self.steps += end - start
            return then(i + end - start) if self._text.startswith(self._text[start:end], i) else FAILED

        return self._beginning(run, [], nothing=True)

    def _groupref_exists(self, given: Any) -> Match:
        number, yes, no = given
        present, absent = self._sequence(yes), self._sequence(no or [])

        def run(i: int, then: Then) -> int:
            return (present if number in self._groups else absent)(i, then)

        return self._beginning(run, [], nothing=True)

    def _assert(self, given: Any, *, wanted: bool = True) -> Match:
        direction, body = given
        back = body.getwidth()[0] if direction < 0 else 0
        inner = self._sequence(body)

        def run(i: int, then: Then) -> int:
            self._count()
            found = i >= back and inner(i - back, lambda j: j) != FAILED
            return then(i) if found is wanted else FAILED

        return self._beginning(run, [], nothing=True)

    def _assert_not(self, given: Any) -> Match:
        return self._assert(given, wanted=False)

    def _failure(self, _given: Any) -> Match:
        return self._beginning(lambda _i, _then: FAILED, [], nothing=True)

    def _max_repeat(self, given: Any) -> Match:
        least, most, body = given
        if len(body) == 1 and (test := self.character(*body[0])) is not None:
            return self._run_of(test, least, most)
        inner = self._sequence(body)

        def more(i: int, then: Then, done: int) -> int:
            self._count()
            if done < most:
                end = inner(i, lambda j: FAILED if j == i and done >= least else more(j, then, done + 1))
                if end != FAILED:
                    return end
            return then(i) if done >= least else FAILED

        return self._like(inner, lambda i, then: more(i, then, 0), nothing=least == 0)

    def _run_of(self, test: Test, least: int, most: int) -> Match:
        def run(i: int, then: Then) -> int:
            end = self._reach(test, i, most)
            while end >= i + least:
                self._count()
                if (found := then(end)) != FAILED:
                    return found
                end -= 1
            return FAILED

        return self._beginning(run, [test], nothing=least == 0)

    def _reach(self, test: Test, start: int, most: int) -> int:
        end = start
        while end < len(self._text) and end - start < most and test(self._text[end]):
            self._count()
            end += 1
        return end

    def _min_repeat(self, given: Any) -> Match:
        least, most, body = given
        inner = self._sequence(body)

        def more(i: int, then: Then, done: int) -> int:
            self._count()
            if done >= least and (end := then(i)) != FAILED:
                return end
            if done >= most:
                return FAILED
            return inner(i, lambda j: FAILED if j == i and done >= least else more(j, then, done + 1))

        return self._like(inner, lambda i, then: more(i, then, 0), nothing=least == 0)

    def _possessive_repeat(self, given: Any) -> Match:
        return self._atomic_group([(op.MAX_REPEAT, given)])


# Hardly any pattern takes this: what goes on and on before it has to be given back.
END = "\n\x01"
SPARE = " \n0가a,.-(:!%"


class Samples:
    """Texts that a pattern likes, made from its own parts."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._tests: list[Test] = []
        self._letters: dict[str, None] = {}
        self._collect(counter.tree)
        self.letters = self._distinct()

    def _collect(self, nodes: Any) -> None:
        for kind, given in nodes:
            if (test := self._counter.character(kind, given)) is not None:
                self._tests.append(test)
                self._letters.update(dict.fromkeys(_letters(kind, given)))
            for inner in bodies(kind, given):
                self._collect(inner)

    def _distinct(self) -> list[str]:
        """One letter of each kind that the pattern tells apart."""
        found: dict[tuple[bool, ...], str] = {}
        for letter in (*SPARE, *self._letters):
            found.setdefault(tuple(test(letter) for test in self._tests), letter)
        return list(found.values())

    def shortest(self, nodes: Any) -> str:
        """A short text that matches, as far as look-arounds let it."""
        return "".join(self._of(kind, given) for kind, given in nodes)

    def _of(self, kind: Any, given: Any) -> str:
        if (test := self._counter.character(kind, given)) is not None:
            return next((letter for letter in self._letters if test(letter)), None) or next(
                (letter for letter in ("가", "0", "a", *SPARE) if test(letter)), ""
            )
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return str(self.shortest(given[2]) * min(given[0], 3))
        inner = bodies(kind, given)
        return self.shortest(inner[0]) if inner and kind not in (op.ASSERT, op.ASSERT_NOT) else ""

    def repeats(self, nodes: Any, before: str = "") -> Iterator[tuple[str, str]]:
        """What comes before each part that may go on and on, and one round of that part."""
        for kind, given in nodes:
            if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
                if given[1] > 16:
                    yield before, self.shortest(given[2])
                    yield from ((before, letter) for letter in self.letters if self._begins(given[2], letter))
                yield from self.repeats(given[2], before)
            else:
                for inner in bodies(kind, given):
                    yield from self.repeats(inner, before)
            before += self._of(kind, given)

    def _begins(self, nodes: Any, letter: str) -> bool:
        return bool(nodes) and (test := self._counter.character(*nodes[0])) is not None and test(letter)


def bodies(kind: Any, given: Any) -> list[Any]:
    """The sequences inside a node."""
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [given[2]]
    if kind is op.BRANCH:
        return list(given[1])
    if kind is op.SUBPATTERN:
        return [given[3]]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [given[1]]
    if kind is op.GROUPREF_EXISTS:
        return [one for one in given[1:] if one is not None]
    return [given] if kind is op.ATOMIC_GROUP else []


def _letters(kind: Any, given: Any) -> list[str]:
    if kind is op.LITERAL:
        return [chr(given)]
    if kind is not op.IN:
        return []
    return [chr(value[0] if part is op.RANGE else value) for part, value in given if part in (op.RANGE, op.LITERAL)]


def hostile(counter: Counter) -> Iterator[tuple[str, str]]:
    """Beginnings, and what may follow them over and over."""
    samples = Samples(counter)
    yield "\x01", " "
    yield from (("", letter) for letter in samples.letters)
    for before, round_ in samples.repeats(counter.tree):
        yield before, round_
        yield "", before + round_
        yield "", before + round_ + " "
    for cut in range(1, len(counter.tree) + 1):
        start = samples.shortest(counter.tree[:cut])
        yield from (("", start + after) for after in ("", " ", ",", "\n"))


def growing(pattern: re.Pattern[str], *, at_the_start: bool = False, most_texts: int = 80) -> str | None:
    """A text (its beginning, what is repeated, its end) on which the pattern's work outgrows the text, or None."""
    counter = Counter(pattern, at_the_start=at_the_start)
    if not endless(counter.tree):
        return None
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, 100_000))
    try:
        for before, pump in list(dict.fromkeys(hostile(counter)))[:most_texts]:
            if pump and (steps := _outgrown(counter, before, pump)) is not None:
                return f"{before!r}, {pump!r} …, {END!r}: {steps} steps for {SIZES[: len(steps)]} characters"
    finally:
        sys.setrecursionlimit(usual)
    return None


def _outgrown(counter: Counter, before: str, pump: str) -> list[int] | None:
    """The steps for texts of growing size if each time they are far more than the text is longer."""
    steps: list[int] = []
    for size in SIZES:
        text = (before + pump * size)[:size] + END
        try:
            steps.append(counter.count(text))
        except Exhausted:
            return [*steps, counter.steps]
        if len(steps) > 1 and steps[-1] <= max(MOST * steps[-2], FEW * size):
            return None
    return steps


def endless(nodes: Any) -> bool:
    """Whether any part may go on and on."""
    return any(
        (kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and given[1] > 16)
        or any(endless(inner) for inner in bodies(kind, given))
        for kind, given in nodes
    )
