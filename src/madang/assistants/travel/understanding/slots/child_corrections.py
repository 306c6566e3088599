"""Children corrected once the party is known: 아니 애기 하나만, 애들은 두고 가요."""

import re

from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.numbers import parse_number

_BABIES = r"애기|아기|유아|영아|돌쟁이|갓난아기|갓난쟁이|신생아"
_CHILDREN = r"애|아이|자녀|어린이|초등학생|초등생|초딩|중학생|아들|딸|조카|꼬마|꼬맹이|손주|손자|손녀"
_WHO = rf"(?<![가-힣])(?:(?P<infants>{_BABIES})|(?P<children>{_CHILDREN}))들?"
_COUNT = r"(?P<count>하나|한|둘|두|셋|세|넷|네|다섯|\d)\s?(?:명|분)?"
_CORRECTED = re.compile(
    rf"{_WHO}(?:은|는|이|가)?\s?{_COUNT}\s?(?:만(?!\s?원)|뿐|(?:으로|로)(?![가-힣])|(?:으로|로)\s?(?:바꿔|변경|정정|할게|수정)|(?:이[에예]요|예요|입니다|이야|야)?\s?(?:[가-힣]{{1,2}}\s)?아니)"
)
_AFTER_NO = re.compile(
    rf"^\s?(?:아\s)?(?:아니|아뇨|아냐|잘못)[가-힣]*[\s,.]+(?:.*?){_WHO}(?:은|는|이|가)?\s?{_COUNT}(?!\s?(?:더|추가|빠|못|안))"
)
_LEFT = re.compile(
    rf"{_WHO}(?:은|는|이|가|을|를)?\s?(?:다\s|전부\s|그냥\s|이번엔\s)?(?:빼고|뺄게|빼자|빼줘|빼주|빠지|빠질|빠져|못\s?가|못\s?간|못\s?갈|안\s?가|안\s?간|안\s?갈|안\s?데려|두고|맡기고|맡길|제외|없이)"
)
_ONE_LEFT = re.compile(
    r"(?:첫째|둘째|셋째|막내|(?:큰|작은)\s?(?:애|아이|딸|아들))(?:은|는|이|가)?\s?(?:[^,.]{0,12}\s)?(?:(?:못|안)\s?[가간갈온올오](?!\s?[봤본])|빠[지진져질])"
)


def regroup(text: str, draft: Draft) -> bool:
    """Apply a correction of how many children or infants come along; the adults stay. False when there is none."""
    known = {name: draft.get(name) or 0 for name in ("children", "infants")}
    if not draft.get("num_people") or not any(known.values()):
        return False
    if match := _CORRECTED.search(text) or _AFTER_NO.search(text):
        group, count = _group(match, known), int(parse_number(match["count"]) or 0)
    elif match := _LEFT.search(text):
        group, count = _group(match, known), 0
    elif match := _ONE_LEFT.search(text):
        group = "children" if known["children"] else "infants"
        count = known[group] - 1
    else:
        return False
    people = draft.get("num_people") + count - known[group]
    if not known[group] or not draft.put_number("num_people", people):
        return False
    draft.cues.add("correction")
    draft.set(group, count or None)
    young = sum(known.values()) - known[group] + count
    draft.set("adults", people - young)
    return True


def _group(match: re.Match[str], known: dict[str, int]) -> str:
    """아이 may be said of the baby when no other child is known, and the other way round."""
    named, other = ("infants", "children") if match["infants"] else ("children", "infants")
    return named if known[named] or not known[other] else other
