"""One sentence held against its evidence: every figure with its sign, unit and subject, every citation, who does what.

Figures may be said in other forms and may be computed from given ones; both are computed here, never believed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from madang.llm.arithmetic import (
    anchored,
    computed,
    follows,
    is_alike,
    is_exact,
    is_moved,
    is_slip,
    lasts,
    runs_to,
    same,
    sums_to,
    totals_of,
    without_tax,
)
from madang.llm.calendar import days_told, is_in_calendar, is_near, whole_months, years_of
from madang.llm.citations import Citation, find_citations, is_cited
from madang.llm.claims import acquittal, party, refuses, verdict, written
from madang.llm.evidence import Evidence, Fact, Table
from madang.llm.figures import Figure, blank, find_figures
from madang.llm.grounds import (
    Grounds,
    Signed,
    bigrams,
    clocked,
    grounds_of,
    names_of,
    signed_figures,
    words,
)
from madang.llm.proposals import Proposals, is_general, is_shapely
from madang.llm.tables import counted, limits, summed
from madang.llm.workings import Working, find_workings, holds, products_of
from madang.text.numerals import numerals
from madang.text.people import find_people

Problem = Literal[
    "figure", "sign", "subject", "unit", "citation", "party", "verdict", "language", "refusal", "address", "source"
]  # fmt: skip
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![a-z0-9-])[a-z0-9-]+\.(?:go|or|co)\.kr", re.IGNORECASE)
# A flight by its number is one that one could look for: it is given or it is made up.
_FLIGHT = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])\d{3,4}(?=\s?편)")
_QUOTED = re.compile(r"[“\"'‘][^“”\"'‘’\n]*[”\"'’]")
# 1000에 65: what a user says without a unit is a sum in 만원.
_UNITLESS = re.compile(r"(?<![\d.,])\d[\d,]*+(?!\.\d|\s?[명월일년개박살시분층번평%억만원주회세호조항건곳차동])")
_MONTH_DAY = re.compile(r"(?<![\d/.])(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\d/])")
# A clause of a text that is drafted: its number begins the line and its title stands in brackets or after it.
_CLAUSE = re.compile(r"^[\s>*-]*+[“\"'‘]?\**+(?P<n>제\s?\d{1,2}\s?조)(?:\s?\(|\**\s|\.|:)")
_OWN_ARTICLE = re.compile(r"\s?제?\s?\d{1,2}\s?조")
_ADVISED = re.compile(r"(?:것이|편이|쪽이|더|으면|다면|려면|뒤에는|까지는)\s*$")
_LASTS = re.compile(r"\s?(?:[~∼–-]|전|동안|이상|이내|이하|안에|안쪽|치|간(?![가-힣])|째|마다|정도|쯤|만에|이면|걸)")
_RANGED = re.compile(r"\d\s?[~∼]\s?$")
_DAYS = re.compile(r"(?P<first>\d{1,2})\s?[~∼–-]\s?(?P<last>\d{1,2})일(?!\s?(?:걸|정도|쯤|동안|이내|치))")
_DAYS_TO = re.compile(r"(?<!\d)(?P<first>\d{1,2})\s?[~∼–-]\s?(?P<last>\d{1,2})일$")
_DESCRIBES = re.compile(r"\s?[가-힣]{0,6}[는인의한던]\s")
_MONTHS = re.compile(r"(?<!\d)(\d{1,2})\s?월?\s?[~∼–-]\s?(\d{1,2})\s?월")
_OPPOSITE = {"up": "down", "down": "up", "left": "short", "short": "left"}
_LEAST_BARE, _LEAST_SPOKEN, _LEAST_WON = 10, 100, 100_000
SHARE = Fraction(3, 10)
LETTERS = 12
RECENT, NEAREST, MOST_SAID = 12, 3, 40
_LOOSE = ("guide", "note", "plan")
_COUNTED = ("row", "figure", "plan")
_LISTED, _FEW, _YEAR = ("곳", "개", "건", "명", "채", "세대", "층"), 10, 12
_SHORT_STAY, _FACTOR = 4, 2
_SAYS_LIKE, _BIDDING = Fraction(1, 5), 6
_LEAD = 4
_OBEYS = Fraction(3, 10)
_TOUCHES, _SHORT = Fraction(1, 5), 22
PROPOSAL = "P"


@dataclass
class Statements:
    """The evidence of one answer, ready to hold sentences against."""

    evidence: Evidence
    language: str = "ko"
    grounds: dict[str, Grounds] = field(default_factory=dict)
    accepted: list[Signed] = field(default_factory=list)
    """Figures of the sentences that this answer has said so far."""

    def __post_init__(self) -> None:
        names = {name for fact in self.evidence.facts for name in names_of(fact) if len(name) > 1}
        self._subjects = sorted(names, key=len, reverse=True)
        self.names = {name for table in self.evidence.tables for name, _ in table.rows if len(name) > 1} | names
        self._wants_another = any(word in text for text in self.evidence.told for word in words()["languages"]["asked"])
        self.grounds = {fact.id: grounds_of(fact, self._subjects) for fact in self.evidence.facts}
        self._today = str(self.evidence.known.get("오늘") or "")
        known = " ".join([*self.evidence.told, *(str(value) for value in self.evidence.known.values())])
        bare = _bare(" ".join(self.evidence.told))
        self.user = grounds_of(Fact(id="U", kind="note", text=known))
        self._drafted: set[str] = set()
        self._months = {int(month) for month in re.findall(r"(?<!\d)(\d{1,2})\s?월", known)}
        self._bare = bare
        self._user = [meant for one in self.user.figures for meant in _meanings(one.figure)]
        self._user += [Figure("money", f"{n}", (0, 0), "원", (n * 10_000,)) for n in sorted(bare) if n >= _LEAST_BARE]
        self._user += [Figure("number", f"{n}", (0, 0), "", (n,)) for n in sorted(bare) if n >= _LEAST_BARE]
        self._days = {v for one in self._user if one.unit == "일" for v in one.values}
        self._user += days_told(self.evidence.told, self._today)
        self._user += [figure for text in self.evidence.told for figure in _party(text)]
        products = [list(products_of(text, find_figures(text))) for text in self.evidence.told]
        self._user += [figure for listed in products for figure in listed]
        self.proposals = Proposals(self.evidence.proposes == "sums", tuple(self._user))
        self._user += [one.figure for one in grounds_of(Fact(id="H", kind="note", text=self.evidence.heard)).figures]
        self._years = years_of([*(fact.text for fact in self.evidence.facts), known, self.evidence.heard], self._today)

    def problem(self, sentence: str, ids: Sequence[str], law: str | None = None) -> Problem | None:
        """What is wrong with a sentence that rests on `ids`; None if nothing is."""
        if refuses(sentence):
            return "refusal"
        # A text to be sent may be in the language of whom it is sent to.
        if not (self.evidence.proposes and PROPOSAL in ids) and not self._in_language(sentence):
            return "language"
        cited = [self.grounds[one] for one in ids if one in self.grounds]
        cited += self._looked_up(sentence, law)
        if not cited and self._acquits(sentence):
            return "verdict"
        freely = self.evidence.proposes == "sums"
        proposed = bool(self.evidence.proposes) and (PROPOSAL in ids or (freely and not ids))
        return (
            self._citation(sentence, cited, law)
            or self._address(sentence)
            or self._source(sentence, cited)
            or (self._total(sentence, cited) if freely else None)
            or self._figures(sentence, cited, ids, proposed=proposed)
            or party(sentence, cited)
            or verdict(sentence, cited, own="U" in ids)
        )

    def accept(self, sentence: str) -> None:
        """A sentence was said: those after it may come back to its figures."""
        self.accepted += self._stated(sentence)

    def _stated(self, sentence: str) -> list[Signed]:
        return signed_figures(_readable(sentence), self._subjects)

    def _plain(self, figure: Figure, sentence: str, cited: Sequence[Grounds]) -> bool:
        """A number that no data is needed for: a small count of things that are listed, a day of a known date, a number
        to call."""
        if figure.text.strip() in words()["phones"]["numbers"] or figure.text.startswith("한 "):
            return True
        if figure.text == figure.unit and any(figure.text in fact.text for fact in self.evidence.facts):
            return True
        if figure.unit == "개월" and any(whole_months(one.fact.text) & set(figure.values) for one in cited):
            return True
        if self._is_day(figure, sentence, cited) or (not figure.unit and self._is_year(figure)):
            return True
        spoken = not any(char.isdecimal() for char in figure.text) and all(value <= _FEW for value in figure.values)
        if figure.unit in _LISTED and (spoken or (len(cited) > 1 and len(cited) in figure.values)):
            return True
        few = figure.unit in _LISTED and all(value <= _FEW for value in figure.values)
        told = [*(other.figure for one in cited for other in one.figures), *self.proposals.given]
        return few and not any(is_alike(other, figure) for other in told)

    def _own(self, figure: Figure) -> bool:
        """What a sentence on the user's own matters may count by itself: months of a year, nights, a day they named."""
        if figure.date:
            named = figure.date[1] in self._months
            if figure.date[2] is None and self._is_later(figure):
                return True
            told = [one.date for one in self._user if one.date and one.date[0] and one.date[1] == figure.date[1]]
            if figure.date[2] is None and named:
                return not told or figure.date[0] in (None, *(one[0] for one in told))
            return figure.date[2] in self._days and (named or not any(is_slip(figure, one) for one in self._user))
        counted = figure.unit in ("개월", "박", "일", "주") and not figure.text[:1].isdecimal()
        same_unit = [one for one in self.proposals.given if one.unit == figure.unit and one.values]
        counted = counted and not any(1 < one.values[0] <= _YEAR for one in same_unit)
        most = _YEAR if counted else _SHORT_STAY if figure.unit == "박" else 0
        return _is_sum(figure) and all(value <= most for value in figure.values)

    def _can_be(self, sentence: str, text: str, stated: Sequence[Signed], *, proposed: bool) -> bool:
        """Whether days and ranges can be as they are said, whatever the evidence says."""
        if not is_shapely(text, [one.figure for one in stated]) or not is_in_calendar(sentence, self._today):
            return False
        return not any(self._is_other_year(one, proposed=proposed) for one in stated)

    def _is_rate(self, figure: Figure, cited: Sequence[Grounds]) -> bool:
        """× 0.96: a share that is given in per cent, or what it leaves or makes of a sum."""
        if figure.unit or not figure.values or not 0 < figure.values[0] < 2:
            return False
        known = [*(other.figure for one in cited for other in one.figures), *self._user]
        shares = [value / 100 for one in known if one.unit == "%" for value in one.values]
        return any(figure.values[0] in (share, 1 - share, 1 + share) for share in shares)

    def _is_year(self, figure: Figure) -> bool:
        return bool(figure.values) and self._years.issuperset(figure.values)

    def _is_later(self, figure: Figure) -> bool:
        """2029년 5월, ten years after a month that the user names, where a fact names ten years."""
        facts = [other.figure for one in self.grounds.values() for other in one.figures]
        return is_moved(figure, self._user, [*facts, *self._user])

    def _is_other_year(self, signed: Signed, *, proposed: bool) -> bool:
        """2021년 2월 28일 where nothing is of that year, nor was the last such day."""
        day = signed.figure.date
        if not (day and day[0] and self._years) or day[0] in self._years or self._is_later(signed.figure):
            return False
        return not is_near(day, self._today, history=proposed)

    def _is_day(self, figure: Figure, sentence: str, cited: Sequence[Grounds]) -> bool:
        """18일까지: the day of a date that a cited fact or the user names, or that was said before; no length."""
        known = [*(other.figure for one in cited for other in one.figures), *self._user]
        known += [one.figure for one in self.accepted]
        days = {other.date[2] for other in known if other.date}
        if (span := _DAYS.match(sentence, figure.span[0])) or (span := _DAYS_TO.search(sentence, 0, figure.span[1])):
            # 11월 1~18일: a range of known days.
            return {int(span["first"]), int(span["last"])} <= days
        if _LASTS.match(sentence, figure.span[1]) or _RANGED.search(sentence, 0, figure.span[0]):
            return False
        return figure.unit == "일" and any(value in days for value in figure.values)

    def _acquits(self, sentence: str) -> bool:
        """Whether a sentence says that all is well, resting on nothing, where something was found or couldn't be looked
        at. What is only the safer way (…하는 것이 안전해요), or well under a condition, acquits nobody."""
        found = [g for g in self.grounds.values() if g.fact.must or g.fact.heed]
        said = acquittal(sentence)
        if said < 0 or not (found or self.evidence.incomplete):
            return False
        if _ADVISED.search(sentence[:said]):
            return False
        pieces = bigrams(sentence)
        shares = (Fraction(len(pieces & bigrams(one.fact.text)), max(1, len(pieces))) for one in found)
        like = max(shares, default=Fraction(0))
        return like >= _TOUCHES or sum(char.isalnum() for char in sentence) <= _SHORT

    def _citation(self, sentence: str, cited: Sequence[Grounds], law: str | None) -> Problem | None:
        """An article must be one of a cited fact or the user's; a law by its name alone may be spoken of."""
        allowed = [item for one in (*cited, self.user) for item in one.citations]
        for item in find_citations(sentence, law):
            if self._of_the_text(item, sentence) or written(item, sentence, cited):
                continue
            if (item.article or item.decision or cited) and not is_cited(item, allowed):
                known = [other.law for one in self.grounds.values() for other in one.citations]
                if item.article or item.decision or item.law not in known:
                    return "citation"
        return None

    def _looked_up(self, sentence: str, law: str | None) -> list[Grounds]:
        """The articles that a sentence names and that say something like it, though no fact has them."""
        made: list[Grounds] = []
        look_up = self.evidence.article
        for item in find_citations(sentence, law) if look_up else ():
            text = look_up(item.law, item.article) if look_up and item.law and item.article else None
            pieces = bigrams(sentence.replace(item.text, ""))
            if text and Fraction(len(pieces & bigrams(text)), max(1, len(pieces))) >= _SAYS_LIKE:
                made.append(grounds_of(Fact(id="", kind="article", text=f"{item.text}: {text}")))
        return made

    def _of_the_text(self, item: Citation, sentence: str) -> bool:
        """제1조(합의금): an article of a text that this answer drafts, or a reference to one of it."""
        if item.article is None or item.decision or not _OWN_ARTICLE.match(item.text):
            return False
        heading = _CLAUSE.match(sentence)
        if heading and heading.start("n") <= item.span[0] <= heading.end("n"):
            self._drafted.add(item.article)
        return item.article in self._drafted or (bool(heading) and not item.law)

    def _address(self, sentence: str) -> Problem | None:
        given = " ".join([*(f.text for f in self.evidence.facts), *self.evidence.told, *words()["addresses"]["known"]])
        said = [match.group() for pattern in (_ADDRESS, _FLIGHT) for match in pattern.finditer(sentence)]
        return "address" if any(one not in given for one in said) else None

    def _source(self, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """Who is told to do something does it on the word of the fact that is cited: not on that of somebody else's
        text, which may want it done."""
        pieces = bigrams(sentence)
        if len(pieces) < _BIDDING or not any(word in sentence for word in words()["others"]["bids"]):
            return None
        known = [one.fact.text for one in cited if not one.fact.of_others]
        own = max((len(pieces & bigrams(text)) for text in (*known, *self.evidence.told)), default=0)
        named = {id(one.fact) for one in cited}
        for other in self.grounds.values():
            if other.fact.of_others and id(other.fact) not in named:
                like = len(pieces & bigrams(other.fact.text))
                if like > own and Fraction(like, max(1, len(pieces))) >= _OBEYS:
                    return "source"
        return None

    def _total(self, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """A total of what was proposed must add up."""
        values = {v for one in (self.user, *self.grounds.values()) for o in one.figures for v in o.figure.values}
        values |= {value * 10_000 for value in self._bare}
        own = {value for one in cited for signed in one.figures for value in signed.figure.values}
        money = [signed.figure for one in cited for signed in one.figures]
        added = any(runs_to(one.figure, money) for one in self._stated(sentence) if one.figure.unit == "원")
        return None if self.proposals.total(sentence, values, own) or added else "figure"

    def _figures(
        self, sentence: str, cited: Sequence[Grounds], ids: Sequence[str], *, proposed: bool = False
    ) -> Problem | None:
        """Figures that stand in the evidence first; the others must follow from these. Workings that are shown hold."""
        own, text = "U" in ids, _readable(sentence)
        stated = signed_figures(text, self._subjects)
        if not self._can_be(sentence, text, stated, proposed=proposed):
            return "figure"
        workings = list(find_workings(text, [one.figure for one in stated]))
        if any(not holds(one, text) for one in workings):
            return "figure"
        results = {one.result.span for one in workings}
        terms = {span for one in workings for span in one.terms}
        beside: list[Figure] = [one.result for one in workings if not _rests_on_itself(one)]
        beside += days_told([text], self._today) if "/" in text else []
        left: list[tuple[Signed, Problem]] = []
        for signed in stated:
            figure = signed.figure
            if figure.span in results:
                continue
            known = (own and self._own(figure)) or (not ids and is_general(figure, text, self._user))
            # A count in a working that comes out: another would not.
            known = known or (own and figure.span in terms and figure.kind == "count")
            known = known or (bool(workings) and figure.text == "1년")
            readings = [replace(signed, figure=one) for one in _meanings(figure)]
            found = [self._unfounded(one, text, cited) for one in readings] if not known else [None]
            wrong = None if None in found else found[0]
            if wrong == "sign" and not proposed:
                return wrong
            if wrong is None:
                beside += _meanings(signed.figure)
            else:
                left.append((signed, wrong))
        return self._worked_out(left, text, cited, ids, beside, proposed=proposed)

    def _worked_out(
        self,
        left: Sequence[tuple[Signed, Problem]],
        text: str,
        cited: Sequence[Grounds],
        ids: Sequence[str],
        beside: list[Figure],
        *,
        proposed: bool,
    ) -> Problem | None:
        """What is wrong with figures that stand nowhere: each must come out over rows, be put forward, or follow."""
        tables = self._tables(cited)
        compared = {one.span for signed in self._stated(text) for one in limits(signed.figure, text, tables)}
        for signed, wrong in left:
            if signed.figure.span in compared:
                continue
            in_table = self._in_table(signed, text, cited, tables)
            if in_table is False:
                return "figure"
            if not in_table and proposed and self.proposals.allows(signed.figure, text, cited, own="U" in ids):
                continue
            given = [one for one in beside if _is_working(one, signed.figure, text)]
            taken = wrong == "subject" and "U" not in ids
            if not in_table and (taken or not self._follows(signed, text, cited, given, ids)):
                return wrong
            beside.append(signed.figure)
        return None

    def _unfounded(self, signed: Signed, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """Why a figure is none of a cited fact's on the thing it is said of, nor the user's own, nor said before."""
        figure, subject = signed.figure, signed.name
        if not signed.named_before and any(same(figure, one.figure) for ground in cited for one in ground.figures):
            subject = None
        if (
            self._is_rate(figure, cited)
            or any(same(figure, other) for other in self._user)
            or self._plain(figure, sentence, cited)
        ):
            return None
        about = self._about(subject, cited)
        fits = [
            other
            for one in about
            for other in one.figures
            if same(figure, other.figure) and (one.fact.subject or subject is None or other.name in (None, subject))
        ]
        if fits:
            against = signed.sign and all(other.sign == _OPPOSITE[signed.sign] for other in fits)
            return "sign" if against else None
        before = [one for one in self.accepted if same(figure, one.figure)]
        if any(None in (subject, one.name) or subject == one.name for one in before):
            return None
        counts = not cited or any(one.fact.kind in _COUNTED for one in cited)
        loose = [g for g in self.grounds.values() if g.fact.kind in _COUNTED] if counts else []
        if subject is None and any(same(figure, other.figure) for one in loose for other in one.figures):
            return None
        mentioned = self._mentioned(sentence)
        rows = [g for g in self.grounds.values() if g.fact.kind == "row"]
        groups = (cited, [one for one in cited if one.fact.kind == "row"], mentioned, rows)
        if any(same(figure, total) for group in groups for total in totals_of(group, figure.unit)):
            return None
        owners = [g for g in self.grounds.values() if g not in about and any(same(figure, o.figure) for o in g.figures)]
        if not owners:
            return "figure"
        loosely = [one.fact for one in owners if one.fact.kind in _LOOSE and not one.fact.of_others]
        if subject is None and any(not fact.subject for fact in loosely):
            return None
        respectively = "각각" in sentence and any(one in mentioned for one in owners)
        called = {name for one in cited if subject in names_of(one.fact) for name in names_of(one.fact)}
        named = any(
            one in cited and (_called(one.fact, subject, sentence, figure) or called & set(names_of(one.fact)))
            for one in owners
        )
        return None if respectively or named else "subject"

    def _tables(self, cited: Sequence[Grounds]) -> list[Table]:
        headings = {one.fact.table for one in cited}
        return [one for one in self.evidence.tables if one.heading in headings]

    def _in_table(
        self, signed: Signed, sentence: str, cited: Sequence[Grounds], tables: Sequence[Table]
    ) -> bool | None:
        """Whether a figure comes out over the rows of the tables that are cited; None: it isn't of them."""
        many = counted(signed.figure, sentence, tables)
        if many is None and signed.figure.unit in _LISTED:
            # Another table with as many rows as the sentence speaks of: the same ones compared with a time before.
            named = {
                value for one in self._stated(sentence) if one.figure.unit in _LISTED for value in one.figure.values
            }
            others = [one for one in self.evidence.tables if one not in tables and len(one.rows) in named]
            many = counted(signed.figure, sentence, others) if tables else None
        if many is not None:
            return many
        slip = any(is_slip(signed.figure, other.figure) for one in cited for other in one.figures)
        return True if not slip and summed(signed.figure, sentence, tables) else None

    def _about(self, subject: str | None, cited: Sequence[Grounds]) -> list[Grounds]:
        """The facts that a figure said of `subject` may come from."""
        about = [one for one in cited if subject is None or not one.fact.subject or subject in names_of(one.fact)]
        return about + [g for g in self.grounds.values() if subject in names_of(g.fact) and g not in about]

    def _mentioned(self, sentence: str) -> list[Grounds]:
        return [g for g in self.grounds.values() if any(name in sentence for name in names_of(g.fact))]

    def _of_the_days(self, sentence: str) -> list[Grounds]:
        """What is known of working days, where a sentence reckons by them."""
        word = words()["arithmetic"]["working_days"]
        if word not in sentence and not any(word in text for text in self.evidence.told):
            return []
        return [g for g in self.grounds.values() if word in g.fact.text and not (g.fact.subject or g.fact.table)]

    def _follows(
        self, signed: Signed, sentence: str, cited: Sequence[Grounds], beside: Sequence[Figure], ids: Sequence[str]
    ) -> bool:
        """Whether a figure can be worked out: of what its sentence names, of the user's figures, of what it cites."""
        own, freely = "U" in ids, "U" in ids or PROPOSAL in ids
        recent = [one.figure for one in reversed(self.accepted[-RECENT:])]
        facts = dict.fromkeys(
            [*self._of_the_days(sentence), *self._about(signed.name, cited), *self._mentioned(sentence)]
        )
        said = [*beside, *recent, *self._user]
        given = [*beside, *(other.figure for one in facts for other in one.figures), *recent, *self._user]
        taxed = any(word in text for word in words()["arithmetic"]["taxes"] for text in (sentence, *self.evidence.told))
        for figure in _meanings(signed.figure) if _is_sum(signed.figure) else ():
            slip = any(is_slip(figure, one) for one in given)
            if follows(figure, beside, sentence) or _shown(figure, sentence, beside, taxed=taxed):
                return True
            if figure.date:
                return own and not slip and follows(figure, said, sentence)
            # One digit away from a given figure: only what the words beside it work out would do.
            if slip:
                if anchored(figure, given, sentence) or (freely and computed(figure, beside, beside, sentence)):
                    return True
                continue
            if own and self._own_sum(figure, sentence, beside, said):
                return True
            if taxed and without_tax(figure, given):
                return True
            worded = freely or is_exact(figure) or any(word in sentence for word in words()["arithmetic"]["words"])
            if worded and computed(figure, given, said, sentence):
                return True
        return False

    def _own_sum(self, figure: Figure, sentence: str, beside: Sequence[Figure], said: Sequence[Figure]) -> bool:
        """What follows from the user's figures by themselves, from a list of them, or from what was just said."""
        recent = [one.figure for one in reversed(self.accepted[-NEAREST:])]
        return (
            lasts(figure, said)
            or follows(figure, [*beside, *recent], sentence)
            or self._totals(figure)
            or sums_to(figure, [*beside, *self._user])
        )

    def _totals(self, figure: Figure) -> bool:
        """Whether a figure is what the figures of one message, or those said last, add up to."""
        listed = [[one.figure for one in signed_figures(clocked(text))] for text in self.evidence.told]
        listed += [_lines(text) for text in self.evidence.told]
        listed.append([one.figure for one in self.accepted[-MOST_SAID:]])
        return any(runs_to(figure, one) for one in listed)

    def _in_language(self, sentence: str) -> bool:
        """Whether a sentence is in the answer's language. What stands in quotation marks may be for someone else."""
        if any(sentence.strip("-* ").split(": ")[-1] in fact.text for fact in self.evidence.facts if ": " in sentence):
            return True
        lead, colon, _ = sentence.partition(": ")
        if colon and self.evidence.proposes and sum("가" <= char <= "힣" for char in lead) >= _LEAD:
            return True  # 주문 전에 보여 줘: 我對蝦過敏。 is a text to show
        # Names stay as they are in any language.
        for name in self._subjects if self.language != "ko" else ():
            sentence = sentence.replace(name, "")
        return self._wants_another or self.is_in_script(_QUOTED.sub("", sentence))

    def is_in_script(self, text: str) -> bool:
        """Whether a text is written in the letters of the answer's language, as far as there are enough of them."""
        letters = [char for char in text if char.isalpha()]
        if len(letters) < LETTERS:
            return True
        hangul = Fraction(sum("가" <= char <= "힣" for char in letters), len(letters))
        return hangul >= SHARE if self.language == "ko" else hangul <= 1 - SHARE


def _readable(sentence: str) -> str:
    """A sentence in which only figures are left to be found: without citations and addresses, hours in one form."""
    spans = [item.span for item in find_citations(sentence)] + [m.span() for m in _ADDRESS.finditer(sentence)]
    return clocked(blank(sentence, spans))


def _bare(text: str) -> set[Fraction]:
    """Numbers said without a unit, in digits or in words: 1000에 65, 연세 칠백."""
    text = _MONTH_DAY.sub(" ", text)
    spoken = {one.value for one in numerals(text) if one.hangul and one.value >= _LEAST_SPOKEN}
    return spoken | {Fraction(one.replace(",", "")) for one in _UNITLESS.findall(text)}


def _lines(text: str) -> list[Figure]:
    """The sums of a message's lines, each with its factor where it has one."""
    figures = find_figures(text)
    made = list(products_of(text, figures))
    single = [one for one in figures if not any(p.span[0] <= one.span[0] < p.span[1] for p in made)]
    return sorted([*single, *made], key=lambda one: one.span) if made else []


def _party(text: str) -> list[Figure]:
    """둘이, 친구 셋이서: who goes along, counted."""
    totals = [(one.text, one.value.total) for one in find_people(text) if one.value.total]
    return [Figure("count", words, (0, 0), "명", (Fraction(total),)) for words, total in totals if total]


def _shown(figure: Figure, sentence: str, beside: Sequence[Figure], *, taxed: bool) -> bool:
    """Whether a period lies between days, or a sum before tax is of one, that the same sentence names."""
    if figure.date or not figure.values:
        return False
    months = ((int(m[2]) - int(m[1])) % 12 + 1 for m in _MONTHS.finditer(sentence))
    spans = figure.unit == "개월" and any(many in figure.values for many in months)
    return spans or lasts(figure, beside) or (taxed and without_tax(figure, beside))


def _rests_on_itself(working: Working) -> bool:
    return working.result.span in working.terms


def _is_working(one: Figure, stated: Figure, sentence: str) -> bool:
    """Whether a figure may be what another is worked out of: it is said before it, or in brackets."""
    return one.span < stated.span or "(" in sentence[stated.span[1] : one.span[0]]


def _is_sum(figure: Figure) -> bool:
    """What may come out of others: no number to call, and no factor (× 0.98)."""
    return figure.unit != figure.text and not (not figure.unit and figure.values and abs(figure.values[0]) < _FACTOR)


def _meanings(figure: Figure) -> list[Figure]:
    """7천이 모자라요: what is said without a unit may be a sum in 만원; 61,682,800 is one in 원."""
    if figure.unit or figure.date or figure.kind != "number":
        return [figure]
    scale = 1 if all(value >= _LEAST_WON for value in figure.values) else 10_000
    return [figure, replace(figure, kind="money", unit="원", values=tuple(v * scale for v in figure.values))]


def _called(fact: Fact, subject: str | None, sentence: str, figure: Figure) -> bool:
    """Whether a figure's own thing is called by a part of its name just before it (신혼 디딤돌의 연 2.55%), or by the
    name that it describes (212,800원 남는 알뜰 플랜)."""
    if described := _DESCRIBES.match(sentence, figure.span[1]):
        return any(sentence.startswith(name, described.end()) for name in names_of(fact))
    before = sentence[: figure.span[0]].rstrip("0123456789.,%~∼–- ")
    last = re.split(r"\d|보다", before)[-1]
    near = [word for word in re.split(r"[^A-Za-z가-힣]", last) if len(word) > 1]
    parts = {word[:n] for word in near for n in range(2, len(word) + 1)}
    return any(part in name and part not in (subject or "") for name in names_of(fact) for part in parts)
