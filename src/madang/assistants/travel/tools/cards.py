"""Texts to show or keep: what one can't eat in the words of the country, an emergency page, what to pack, letters."""

import re
from datetime import date

from madang.assistants.travel.data.ways import source_of, table

Said = tuple[str, tuple[str, str]]
_NAMES = re.compile(
    r"(?:애|아이|아들|딸|아기)\s?이름은\s?(?P<child>[가-힣]{2,4})|(?:저는|제\s?이름은|아빠는)\s?(?P<me>[가-힣]{2,4})(?=[,\s.]|$|이고|입니다)"
    r"|(?:엄마|애\s?엄마|어머니|아내)는\s?(?P<mother>[가-힣]{2,4})(?=[,\s.]|$|이고|입니다)"
)
_MISSING = "__________"


def items_in(text: str) -> list[str]:
    """What is not eaten, by the words of the message."""
    plain = text.replace(" ", "").lower()
    found = [item for item, words in table("phrases")["items"].items() if any(word in plain for word in words)]
    if "vegan" in found and "vegetarian" in found:
        found.remove("vegetarian")
    # The phrase allows both: whoever can't have one of them must not show it.
    return [item for item in found if item != "egg_milk_ok" or not {"egg", "milk", "vegan"} & set(found)]


def food_card(text: str, country: str | None, english: bool) -> Said | None:
    """A card in the country's language with its meaning; None when nothing to leave out was named."""
    items = items_in(text)
    asked = next(
        (
            goal
            for word, goal in table("phrases")["asked_language"].items()
            if f"{word}로" in text or f"{word}말" in text or f"in {word}" in text.lower()
        ),
        None,
    )
    goal = asked or table("phrases")["speaks"].get(country or "", country or "영어")
    phrases = table("phrases")["language"].get(goal) or table("phrases")["language"]["영어"]
    if not items:
        return None
    own = table("phrases")["language"]["영어"] if english else table("phrases")["korean"]
    lines = [phrases[item] for item in items]
    meaning = " ".join(own[item] for item in items) if english else ", ".join(own[item] for item in items)
    head = "Show this card:" if english else f"식당에서 이 카드({phrases['name']})를 보여 주세요."
    gluten = " 간장·시즈닝 소스에 밀이 숨어 있으니 소스를 따로 물어보세요." if "gluten" in items and not english else ""
    body = "\n".join(f"> {line}" for line in [*lines, phrases["end"]])
    return f"{head}\n\n{body}\n\n({'Meaning' if english else '뜻'}: {meaning}){gluten}", source_of("phrases")


def emergency_page(country: str | None, city: str | None) -> Said:
    """One page to keep."""
    where = city or country or ""
    numbers = table("phrases")["emergency"].get(country or "")
    police, medical, words = numbers or (
        "현지 번호를 숙소에 물어 적기",
        "현지 번호를 숙소에 물어 적기",
        "Help, please.",
    )
    lines = [
        f"**{where} 비상 때 한 장**".replace("** ", "**"),
        f"- 경찰 {police} · 구급 {medical}",
        f"- 도움 청하기: {words}",
        *table("phrases")["page"]["lines"],
    ]
    return "\n".join(lines), source_of("phrases")


def packing_list(*, abroad: bool, high: int | None, swim: bool, baby: bool, elderly: bool) -> Said:
    """What to take, by where and when and who."""
    kinds = ["base", *(["abroad"] if abroad else [])]
    kinds += ["cold"] if high is not None and high < 10 else ["hot"] if high is not None and high >= 26 else []
    kinds += ["swim"] * swim + ["baby"] * baby + ["elderly"] * elderly
    rows = table("phrases")["packing"]
    names = table("phrases")["packing_titles"]
    return "준비물이에요.\n\n" + "\n".join(f"- {names[kind]}: {rows[kind]}" for kind in kinds), source_of("phrases")


def consent_letter(text: str, city: str | None, start: date | None, nights: int | None) -> Said:
    """A letter of consent for a child's trip with one parent; what isn't known is left blank."""
    names = {key: value for match in _NAMES.finditer(text) for key, value in match.groupdict().items() if value}
    days = _MISSING
    if start and nights:
        days = f"{start:%B} {start.day}, {start.year} – {date.fromordinal(start.toordinal() + nights):%B %-d, %Y}"
    child, me, other = (names.get(key, _MISSING) for key in ("child", "me", "mother"))
    letter = f"""**PARENTAL CONSENT FOR TRAVEL**

I, {other} (name as in passport: {_MISSING}), parent/legal guardian of

- Child: {child} (name as in passport: {_MISSING}), date of birth {_MISSING}, passport no. {_MISSING}

hereby consent to my child travelling to {city or _MISSING} from {days} with

- Accompanying parent: {me} (name as in passport: {_MISSING}), passport no. {_MISSING}

I can be reached at: phone {_MISSING}, e-mail {_MISSING}.

Signature: {_MISSING}   Date: {_MISSING}

Notary (if required): {_MISSING}"""
    note = (
        "_이름은 여권의 영문 철자로 고쳐 쓰고 생년월일과 여권 번호를 채우세요. 서명은 동행하지 않는 부모가 하고, "
        "가능하면 공증을 받고 영문 가족관계증명서와 함께 지니세요._"
    )
    return f"{letter}\n\n{note}", source_of("phrases")


def blank_form(start: date | None, days: int) -> Said:
    """A form of days with nothing made up."""
    rows = []
    for offset in range(days):
        when = date.fromordinal(start.toordinal() + offset) if start else None
        label = f"{when.month}/{when.day}({'월화수목금토일'[when.weekday()]})" if when else f"{offset + 1}일차"
        rows.append(f"| {label} |  |  |  |  |  |")
    head = "| 날짜 | 시간 | 장소 | 만나는 사람 | 안건 | 결과 |\n|---|---|---|---|---|---|\n"
    travel = "- 항공: 가는 편 ______ / 오는 편 ______\n- 숙박: ______ (전화 ______)\n- 비고: ______"
    return f"출장 일정 양식이에요. 빈칸을 채워 쓰세요.\n\n{head}{chr(10).join(rows)}\n\n{travel}", source_of("phrases")
