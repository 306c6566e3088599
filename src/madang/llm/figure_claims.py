"""The figures of one sentence held against what is known: given as they are said, or computed from what is given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
from madang.llm.calendar import days_told, is_in_calendar, is_near, whole_months
from madang.llm.directions import is_turned
from madang.llm.evidence import Fact, Table
from madang.llm.figures import Figure, find_figures
from madang.llm.grounds import Grounds, Signed, clocked, names_of, signed_figures, words
from madang.llm.known import Known, meanings, readable
from madang.llm.misstated import is_beyond, is_misnamed, is_on_the_other_side
from madang.llm.problems import Problem
from madang.llm.proposals import is_general, is_shapely
from madang.llm.tables import counted, is_ranked, limits, summed
from madang.llm.workings import Working, find_workings, holds, products_of

_LASTS = re.compile(r"\s?(?:[~∼–-]|전|동안|이상|이내|이하|안에|안쪽|치|간(?![가-힣])|째|마다|정도|쯤|만에|이면|걸)")
_RANGED = re.compile(r"\d\s?[~∼]\s?$")
_DAYS = re.compile(r"(?P<first>\d{1,2})\s?[~∼–-]\s?(?P<last>\d{1,2})일(?!\s?(?:걸|정도|쯤|동안|이내|치))")
_DAYS_TO = re.compile(r"(?<!\d)(?P<first>\d{1,2})\s?[~∼–-]\s?(?P<last>\d{1,2})일$")
_DESCRIBES = re.compile(r"\s?[가-힣]{0,6}[는인의한던]\s")
_MONTHS = re.compile(r"(?<!\d)(\d{1,2})\s?월?\s?[~∼–-]\s?(\d{1,2})\s?월")
_OPPOSITE = {"up": "down", "down": "up", "left": "short", "short": "left"}
RECENT, NEAREST, MOST_SAID = 12, 3, 40
_LOOSE = ("guide", "note", "plan")
_COUNTED = ("row", "figure", "plan")
_LISTED, _FEW, _YEAR = ("곳", "개", "건", "명", "채", "세대", "층"), 10, 12
_SHORT_STAY, _FACTOR, _SUPPOSED, _LONG = 4, 2, 12, 6
PROPOSAL = "P"


@dataclass
class FigureClaims:
    """What the figures of sentences claim."""

    known: Known

    def _plain(self, figure: Figure, sentence: str, cited: Sequence[Grounds]) -> bool:
        """A number that no data is needed for: a small count of things that are listed, a day of a known date, a number
        to call."""
        if figure.text.strip() in words()["phones"]["numbers"] or figure.text.startswith("한 "):
            return True
        if figure.text == figure.unit and any(figure.text in fact.text for fact in self.known.evidence.facts):
            return True
        if figure.unit == "개월" and any(whole_months(one.fact.text) & set(figure.values) for one in cited):
            return True
        if self._is_day(figure, sentence, cited) or (not figure.unit and self._is_year(figure)):
            return True
        spoken = not any(char.isdecimal() for char in figure.text) and all(value <= _FEW for value in figure.values)
        if figure.unit in _LISTED and (spoken or (len(cited) > 1 and len(cited) in figure.values)):
            return True
        few = figure.unit in _LISTED and all(value <= _FEW for value in figure.values)
        told = [*(other.figure for one in cited for other in one.figures), *self.known.proposals.given]
        return few and not any(is_alike(other, figure) for other in told)

    def _own(self, figure: Figure) -> bool:
        """What a sentence on the user's own matters may count by itself: months of a year, nights, a day they named."""
        if figure.date:
            named = figure.date[1] in self.known.months
            if figure.date[2] is None and self._is_later(figure):
                return True
            told = [one.date for one in self.known.own if one.date and one.date[0] and one.date[1] == figure.date[1]]
            if figure.date[2] is None and named:
                return not told or figure.date[0] in (None, *(one[0] for one in told))
            return figure.date[2] in self.known.days and (
                named or not any(is_slip(figure, one) for one in self.known.own)
            )
        counted = figure.unit in ("개월", "박", "일", "주") and not figure.text[:1].isdecimal()
        same_unit = [one for one in self.known.proposals.given if one.unit == figure.unit and one.values]
        counted = counted and not any(1 < one.values[0] <= _YEAR for one in same_unit)
        most = _YEAR if counted else _SHORT_STAY if figure.unit == "박" else 0
        return _is_sum(figure) and all(value <= most for value in figure.values)

    def _can_be(self, sentence: str, text: str, stated: Sequence[Signed], *, proposed: bool) -> bool:
        """Whether days and ranges can be as they are said, whatever the evidence says."""
        if not is_shapely(text, [one.figure for one in stated]) or not is_in_calendar(sentence, self.known.today):
            return False
        return not any(self._is_other_year(one, proposed=proposed) for one in stated)

    def _is_rate(self, figure: Figure, cited: Sequence[Grounds]) -> bool:
        """× 0.96: a share that is given in per cent, or what it leaves or makes of a sum."""
        if figure.unit or not figure.values or not 0 < figure.values[0] < 2:
            return False
        known = [*(other.figure for one in cited for other in one.figures), *self.known.own]
        shares = [value / 100 for one in known if one.unit == "%" for value in one.values]
        return any(figure.values[0] in (share, 1 - share, 1 + share) for share in shares)

    def _is_year(self, figure: Figure) -> bool:
        return bool(figure.values) and self.known.years.issuperset(figure.values)

    def _is_later(self, figure: Figure) -> bool:
        """2029년 5월, ten years after a month that the user names, where a fact names ten years."""
        facts = [other.figure for one in self.known.grounds.values() for other in one.figures]
        return is_moved(figure, self.known.own, [*facts, *self.known.own])

    def _is_other_year(self, signed: Signed, *, proposed: bool) -> bool:
        """2021년 2월 28일 where nothing is of that year, nor was the last such day."""
        day = signed.figure.date
        if not (day and day[0] and self.known.years) or day[0] in self.known.years or self._is_later(signed.figure):
            return False
        return not is_near(day, self.known.today, history=proposed)

    def _is_day(self, figure: Figure, sentence: str, cited: Sequence[Grounds]) -> bool:
        """18일까지: the day of a date that a cited fact or the user names, or that was said before; no length."""
        known = [*(other.figure for one in cited for other in one.figures), *self.known.own]
        known += [one.figure for one in self.known.accepted]
        days = {other.date[2] for other in known if other.date}
        if (span := _DAYS.match(sentence, figure.span[0])) or (span := _DAYS_TO.search(sentence, 0, figure.span[1])):
            # 11월 1~18일: a range of known days.
            return {int(span["first"]), int(span["last"])} <= days
        if _LASTS.match(sentence, figure.span[1]) or _RANGED.search(sentence, 0, figure.span[0]):
            return False
        return figure.unit == "일" and any(value in days for value in figure.values)

    def total(self, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """A total of what was proposed must add up."""
        values = {
            v for one in (self.known.user, *self.known.grounds.values()) for o in one.figures for v in o.figure.values
        }
        values |= {value * 10_000 for value in self.known.bare}
        own = {value for one in cited for signed in one.figures for value in signed.figure.values}
        money = [signed.figure for one in cited for signed in one.figures]
        added = any(runs_to(one.figure, money) for one in self.known.stated(sentence) if one.figure.unit == "원")
        return None if self.known.proposals.total(sentence, values, own) or added else "figure"

    def problem(
        self, sentence: str, cited: Sequence[Grounds], ids: Sequence[str], *, proposed: bool = False
    ) -> Problem | None:
        """Figures that stand in the evidence first; the others must follow from these. Workings that are shown hold."""
        own, text = "U" in ids, readable(sentence)
        stated = signed_figures(text, self.known.subjects)
        if not self._can_be(sentence, text, stated, proposed=proposed):
            return "figure"
        if is_turned(stated, text) or any(is_on_the_other_side(self.known, one, text, stated, cited) for one in stated):
            return "sign"
        workings = list(find_workings(text, [one.figure for one in stated]))
        if any(not holds(one, text) for one in workings):
            return "figure"
        results = {one.result.span for one in workings}
        terms = {span for one in workings for span in one.terms}
        beside: list[Figure] = [one.result for one in workings if not _rests_on_itself(one)]
        beside += days_told([text], self.known.today) if "/" in text else []
        left: list[tuple[Signed, Problem]] = []
        for signed in stated:
            figure = signed.figure
            if figure.span in results:
                continue
            known = (own and self._own(figure)) or (not ids and is_general(figure, text, self.known.own))
            # A count in a working that comes out: another would not.
            known = known or (own and figure.span in terms and figure.kind == "count")
            known = known or (bool(workings) and figure.text == "1년") or _is_supposed(figure, text)
            # What stands in a working is of whatever it is reckoned from.
            named = replace(signed, name=None) if figure.span in terms else signed
            readings = [replace(named, figure=one) for one in meanings(figure)]
            found = [self._unfounded(one, text, cited) for one in readings] if not known else [None]
            wrong = None if None in found else found[0]
            if wrong == "sign" and not proposed:
                return wrong
            if wrong is None:
                beside += meanings(signed.figure)
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
        tables = self.known.tables_of(cited)
        compared = {one.span for signed in self.known.stated(text) for one in limits(signed.figure, text, tables)}
        # Workings in brackets first: what they come to stands before them.
        for signed, wrong in sorted(left, key=lambda pair: not _is_bracketed(pair[0].figure, text)):
            if signed.figure.span in compared:
                continue
            in_table = self._in_table(signed, text, cited, tables)
            if in_table is False:
                return "figure"
            if not in_table and proposed and self.known.proposals.allows(signed.figure, text, cited, own="U" in ids):
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
        if is_beyond(self.known, figure, sentence, cited):
            return "sign"
        if (
            self._is_rate(figure, cited)
            or any(same(figure, other) for other in self.known.own)
            or self._plain(figure, sentence, cited)
        ):
            return None
        about = self.known.about(subject, cited, sentence)
        fits = [
            other
            for one in about
            for other in one.figures
            if same(figure, other.figure) and (one.fact.subject or subject is None or other.name in (None, subject))
        ]
        if fits:
            if is_misnamed(self.known, figure, sentence, about):
                return "subject"
            against = signed.sign and all(other.sign == _OPPOSITE[signed.sign] for other in fits)
            return "sign" if against else None
        before = [one for one in self.known.accepted if same(figure, one.figure)]
        if any(None in (subject, one.name) or subject == one.name for one in before):
            return None
        tables = {one.fact.table for one in cited if one.fact.table}
        loose = [
            g for g in self.known.grounds.values() if g.fact.kind in _COUNTED and (not cited or g.fact.table in tables)
        ]
        if subject is None and any(same(figure, other.figure) for one in loose for other in one.figures):
            return None
        mentioned = self.known.mentioned(sentence)
        rows = [g for g in self.known.grounds.values() if g.fact.kind == "row"]
        groups = (cited, [one for one in cited if one.fact.kind == "row"], mentioned, rows)
        if any(same(figure, total) for group in groups for total in totals_of(group, figure.unit)):
            return None
        owners = [
            g for g in self.known.grounds.values() if g not in about and any(same(figure, o.figure) for o in g.figures)
        ]
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

    def _in_table(
        self, signed: Signed, sentence: str, cited: Sequence[Grounds], tables: Sequence[Table]
    ) -> bool | None:
        """Whether a figure comes out over the rows of the tables that are cited; None: it isn't of them."""
        if signed.figure.unit == "위" and tables:
            return is_ranked(signed.figure, sentence, tables)
        many = counted(signed.figure, sentence, tables)
        if many is None and signed.figure.unit in _LISTED:
            # Another table with as many rows as the sentence speaks of: the same ones compared with a time before.
            named = {
                value
                for one in self.known.stated(sentence)
                if one.figure.unit in _LISTED
                for value in one.figure.values
            }
            others = [one for one in self.known.evidence.tables if one not in tables and len(one.rows) in named]
            many = counted(signed.figure, sentence, others) if tables else None
        if many is not None:
            return many
        slip = any(is_slip(signed.figure, other.figure) for one in cited for other in one.figures)
        return True if not slip and summed(signed.figure, sentence, tables) else None

    def _of_the_days(self, sentence: str) -> list[Grounds]:
        """What is known of working days, where a sentence reckons by them."""
        word = words()["arithmetic"]["working_days"]
        if word not in sentence and not any(word in text for text in self.known.evidence.told):
            return []
        return [g for g in self.known.grounds.values() if word in g.fact.text and not (g.fact.subject or g.fact.table)]

    def _follows(
        self, signed: Signed, sentence: str, cited: Sequence[Grounds], beside: Sequence[Figure], ids: Sequence[str]
    ) -> bool:
        """Whether a figure can be worked out: of what its sentence names, of the user's figures, of what it cites."""
        own, freely = "U" in ids, "U" in ids or PROPOSAL in ids
        recent = [one.figure for one in reversed(self.known.accepted[-RECENT:])]
        facts = dict.fromkeys(
            [
                *self._of_the_days(sentence),
                *self.known.about(signed.name, cited, sentence),
                *self.known.mentioned(sentence),
            ]
        )
        said = [*beside, *recent, *self.known.own]
        stated = [other.figure for one in facts for other in one.figures]
        # What the user said first: only so many are reckoned with.
        given = [*beside, *self.known.own, *stated, *recent] if own else [*beside, *stated, *recent, *self.known.own]
        taxed = any(
            word in text for word in words()["arithmetic"]["taxes"] for text in (sentence, *self.known.evidence.told)
        )
        for figure in meanings(signed.figure) if _is_sum(signed.figure) else ():
            slip = any(is_slip(figure, one) for one in given)
            if follows(figure, beside, sentence) or _shown(figure, sentence, beside, taxed=taxed):
                return True
            if min(figure.values, default=0) >= _LONG and lasts(figure, [*beside, *self._days(sentence, stated)]):
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

    def _days(self, sentence: str, stated: Sequence[Figure]) -> list[Figure]:
        """The days of the cited facts, and today where the sentence reckons from it or to a day that is left."""
        known = [*(one for one in stated if one.date), *(one for one in self.known.own if one.date)]
        if any(word in sentence for word in words()["supposed"]["today"]):
            return known
        return [one for one in known if one.text != self.known.today]

    def _own_sum(self, figure: Figure, sentence: str, beside: Sequence[Figure], said: Sequence[Figure]) -> bool:
        """What follows from the user's figures by themselves, from a list of them, or from what was just said."""
        recent = [one.figure for one in reversed(self.known.accepted[-NEAREST:])]
        return (
            lasts(figure, said)
            or follows(figure, [*beside, *recent], sentence)
            or self._totals(figure)
            or sums_to(figure, [*beside, *self.known.own])
        )

    def _totals(self, figure: Figure) -> bool:
        """Whether a figure is what the figures of one message, or those said last, add up to."""
        listed = [[one.figure for one in signed_figures(clocked(text))] for text in self.known.evidence.told]
        listed += [_lines(text) for text in self.known.evidence.told]
        listed.append([one.figure for one in self.known.accepted[-MOST_SAID:]])
        return any(runs_to(figure, one) for one in listed)


def _lines(text: str) -> list[Figure]:
    """The sums of a message's lines, each with its factor where it has one."""
    figures = find_figures(text)
    made = list(products_of(text, figures))
    single = [one for one in figures if not any(p.span[0] <= one.span[0] < p.span[1] for p in made)]
    return sorted([*single, *made], key=lambda one: one.span) if made else []


def _shown(figure: Figure, sentence: str, beside: Sequence[Figure], *, taxed: bool) -> bool:
    """Whether a period lies between days, or a sum before tax is of one, that the same sentence names."""
    if figure.date or not figure.values:
        return False
    months = ((int(m[2]) - int(m[1])) % 12 + 1 for m in _MONTHS.finditer(sentence))
    spans = figure.unit == "개월" and any(many in figure.values for many in months)
    return spans or lasts(figure, beside) or (taxed and without_tax(figure, beside))


def _rests_on_itself(working: Working) -> bool:
    return working.result.span in working.terms


def _is_bracketed(figure: Figure, sentence: str) -> bool:
    before = sentence[: figure.span[0]]
    return before.count("(") > before.count(")")


def _is_supposed(figure: Figure, sentence: str) -> bool:
    """예컨대 6억 2천 전세로 옮긴다면: a sum that is only supposed."""
    before = sentence[max(0, figure.span[0] - _SUPPOSED) : figure.span[0]]
    return figure.kind == "money" and any(word in before for word in words()["supposed"]["words"])


def _is_working(one: Figure, stated: Figure, sentence: str) -> bool:
    """Whether a figure may be what another is worked out of: it is said before it, or in brackets."""
    return one.span < stated.span or "(" in sentence[stated.span[1] : one.span[0]]


def _is_sum(figure: Figure) -> bool:
    """What may come out of others: no number to call, and no factor (× 0.98)."""
    return figure.unit != figure.text and not (not figure.unit and figure.values and abs(figure.values[0]) < _FACTOR)


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
