"""How firm the budget is."""

import re

from madang.assistants.travel.understanding.slots.slot_update import Draft

_STRICT = re.compile(
    r"절대|안\s?넘|넘으면\s?안|넘기면\s?안|넘지\s?않|넘어가면\s?안|초과\s?(?:하면\s?)?안|이상은\s?(?:안|못|무리)|딱\s?(?:그|맞|\d)|더\s?(?:는|이상은?)?\s?(?:못|안)\s?(?:써|쓰|쓸|씀|쓴|돼|되|내|낼|나)|못\s?넘|넘기지|초과\s?불가|빠듯(?!할까|한가|하나)|타이트|꼭\s?지켜|지켜야|맞춰야|한푼도|무조건\s?(?:이내|안)"
)
_FLEXIBLE = re.compile(
    r"(?:넘|초과|오버|더\s?(?:써|쓰|들|나|내|쓸|줘)|늘|올[려라])[가-힣]{0,4}\s?(?:도|는|은|건|거|것은|는\s?건|는\s?거)\s?(?:돼|되|됨|된|괜찮|상관|좋|ㄱㅊ|오케|무방|가능|문제)|비싸도\s?(?:돼|되|됨|괜찮|상관|좋)|유연|예산[가-힣]{0,8}\s?여유\s?있|조절\s?가능|(?:예산|돈|비용|경비|만\s?원?)[^.]{0,8}늘릴\s?수\s?있|융통"
)


def read_firmness(text: str, draft: Draft, pending: str | None) -> None:
    about_money = "예산" in text or "만" in text or pending == "budget" or bool(draft.get("budget_amount"))
    if not about_money:
        return
    if _FLEXIBLE.search(text):
        draft.set("budget_flexibility", "flexible")
    elif _STRICT.search(text) and re.search(r"예산|만|원|넘|돈|비용|초과|\d", text):
        draft.set("budget_flexibility", "strict")
