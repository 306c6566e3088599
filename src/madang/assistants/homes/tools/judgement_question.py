"""The form of a question whether: may, must or is it so, of which verb, and which way round it is asked.

Read off the morphemes from the end of the clause; the words are a closed list in `judgement_words.toml`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from madang.assistants.homes import data
from madang.text.message import Message
from madang.text.morphemes import Morpheme, morphemes

Frame = Literal["may", "let", "must", "so"]
_SKIPPED = ("SF", "SP", "SE", "SW", "SO", "SS", "JX", "IC", "W_", "EP", "Z_")
_STEMS = ("VV", "VA", "VX", "XSV", "XSA", "VCN", "VCP")
_ALLOWING = frozenset(["되", "괜찮", "좋", "상관없"])
_OTHER_WAY: dict[Frame, Frame] = {"may": "must", "let": "must", "must": "let", "so": "so"}
_LINKS = frozenset([("어", "EC"), ("아", "EC"), ("고", "EC")])
FARTHEST = 3


@dataclass(frozen=True)
class Form:
    """`lemma` of the verb or noun that is asked about; `sign` -1 if the answer yes denies it ("안 내도 되죠?")."""

    frame: Frame
    lemma: str
    sign: int
    stem: tuple[tuple[str, str], ...] = ()


@cache
@data.well_formed("judgement_words.toml")
def words(name: str) -> frozenset[str]:
    """A list of the closed words by its name."""
    return frozenset(data.load("judgement_words.toml")[name])


@cache
@data.well_formed("judgement_words.toml")
def _spoken() -> dict[str, str]:
    return dict(data.load("judgement_words.toml")["spoken"])


@cache
@data.well_formed("judgement_words.toml")
def table(name: str) -> dict[str, str]:
    """A table of the words that stand for another: word → the one it is read as."""
    rows = data.load("judgement_words.toml")[name]
    return {word: first for first, others in rows.items() for word in others}


def plain(text: str) -> str:
    """The text with endings of dialects and chats as they are written."""
    for spoken, written in _spoken().items():
        text = text.replace(spoken, written)
    return text


def asks(text: str) -> bool:
    """Whether a clause asks, and asks whether: it ends as questions do and holds no word that asks what or when."""
    items = morphemes(plain(text))
    if any(item.form in words("wh") for item in items):
        return False
    said = [item for item in items if not item.tag.startswith(("S", "W_"))]
    last = next((item for item in reversed(said) if item.tag != "JX"), None)
    if last is None or last.form in words("telling") or (said[-1].tag == "JX" and said[-1].form in ("은", "는")):
        return False
    if text.rstrip(" ㅋㅎㅠㅜ~.!").endswith(("?", "？")):
        return True
    if last.form in words("musing") and last.tag in ("EF", "EC"):
        form = form_of(text)
        return form is not None and form.frame != "so"
    return last.tag in ("EF", "EC") and last.form in words("asking") | words("confirming")


def asks_whether(text: str) -> bool:
    """Whether any clause of a message does."""
    message = Message(plain(text), date.min)
    return any(asks(message.text[slice(*span)]) for span in message.clauses)


def asks_of_the_act(text: str) -> bool:
    """Whether a message asks whether an act is possible, straight out: "5% 인상 가능해?"."""
    form = form_of(text)
    turning = words("against") | words("forbidden")
    return form is not None and form.frame in ("may", "so") and form.sign > 0 and form.lemma not in turning


def form_of(text: str) -> Form | None:
    """The form of a question; None if it ends in no verb."""
    items = morphemes(plain(text))
    ends = [place for place, item in enumerate(items) if item.tag == "EF"]
    return _Reader(items[: ends[-1] + 1] if ends else items).form()


class _Reader:
    """Reads from the end towards the front: the ending, what wraps the verb, then the verb."""

    def __init__(self, items: Sequence[Morpheme]) -> None:
        self.items = [item for item in items if not item.tag.startswith(_SKIPPED)]
        self.confirms = False
        self.denies = False

    def at(self, place: int) -> tuple[str, str]:
        """Form and tag at a place counted from the end (-1 the last); blanks before the first."""
        if -place > len(self.items):
            return "", ""
        item = self.items[place]
        return item.form, item.tag.split("-")[0]

    def drop(self, count: int = 1) -> None:
        self.items = self.items[: len(self.items) - count]

    def form(self) -> Form | None:
        self._ending()
        self._wrapping()
        found = self._core()
        return _turned(found) if found and self.denies else found

    def _core(self) -> Form | None:
        for read in (self._allowing, self._ability, self._duty, self._becoming):
            if (found := read()) is not None:
                return found
        return self._plain()

    def _ending(self) -> None:
        form, tag = self.at(-1)
        if tag in ("EF", "EC", "ETN"):
            self.confirms = form in words("confirming")
            self.drop()

    def _wrapping(self) -> None:
        """What "-는 거예요", "-는 게 맞나요", "-지 않나요", "불법 아닌가요" ask for stands before them."""
        for _ in range(3):
            form, tag = self.at(-1)
            if tag in ("VCP", "VCN") and self.at(-2)[1] == "NNB" and self.at(-3)[1] == "ETM":
                self.denies ^= tag == "VCN" and self.confirms
                self.drop(3)
            elif (form == "맞" and self.at(-2)[0] in ("것", "거", "게")) or (
                form == "맞" and self.at(-2)[1].startswith("JK") and self.at(-3)[0] in ("것", "거")
            ):
                self.drop(2 if self.at(-2)[1] == "NNB" else 3)
                if self.at(-1)[1] == "ETM":
                    self.drop()
            elif tag == "VCN":
                self.denies ^= self.confirms
                self.drop(2 if self.at(-2)[1].startswith("J") else 1)
            elif form == "않" and self.at(-2)[0] == "지" and self.at(-3)[0] in ("하", "되", "있", "없"):
                self.drop(2)
            else:
                return

    def _allowing(self) -> Form | None:
        """V-어야 하다, V-어도 되다, V-면 안 되다."""
        form, tag = self.at(-1)
        if tag not in ("VV", "VX", "VA", "XSV") or form not in _ALLOWING | {"하"}:
            return None
        denied = self.at(-2)[0] in ("안", "못")
        ending, kind = self.at(-3 if denied else -2)
        if kind != "EC":
            return None
        self.drop(3 if denied else 2)
        if ending.endswith("야"):
            return self._of("must")
        if ending in ("어도", "아도", "도", "더라도") and form != "하":
            found = self._of("let")
            return found and (_turned(found) if denied else found)
        if ending in ("면", "으면") and form == "되":
            found = self._of("let")
            if found and not denied:
                return Form("let", found.lemma, found.sign)
            return found and (_turned(found) if self.confirms else found)
        return None

    def _ability(self) -> Form | None:
        """V-을 수 있다/없다, V-을 방법이 없다, N 가능하다."""
        form, _ = self.at(-1)
        if form in ("있", "없"):
            noun = -3 if self.at(-2)[1].startswith("J") else -2
            if self.at(noun)[0] in ("수", "방법", "길") and self.at(noun - 1)[1] == "ETM":
                self.drop(-noun + 1)
                found = self._of("may")
                return found and (_turned(found) if form == "없" and self.confirms else found)
        return self._noun_asked(("가능", "불가능"), "may", -1)

    def _duty(self) -> Form | None:
        """N 의무가 있다, N이 필요하다/없다."""
        if self.at(-1)[0] in ("있", "없"):
            noun = -3 if self.at(-2)[1].startswith("J") else -2
            if self.at(noun)[0] in ("의무", "필요"):
                sign = -1 if self.at(-1)[0] == "없" else 1
                self.drop(-noun)
                while self.at(-1)[1] in ("ETM", "JKG"):
                    self.drop()
                found = self._of("must")
                return found and (found if sign > 0 else _turned(found))
        return self._noun_asked(("필요", "의무"), "must", -1)

    def _noun_asked(self, nouns: tuple[str, ...], frame: Frame, place: int) -> Form | None:
        form, tag = self.at(place)
        if tag in ("XSA", "XSV", "VCP"):
            place -= 1
            form = self.at(place)[0]
        if form not in nouns:
            return None
        self.drop(-place)
        if self.at(-1)[1].startswith("J"):
            self.drop()
        found = self._of(frame)
        return found and (_turned(found) if form == "불가능" else found)

    def _becoming(self) -> Form | None:
        """N 되다, N이 안 되다: whether it is so."""
        if self.at(-1)[0] != "되":
            return None
        self.drop()
        denied = self.at(-1)[0] in ("안", "못")
        if denied:
            self.drop()
        if self.at(-1)[1].startswith("J"):
            self.drop()
        form, tag = self.at(-1)
        if form in ("것", "거") and self.at(-2)[1] == "ETM":
            self.drop(2)
            found = self._of("let")
            return found and (_turned(found) if denied and self.confirms else found)
        lemma = form if tag.startswith(("N", "XR")) else "되"
        return Form("so", lemma, -1 if denied else 1)

    def _plain(self) -> Form | None:
        return self._of("so")

    def _of(self, frame: Frame) -> Form | None:
        """The verb or noun that now stands last, as asked for in this frame, with its own negation."""
        denied = False
        if self.at(-1)[0] in ("않", "못하", "말") and self.at(-2)[0] == "지":
            denied = True
            self.drop(2)
        stem = self._stem()
        if stem is None:
            return None
        denied ^= any(self.at(place)[0] in ("안", "못") and self.at(place)[1] == "MAG" for place in (-1, -2))
        if stem[0] == "하" and self.at(-1)[0] in ("안", "못") and self.at(-2)[1] == "NNG":
            noun = self.at(-2)
            stem = (noun[0], (noun, ("하", "XSV"), *stem[1][1:]))
        form = Form(frame, stem[0], 1, stem[1])
        if not denied:
            return form
        return Form(_OTHER_WAY[frame], form.lemma, -1, form.stem)

    def _stem(self) -> tuple[str, tuple[tuple[str, str], ...]] | None:
        taken: list[tuple[str, str]] = []
        lemma = ""
        for _ in range(FARTHEST):
            form, tag = self.at(-1)
            if tag == "VX" and self.at(-2) in _LINKS:
                taken = [self.at(-2), (form, tag), *taken]
                lemma = "주" if form == "주" else lemma
                self.drop(2)
                continue
            break
        form, tag = self.at(-1)
        if tag in ("XSV", "XSA") or (tag == "VV" and form in ("하", "받", "당하", "시키") and self._noun_before(form)):
            if self.at(-2)[1].startswith("JKO"):
                self.items.pop(-2)
            noun, kind = self.at(-2)
            self.drop(2)
            return noun + ("받" if form == "받" and noun not in words("given") else ""), (
                (noun, kind),
                (form, tag),
                *taken,
            )
        if tag.startswith(_STEMS) or tag.startswith(("N", "XR")):
            self.drop()
            if tag == "VCP":
                return self._stem()
            if form == "말" and self.at(-2)[0] == "맞":
                form = "맞"
            return form + lemma, ((form, tag), *taken)
        return None

    def _noun_before(self, verb: str) -> bool:
        """Whether a noun makes one word with a light verb: 신고를 하다, 보호받다; but 돈을 받다 are two."""
        if self.at(-2)[1] in ("NNG", "XR"):
            return True
        noun, tag = self.at(-3)
        return self.at(-2)[1] == "JKO" and tag == "NNG" and (verb == "하" or noun in words("given"))


def _turned(form: Form) -> Form:
    return Form(form.frame, form.lemma, -form.sign, form.stem)


def said_back(form: Form, holds: bool) -> str | None:
    """The question's own verb as the answer has it: "내지 않아도 됩니다"; None where only the rule's words fit."""
    from madang.text.morphemes import joined

    if form.frame == "so" or not form.stem or (form.stem[0][1].startswith("N") and len(form.stem) == 1):
        return None
    endings: dict[tuple[str, bool], list[tuple[str, str]]] = {
        ("must", True): [("어야", "EC"), ("하", "VX"), ("ᆸ니다", "EF")],
        ("must", False): [("지", "EC"), ("않", "VX"), ("어도", "EC"), ("되", "VV"), ("ᆸ니다", "EF")],
        ("let", True): [("어도", "EC"), ("되", "VV"), ("ᆸ니다", "EF")],
        ("let", False): [("면", "EC"), ("안", "MAG"), ("되", "VV"), ("ᆸ니다", "EF")],
        ("may", True): [("ᆯ", "ETM"), ("수", "NNB"), ("있", "VA"), ("습니다", "EF")],
        ("may", False): [("ᆯ", "ETM"), ("수", "NNB"), ("없", "VA"), ("습니다", "EF")],
    }
    return joined([*form.stem, *endings[form.frame, holds]]).replace("야합니다", "야 합니다")
