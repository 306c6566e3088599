"""The patterns of how people count people; `people.py` adds them up."""

import re
from typing import Literal

Group = Literal["adults", "children", "infants"]

_WORD = r"하나|한|둘|두|셋|세|서|넷|네|너|다섯|여섯|일곱|여덟|여덜|아홉|열"
_COUNT = rf"(?:\d{{1,3}}|{_WORD})"
_COUNT_WORDS = r"(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|여덜|아홉|열|\d{1,2})"
_MEMBER = (
    r"(?:명|(?<![\d\s])분(?!기|간|의|거리|정도)|(?<=[가-힣]\s)분(?!기|간|의|거리|정도)|사람|(?:(?<=\d)|(?<=\d\s))인(?!당|실|용"
    r"|승|치|분|덕|천|정|상|기))"
)
_NOT_PEOPLE = r"(?!\s?당|\s?실|[용승]|\s?이상\s?고장)"
GROUPS: dict[Group, str] = {
    "adults": r"성인|어른|대인|부모|할머니\s?할아버지",
    "children": (
        r"초등학생|초등생|초딩|중학생|중딩|고등학생|고딩|아이들?|애들?|아동|어린이|소인|자녀|딸|아들|꼬맹이"
        r"|미취학|청소년|학생"
    ),
    "infants": r"유아|영아|아기|애기|갓난아기|갓난쟁이|돌쟁이|신생아|베이비",
}
GROUP_RE = re.compile(
    "|".join(rf"(?P<{name}>{words})" for name, words in GROUPS.items()).join(
        (r"(?:(?<![가-힣])|(?<=[둘셋넷섯명분인])|(?<=하나))(?:", ")")
    )
    + (
        rf"\s?(?P<particle>가|이|는|은|만)?\s?(?P<count>{_COUNT})(?!\s?[살세]\b|\s?[살세]짜리|\d|학년|월|박"
        rf"|일)\s?(?:명|분|인|사람)?"
    )
)
COUPLE = re.compile(r"(?:우리|저희)?\s?(?:신혼\s?부부|(?<![가-힣])부부|커플|연인)(?:끼리|여행)?")
COUPLES = re.compile(r"(?:부부|커플)\s?(?P<count>두|세|네|\d)\s?쌍|(?P<other>두|세|네|\d)\s?(?:쌍|커플)")
SPOUSE = re.compile(
    r"(?:와이프|아내|남편|신랑|신부|집사람|여자\s?친구|남자\s?친구|여친|남친|애인)(?:랑|이랑|하고|와|과)"
)
ALONE = re.compile(r"(?<![가-힣])(?:나\s?|저\s?)?(?:혼자|홀로|혼행|혼여|나홀로|솔로|혼코|솔플)")
FAMILY = re.compile(
    rf"(?P<a>{_COUNT})\s?인\s?가족|(?P<b>{_COUNT})\s?식구|가족\s?(?P<c>{_COUNT_WORDS})(?:이서|이|명)?(?![가-힣\d월박])"
)
MEMBERS = re.compile(
    rf"(?<![\d.,])(?:(?P<low>\d{{1,2}})\s?[~-]\s?)?(?P<count>{_COUNT}|서너|두세|두어|대여섯|네다섯"
    rf"|너댓)\s?{_MEMBER}{_NOT_PEOPLE}"
)
# 20분 is minutes, unless those are seated, invited or brought along.
HONOURED = re.compile(
    r"(?<![\d.,])(?P<count>\d{1,3})\s?분(?=이?\s?(?:모시|모실|오시|오실|참석|예약|식사|앉|입장|초대|계시|드실))"
)
TOGETHER = re.compile(
    r"(?:(?<![가-힣\d])|(?<=여자)|(?<=남자))단?(?P<count>하나|둘|셋|넷|다섯|여섯|일곱|여덟|여덜|아홉|열)(?P<tail>이서|이(?=\s|$|요|서"
    r"|가|[,.!?])|서|끼리|만(?=\s|$|요|이)|이에요|이요|입니다|요|이고|이랑|(?=\s?(?:갈|가요|가려|간다|여행|$|[,.!?])))"
)
INCLUDING = re.compile(
    r"(?:까지|포함|해서|모시고|합쳐서?|이렇게|랑|하고|다\s?해서|더해서?|총|전부|모두)\s?(?:총|다|전부|모두)?\s?"
    rf"(?P<count>{_COUNT_WORDS})(?:이서|이(?=$|\s|요|에요|서)|명|(?![가-힣\d/.만억천~-]|\s?(?:박|일|월|만|평|시|층)))"
)
_KIN = (
    r"(?:엄마|아빠|어머니|아버지|장모님?|장인어른|시어머니|시아버지|동생|친구|언니|오빠|누나|형|할머니"
    r"|할아버지|이모|고모|남편|아내|와이프|딸|아들)"
)
FRIENDS = re.compile(
    rf"(?:친구들?|동료들?|동기들?|후배들?|선배들?|언니들?|자매들?)\s?(?P<count>{_COUNT})\s?(?:명"
    rf"|분)?(?:이랑|랑|하고|과|와)(?![가-힣])"
)
SEXES = re.compile(
    rf"(?:남자|남성|남)\s?(?P<a>{_COUNT_WORDS})\s?명?[\s,]*(?:여자|여성|여)\s?(?P<b>{_COUNT_WORDS})(?:\s?명)?|(?:여자"
    rf"|여성|여)\s?(?P<c>{_COUNT_WORDS})\s?명?[\s,]*(?:남자|남성|남)\s?(?P<d>{_COUNT_WORDS})(?:\s?명)?"
)
SIBLINGS = re.compile(rf"(?<![가-힣\d])(?P<count>{_COUNT})\s?(?:자매|형제|남매)")
FROM_TO = re.compile(rf"(?<!\d){_COUNT}\s?명에서\s?(?P<count>{_COUNT})\s?명(?:으로)?")
WITH_ME = re.compile(
    rf"(?<![가-힣])(?:저|나)(?:랑|하고|와)\s?(?:친구들?|동생들?|언니들?"
    rf"|동료들?)\s?(?P<count>{_COUNT})(?:\s?명)?(?![가-힣\d])"
)
_PERSON = rf"(?:{_KIN}|저|나)"
LISTED_PEOPLE = re.compile(
    rf"(?<![가-힣]){_PERSON}(?:(?:이?랑|하고|와|과|,)?\s?,?{_PERSON}){{1,9}}(?=$|[\s,.!?]|이?랑|요|이요|하고"
    rf"|이렇게)(?!\s?[가-힣]*도)"
)
ONE_PERSON = re.compile(_PERSON)
PAIR = re.compile(r"(?<![가-힣])(?:모녀|부자|모자|부녀|자매|형제|남매)(?=\s?(?:여행|끼리|가|간|둘|$))")
PARENTS = re.compile(
    rf"부모님(?:이랑|하고|과|\s?모시고)(?!\s?(?:저\s?)?(?:다\s?)?(?:{_COUNT_WORDS}(?![월일박/.\d]|\s?[월일박])|{_COUNT}\s?명"
    rf"|이렇게))(?:\s?저(?:희)?(?![가-힣]))?"
)
WITH_CHILD = re.compile(
    r"(?<![가-힣])(?:(?P<infants>애기|아기|갓난아기)|(?P<children>아이|애|초등학생|초등생|초딩|딸"
    r"|아들))\s?(?:데리고|동반)"
)
ONLY = re.compile(r"\s*(?P<count>[1-9]|1\d|20)\s?[.!]?\s*")
VAGUE = {"서너": (3, 4), "두세": (2, 3), "두어": (2, 3), "대여섯": (5, 6), "네다섯": (4, 5), "너댓": (4, 5)}

_SUBJECT = rf"(?P<count>{_COUNT})\s?(?:명|분|사람)?\s?(?:은|는|이|가|도|만)?\s?"
_LEAVE = (
    r"(?:(?:참석|참가|동행)\s?(?:못|안|불)|빠[지진질져졌짐]|못\s?[가간갈온오와]|안\s?[가간갈온오와]"
    r"|빼|제외|취소|줄[어었]|불참|덜|포기)"
)
_JOIN = r"(?:더|추가|늘[어었]|합류|플러스|같이\s?간대|온대|껴|끼)"
LEAVE_RE = re.compile(rf"(?<![가-힣\d]){_SUBJECT}{_LEAVE}[가-힣]*")
JOIN_RE = re.compile(rf"(?<![가-힣\d]){_SUBJECT}{_JOIN}[가-힣]*")
KIN_LEAVES_RE = re.compile(rf"{_KIN}(?:은|는|이|가|님은|님이)?\s?{_LEAVE}[가-힣]*")
ALSO_RE = re.compile(
    r"(?:엄마|아빠|어머니|아버지|장모님|장인어른|시어머니|시아버지|동생|친구|언니|오빠|누나|형|할머니|이모"
    r"|고모|남편|아내|와이프)도\s?(?:같이\s?|함께\s?)?(?:간대|가신대|온대|오신대|가기로|가요|갈|합류|추가"
    r"|데려|모시고)[가-힣]*"
)
LINK = re.compile(
    r"[\s,+&·]*(?:이?랑|와|과|하고|에|이고|그리고|데리고|모시고|명|포함(?:해서|하여|한)?)?[\s,+&·]*"
    r"(?:\d{1,2}\s?(?:살|세|개월)\s?(?:짜리\s?)?)?"
)
