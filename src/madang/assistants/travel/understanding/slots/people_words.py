"""The words by which people and those they take along are named."""

import re
from dataclasses import dataclass

from madang.text.numbers import parse_number

ADULT_KIN = (
    r"처형|동서|시동생|시숙|아주버님|형님|영감님?|할멈|할아범|사돈|보살님|집사님|권사님|계원|처남댁|친정\s?식구|친정\s?엄마|친정\s?어머니|친정\s?아빠|시엄마|외할머니|외할아버지|어머니|아버지|어머님|아버님|엄마|아빠|장모님?|장인어른|장인"
    r"|시어머니|시아버지|시누이?|형부|형수님?|처제|처남|제부|매형|매제|올케|도련님|새언니|사촌|막내|여동생|남동생|동생|언니|오빠|누나|형|할머니"
    r"|할아버지|이모부|이모|고모부|고모|삼촌|숙모|남편|신랑|아내|와이프|집사람|마누라|여친|남친|여자\s?친구|남자\s?친구|애인|여사친|남사친"
    r"|룸메이트|룸메|절친|베프|직장\s?동료|회사\s?동료|동료|선배|후배|동기|친구|지인|상사|팀장님?|며느리|사위|예비\s?신랑|예비\s?신부"
)
CHILD_KIN = r"(?:큰|작은|막내|외동)?(?:딸내미|딸아이|아들내미|딸|아들)|조카|손자|손녀|손주"
_COUNT_WORDS = r"하나|둘(?!째)|셋(?!째)|넷(?!째)|다섯|여섯|\d{1,2}(?!\s?만)"
_NOT_A_COUNT = r"(?!\d|\s?(?:살|세(?![가-힣])|박|일(?!행)|월|천|백|개월|학년|시(?![가-힣])|번|주|%|/\d|~\s?\d))"


def counted_as(name: str) -> str:
    """A number after a noun: 둘, 2명, 두 명."""
    standing = rf"(?:{_COUNT_WORDS}){_NOT_A_COUNT}"
    before_counter = r"(?:한|두|세|네|다섯|여섯)(?=\s?(?:명|분))"
    return rf"(?:\s?(?P<{name}>{standing}|{before_counter})(?:\s?(?:명|분))?)?"


PAIR = 2
COMPANION = re.compile(
    r"님?(?:도\s?)?(?:(?:이랑|랑|하고|와|과)(?![가-힣])|(?:이랑|랑|하고)(?=[가-힣])|\s?[,+&/]|\s?(?:을|를)?\s?(?:모시고|데리고|데려|동반)|까지|\s?이렇게|(?:이랑|랑)?\s?(?:같이|함께)|이요|요$|에(?=\s(?:저희|우리|저|나|부부|초등|아이|애|손주|아기|유아|어린이|◇)))"
)
LINK_BEFORE = re.compile(
    rf"(?:이랑|랑|하고|와|과|[+&(:]|모시고|데리고|그리고)\s?$|(?:{ADULT_KIN}|◇|나|저|명|하나|둘|셋|부부|부모님)\s?[,/]\s?$"
)
PARTY_ITSELF = re.compile(r"(?:이서|서\s|끼리|만(?![가-힣]*원))")


@dataclass(frozen=True)
class Roster:
    """Who was named. `others` are grown or of unknown age and don't count the speaker (nor a couple they are half of);
    `open` when someone of unknown number goes along (애들, 친구들); spans are the letters that named them."""

    others: int = 0
    children: int = 0
    infants: int = 0
    couple: bool = False
    open: bool = False
    speaker: bool = False
    parents: bool = False
    named: int = 0
    last_count: int = 0
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def young(self) -> int:
        return self.children + self.infants

    @property
    def grown(self) -> int:
        """The adults with the speaker, who always goes along; 0 when no adult was named."""
        if self.parents and self.young and self.others >= PAIR and not self.speaker:
            return self.others
        with_speaker = self.others or self.couple or (self.speaker and self.young)
        return self.others + (2 if self.couple else 1) if with_speaker else 0


def count_of(word: str | None) -> int | None:
    return int(parse_number(word.strip()) or 0) or None if word else None
