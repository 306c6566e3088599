"""Personal numbers in free text: found by shape, told apart from dates, money, ids and measurements.

One regular expression proposes candidates, plain functions judge them. What must stay (ids, times, money, decimals)
is proposed first and kept, so that no part of it is taken for something else.
"""

import re

RESIDENT, PHONE, ACCOUNT, CARD, EMAIL = "[주민번호]", "[전화번호]", "[계좌번호]", "[카드번호]", "[이메일]"
# Numbers to call in need are nobody's own: 영사콜센터, 우도 뱃길, 서울시 전월세 상담.
PUBLIC = frozenset({"82232100404", "0232100404", "0647825671", "0221331200"})

_DASH = r"[-‐‑–—−]"
_GAP = rf"[\s.]?{_DASH}?[\s]?"
_BEFORE = r"(?<![0-9A-Za-z_])(?<!\d[.\-])"
_AFTER = r"(?![0-9A-Za-z_])(?!-\d)(?!\.\d)"
_AREA = r"(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|80|50[2-8]?)"

_KINDS = {
    "kept": "|".join(
        (
            r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![0-9A-Za-z])",
            r"(?<![\d-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d]|-\d)",
            r"(?<![\d.])\d{1,3}(?:,\d{3})+(?!\d)",
            r"(?<![\d.\-])(?!0)\d++(?=\s?(?:원(?![하래룸장본칙인])|만\s?원|만원|억|천만|달러|엔\b|KRW|won\b|%))",
        )
    ),
    "resident": rf"{_BEFORE}\d{{6}}(?:\s?{_DASH}\s?|\s)[1-8]\d{{6}}{_AFTER}",
    "phone": "|".join(
        (
            rf"{_BEFORE}(?:\(01[016789]\)|01[016789]\)?){_GAP}\d{{3,4}}{_GAP}\d{{4}}{_AFTER}",
            rf"(?<![0-9A-Za-z_+])(?:(?:\+|00)\s?82{_GAP}|82{_DASH})\(?0?\)?{_GAP}(?:1[016789]|{_AREA}){_GAP}"
            rf"\d{{3,4}}{_GAP}\d{{4}}{_AFTER}",
            rf"{_BEFORE}(?:\(0{_AREA}\)\s?|0{_AREA}(?:\)\s?|\s?{_DASH}\s?|[.\s]))\d{{3,4}}(?:\s?{_DASH}\s?|[.\s])\d{{4}}{_AFTER}",
            rf"(?<![0-9A-Za-z_+])\+\d{{1,3}}[-. (]{{1,2}}\d{{1,4}}[-. )]{{1,2}}\d{{3,4}}[-. ]\d{{3,4}}{_AFTER}",
        )
    ),
    "card": rf"{_BEFORE}(?:\d{{4}}(?:{_DASH}|\s)\d{{4}}(?:{_DASH}|\s)\d{{4}}(?:{_DASH}|\s)\d{{4}}"
    rf"|3[47]\d\d(?:{_DASH}|\s)\d{{6}}(?:{_DASH}|\s)\d{{5}}){_AFTER}",
    "groups": rf"{_BEFORE}\d{{2,6}}(?:{_DASH}\d{{1,7}}){{2,3}}{_AFTER}",
    "decimal": r"(?<![\d.])\d+\.\d++(?!\.\d)",
    "digits": rf"{_BEFORE}\d{{9,19}}{_AFTER}",
}
# The look-ahead turns most characters away before any alternative is tried.
_CANDIDATE = re.compile(
    r"(?=[\d(+a-fA-F])(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()) + ")"
)
_EMAIL = re.compile(r"(?<![A-Za-z0-9._%+\-])[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63})+")
_NARROW = str.maketrans("０１２３４５６７８９－（）＋．　", "0123456789-()+. ")
_WIDE = re.compile(r"[０-９－]")
_WORTH_A_LOOK = re.compile(r"\d{3}")

# Forms of account numbers that Korean banks print; others count only beside a word of banking.
_ACCOUNT_FORMS = frozenset(
    {"6-2-6", "3-3-6", "4-3-6", "3-6-5", "3-4-4-2", "3-4-4-3", "3-6-2-3", "4-2-7", "3-2-6", "3-2-4-3", "3-2-6-1"}
    | {"3-6-3", "4-4-4-1", "3-4-6", "4-3-7"}
)
_BANKING = re.compile(
    r"은행|뱅크|계좌|통장|예금주|입금|송금|이체|농협|신협|수협|새마을금고|우체국|증권|account|\bbank", re.I
)
_BANK_JUST_BEFORE = re.compile(
    r"(?:국민|신한|우리|하나|기업|산업|대구|부산|광주|전북|경남|제주|카카오|토스|케이|씨티|제일|KB|NH|IBK|SC)\s?:?\s?$",
    re.I,
)
_RESIDENT_WORDS = re.compile(r"주민|등록번호|외국인|RRN", re.I)
_COMPANY_WORDS = re.compile(r"법인|사업자")
_CARD_WORDS = re.compile(r"카드|card", re.I)
_PHONE_WORDS = re.compile(r"전화|연락처|휴대폰|핸드폰|폰번호|팩스|tel|phone|fax|mobile", re.I)
_LANDLINE = re.compile(rf"0{_AREA}\d{{7,8}}")
_YEAR_MONTH = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-")


def redact_text(text: str) -> str:
    """The text with resident, phone, account and card numbers and e-mail addresses masked by kind. Linear."""
    if "@" in text:
        text = _EMAIL.sub(EMAIL, text)
    if not _WORTH_A_LOOK.search(text):
        return text
    if not _WIDE.search(text):
        return _CANDIDATE.sub(_masked, text)
    narrow = text.translate(_NARROW)
    # Full-width digits are found in their narrow form; what isn't masked stays as it was written.
    pieces, end = [], 0
    for match in _CANDIDATE.finditer(narrow):
        masked = _masked(match)
        pieces += [text[end : match.start()], text[slice(*match.span())] if masked == match[0] else masked]
        end = match.end()
    return "".join(pieces) + text[end:]


def _masked(match: re.Match[str]) -> str:
    found = match[0]
    context = _Context(match)
    mask: str | None = None
    match match.lastgroup:
        case "phone":
            mask = None if _digits(found) in PUBLIC else PHONE
        case "resident":
            digits = _digits(found)
            mask = RESIDENT if plausible_resident(digits) and not context.before(_COMPANY_WORDS) else None
        case "card":
            mask = CARD if luhn(_digits(found)) or context.near(_CARD_WORDS) else None
            mask = mask or (ACCOUNT if context.near(_BANKING) else None)
        case "groups":
            mask = ACCOUNT if _is_account(found, context) else None
        case "digits":
            mask = _kind_of_digits(found, context)
    return mask or found


class _Context:
    """A few characters on both sides of a match."""

    def __init__(self, match: re.Match[str]) -> None:
        self._before = match.string[max(0, match.start() - 25) : match.start()]
        self._after = match.string[match.end() : match.end() + 14]

    def before(self, words: re.Pattern[str]) -> bool:
        return words.search(self._before) is not None

    def near(self, words: re.Pattern[str]) -> bool:
        return self.before(words) or words.search(self._after) is not None


def _is_account(found: str, context: _Context) -> bool:
    groups = re.split(_DASH, found)
    total = sum(map(len, groups))
    if not 10 <= total <= 16 or context.before(_COMPANY_WORDS):
        return False
    form = "-".join(str(len(group)) for group in groups)
    if form in _ACCOUNT_FORMS and not _YEAR_MONTH.match(found):
        return True
    return context.near(_BANKING) or context.before(_BANK_JUST_BEFORE)


def _kind_of_digits(found: str, context: _Context) -> str | None:
    if len(found) == 13 and plausible_resident(found) and _surely_resident(found, context):
        return RESIDENT
    if 14 <= len(found) <= 16 and found[0] in "234569" and luhn(found):
        return CARD
    beside_a_bank = context.near(_BANKING) or context.before(_BANK_JUST_BEFORE)
    if beside_a_bank and 10 <= len(found) <= 14 and not found.endswith("0000"):
        return ACCOUNT
    if context.before(_RESIDENT_WORDS) and len(found) == 13 and not context.before(_COMPANY_WORDS):
        return RESIDENT
    if context.before(_PHONE_WORDS) and _LANDLINE.fullmatch(found):
        return PHONE
    return None


def plausible_resident(digits: str) -> bool:
    """Whether 13 digits can be a resident's or a foreigner's number: a date of birth and its century's digit."""
    year, month, day, century = int(digits[:2]), int(digits[2:4]), int(digits[4:6]), int(digits[6])
    born_this_century = century in (3, 4, 7, 8)
    return 1 <= month <= 12 and 1 <= day <= 31 and 1 <= century <= 8 and not (born_this_century and year > 40)


def _surely_resident(digits: str, context: _Context) -> bool:
    """Thirteen digits in a row are also clocks in milliseconds and Korean bar codes: those need more evidence."""
    if context.before(_RESIDENT_WORDS) or _resident_checksum(digits):
        return True
    return digits[0] != "1" and not (digits.startswith("880") and _bar_code_checksum(digits))


def _resident_checksum(digits: str) -> bool:
    total = sum(
        int(digit) * weight for digit, weight in zip(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5), strict=False)
    )
    base = 13 if digits[6] in "5678" else 11
    return (base - total % 11) % 10 == int(digits[12])


def _bar_code_checksum(digits: str) -> bool:
    return sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits)) % 10 == 0


def luhn(digits: str) -> bool:
    """Whether the digits pass the check of payment cards."""
    total = 0
    for index, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if index % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0 and len(set(digits)) > 1


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
