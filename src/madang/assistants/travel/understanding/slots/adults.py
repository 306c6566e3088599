"""Grown-ups a message names: 시부모님이랑 저희 부부, 엄마 이모 나."""

import re

from madang.assistants.travel.understanding.slots.people_words import (
    ADULT_KIN,
    COMPANION,
    LINK_BEFORE,
    PARTY_ITSELF,
    Roster,
    count_of,
    counted_as,
)

_PEERS = re.compile(r"동료|선배|후배|동기|친구|지인|언니|오빠|형|누나|동생|사촌|이모|고모")
# one has only one of them: the number in 나랑 남친 둘 is the party's
_SINGLE = re.compile(
    r"남친|여친|남편|신랑|아내|와이프|집사람|마누라|애인|(?:여자|남자)\s?친구|엄마|아빠|어머니|아버지|장모님?|장인|시어머니|시아버지|예비\s?신[랑부]"
)
_GROWN = re.compile(
    rf"(?<![가-힣])(?:(?P<both>양가\s?부모님)|(?P<pair>시부모님|친정\s?부모님|조부모님|부모님|장인\s?장모님?|장인어른\s?장모님?)(?:\s?(?:두\s?분|2분|둘))?"
    rf"|(?P<theirs>(?:{ADULT_KIN}|아들|딸)(?:네|이?랑)?\s?(?:부부|커플))|(?P<ours>(?:저희|우리|저의)?\s?(?:신혼\s?)?부부)(?!\s?동반)"
    rf"|(?P<kin>{ADULT_KIN})(?P<many>들)?{counted_as('k')}|(?P<clan>(?:처가|시댁|친정|외가|우리)?\s?(?:식구들?|가족들?|친척들?))(?=이?랑|하고|와|과|\s?모시고|\s?다\s?같이)|(?P<self>저희?|나|본인|제가|내가)(?=이?랑|하고|와|과|까지|도|포함|[\s,+&]|$|요|이요))"
)
_NOT_ALONG = re.compile(
    r"(?:이|가|은|는)?\s?(?:빼고|없이|말고|제외|두고|맡기고)|(?:이|가|은|는)\s[^,.]{0,10}?(?:못|안)\s?[가간갈온올오]"
)


def named_adults(text: str, listed: bool) -> Roster:
    found = [match for match in _GROWN.finditer(text) if not _NOT_ALONG.match(text, match.end())]
    others = 0
    couple = unknown = False
    spans: list[tuple[int, int]] = []
    for match in found:
        beside = COMPANION.match(text, match.end()) or LINK_BEFORE.search(text[: match.start()])
        near = _near_another(match, found)
        if match["ours"] is not None:
            couple = True
        elif not (beside or near or (listed and _ends(text, match))):
            continue
        elif match["clan"] or (match["many"] and not match["k"]):
            unknown = True
        elif not match["self"]:
            count = count_of(match["k"]) if match["kin"] and not _SINGLE.fullmatch(match["kin"]) else None
            if count and _PEERS.search(match["kin"]) and (PARTY_ITSELF.match(text, match.end()) or not beside):
                continue
            others += 4 if match["both"] else 2 if match["pair"] or match["theirs"] else count or 1
        counted = match["kin"] and not _SINGLE.fullmatch(match["kin"])
        spans.append(match.span() if counted or not match["kin"] else (match.start(), match.end("kin")))
    return Roster(
        others,
        couple=couple,
        open=unknown,
        speaker=any(match["self"] and match.span() in spans for match in found),
        parents={match["kin"] for match in found} >= {"엄마", "아빠"},
        spans=tuple(spans),
    )


def _near_another(match: re.Match[str], found: list[re.Match[str]]) -> bool:
    """엄마 아빠 나: names in a row need no particle."""
    return any(
        other is not match and (0 <= other.start() - match.end() <= 1 or 0 <= match.start() - other.end() <= 1)
        for other in found
    )


def _ends(text: str, match: re.Match[str]) -> bool:
    return re.fullmatch(r"님?(?:이요|요|이랑요?|랑요?)?[\s.!~]*", text[match.end() :]) is not None
