"""One sentence held against its evidence: every figure with its sign, unit and subject, every citation, who does what.

Figures may be said in other forms and may be computed from given ones; both are computed (`figure_claims.py`), never
believed. `known.py` has what they are held against.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from madang.llm.citations import Citation, find_citations, is_cited
from madang.llm.claims import acquittal, party, refuses, verdict, written
from madang.llm.contraries import contradicts
from madang.llm.evidence import Evidence, Fact
from madang.llm.figure_claims import PROPOSAL, FigureClaims
from madang.llm.grounds import Grounds, bigrams, grounds_of, words
from madang.llm.known import ADDRESS, Known
from madang.llm.problems import Problem

__all__ = ["PROPOSAL", "Problem", "Statements"]

# A flight by its number is one that one could look for: it is given or it is made up.
_FLIGHT = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])\d{3,4}(?=\s?편)")
_QUOTED = re.compile(r"[“\"'‘][^“”\"'‘’\n]*[”\"'’]")
# A clause of a text that is drafted: its number begins the line and its title stands in brackets or after it.
_CLAUSE = re.compile(r"^[\s>*-]*+[“\"'‘]?\**+(?P<n>제\s?\d{1,2}\s?조)(?:\s?\(|\**\s|\.|:)")
_OWN_ARTICLE = re.compile(r"\s?제?\s?\d{1,2}\s?조")
_ADVISED = re.compile(r"(?:것이|편이|쪽이|더|으면|다면|려면|뒤에는|까지는)\s*$")
SHARE, LETTERS = Fraction(3, 10), 12
_SAYS_LIKE, _BIDDING = Fraction(1, 5), 6
_LEAD = 4
_OF_LAW = ("article", "judgement", "note", "guide", "finding")
_OBEYS = Fraction(3, 10)
_TOUCHES, _SHORT = Fraction(1, 5), 22


@dataclass
class Statements:
    """The evidence of one answer, ready to hold sentences against."""

    evidence: Evidence
    language: str = "ko"

    def __post_init__(self) -> None:
        self.known = Known(self.evidence)
        self.claims = FigureClaims(self.known)
        self._drafted: set[str] = set()
        self._wants_another = any(word in text for text in self.evidence.told for word in words()["languages"]["asked"])

    @property
    def names(self) -> set[str]:
        """Who and what the facts and tables are of."""
        return self.known.names

    def problem(self, sentence: str, ids: Sequence[str], law: str | None = None) -> Problem | None:
        """What is wrong with a sentence that rests on `ids`; None if nothing is."""
        if refuses(sentence):
            return "refusal"
        # A text to be sent may be in the language of whom it is sent to.
        if not (self.evidence.proposes and PROPOSAL in ids) and not self._in_language(sentence):
            return "language"
        cited = [self.known.grounds[one] for one in ids if one in self.known.grounds]
        cited += self._looked_up(sentence, law)
        if not cited and self._acquits(sentence):
            return "verdict"
        freely = self.evidence.proposes == "sums"
        proposed = bool(self.evidence.proposes) and (PROPOSAL in ids or (freely and not ids))
        return (
            self._citation(sentence, cited, law)
            or self._address(sentence)
            or self._source(sentence, cited)
            or (self.claims.total(sentence, cited) if freely else None)
            or self.claims.problem(sentence, cited, ids, proposed=proposed)
            or party(sentence, cited)
            or verdict(sentence, cited, own="U" in ids)
            or self._contrary(sentence, cited)
        )

    def _contrary(self, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """A sentence says the opposite of its fact in nearly its words."""
        texts = [f"{one.fact.text}\n{one.fact.says}" for one in cited]
        return "verdict" if contradicts(sentence, texts, self.evidence.told) else None

    def accept(self, sentence: str) -> None:
        """A sentence was said: those after it may come back to its figures."""
        self.known.accepted += self.known.stated(sentence)

    def _acquits(self, sentence: str) -> bool:
        """Whether a sentence says that all is well, resting on nothing, where something was found or couldn't be looked
        at. What is only the safer way (…하는 것이 안전해요), or well under a condition, acquits nobody."""
        found = [g for g in self.known.grounds.values() if g.fact.must or g.fact.heed]
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
        allowed = [item for one in (*cited, self.known.user) for item in one.citations]
        found = find_citations(sentence, law)
        for item in found:
            if self._of_the_text(item, sentence) or written(item, sentence, cited):
                continue
            if (item.article or item.decision or cited) and not is_cited(item, allowed):
                known = [other.law for one in self.known.grounds.values() for other in one.citations]
                if item.article or item.decision or item.law not in known:
                    return "citation"
            elif item.article and len(found) == 1 and self._is_of_another(item, sentence, cited):
                return "citation"
        return None

    def _is_of_another(self, item: Citation, sentence: str, cited: Sequence[Grounds]) -> bool:
        """Whether a sentence says what another of its facts says, which is of another article than it names."""
        pieces = bigrams(sentence.replace(item.text, ""))
        own = others = Fraction(0)
        for one in cited:
            if one.fact.kind not in _OF_LAW or not one.citations:
                continue
            like = Fraction(len(pieces & bigrams(one.fact.text)), max(1, len(pieces)))
            if is_cited(item, one.citations):
                own = max(own, like)
            else:
                others = max(others, like)
        return others >= _SAYS_LIKE and others >= own * Fraction(3, 2)

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
        said = [match.group() for pattern in (ADDRESS, _FLIGHT) for match in pattern.finditer(sentence)]
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
        for other in self.known.grounds.values():
            if other.fact.of_others and id(other.fact) not in named:
                like = len(pieces & bigrams(other.fact.text))
                if like > own and Fraction(like, max(1, len(pieces))) >= _OBEYS:
                    return "source"
        return None

    def _in_language(self, sentence: str) -> bool:
        """Whether a sentence is in the answer's language. What stands in quotation marks may be for someone else."""
        if any(sentence.strip("-* ").split(": ")[-1] in fact.text for fact in self.evidence.facts if ": " in sentence):
            return True
        lead, colon, _ = sentence.partition(": ")
        if colon and self.evidence.proposes and sum("가" <= char <= "힣" for char in lead) >= _LEAD:
            return True  # 주문 전에 보여 줘: 我對蝦過敏。 is a text to show
        # Names stay as they are in any language.
        for name in self.known.subjects if self.language != "ko" else ():
            sentence = sentence.replace(name, "")
        return self._wants_another or self.is_in_script(_QUOTED.sub("", sentence))

    def is_in_script(self, text: str) -> bool:
        """Whether a text is written in the letters of the answer's language, as far as there are enough of them."""
        letters = [char for char in text if char.isalpha()]
        if len(letters) < LETTERS:
            return True
        hangul = Fraction(sum("가" <= char <= "힣" for char in letters), len(letters))
        return hangul >= SHARE if self.language == "ko" else hangul <= 1 - SHARE
