"""Whether a message wants a text written, and what the conversation knows to put into it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta

from madang.assistants.works.data import load
from madang.assistants.works.data.forms import find_form
from madang.assistants.works.state.documents import TextInput, TextPart
from madang.assistants.works.tools.guide import Spoken
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.text_writing import (
    figure_lines,
    minutes_of,
    occasion_about,
    occasion_in,
    occasion_of,
)
from madang.assistants.works.tools.topic_reader import NONE, likely_topics
from madang.assistants.works.understanding.guiding import SAFETY, forbidden
from madang.assistants.works.understanding.told_facts import is_request, pieces, sayings, told_facts
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph.reading import Heard
from madang.text.calendars import is_day_off
from madang.text.dates import find_dates
from madang.text.morphemes import morphemes
from madang.text.normalise import squeeze
from madang.text.numbers import parse_number

REMEMBERED = 3
_RETURNED = " 말씀하신 반품은 회사 기준을 확인하고 있으니 확인되는 대로 알려드리겠습니다."
_LINES = re.compile(r"(?P<n>\d{1,2}|한|두|세|네|다섯|여섯|일곱|열)\s?줄")
_MINUTES = re.compile(r"(?P<n>\d{1,3})\s?분(?:짜리|\s?(?:정도|안에|동안|이내|으로))?")
_LEFT_OUT = re.compile(
    r"빼고|빼\s?줘|빼\s?주|빼\s?달|빼고요|넣지|쓰지\s?말|안\s?쓰고|안\s?쓰|언급|없이|말하기\s?싫|티\s?안"
)
_PERSON = re.compile(r"(?P<name>[가-힣]{2,4})\s?(?:씨|님|선배님|선배|대리님|대리|주임)\s?(?:한테|에게|께|이?랑|한데)")
_PATIENT = re.compile(r"(?P<age>\d0)\s?대\s?(?:초반|중반|후반)?\s?(?P<sex>여자|남자|여성|남성|할머니|할아버지)?")
_TAKING = re.compile(r"(?P<n>\d{1,3}|한|두|세|네)\s?(?P<unit>주|일|달|개월|년)\s?(?:쯤|정도|째|간|동안)?")
_TO_THEM = re.compile(r"님?(들)?(?:께|한테|에게)")
_WEEKDAYS = "월화수목금토일"
_NOT_MEANT = {
    "말",
    "것",
    "거",
    "건",
    "이름",
    "이야기",
    "얘기",
    "내용",
    "부분",
    "이유",
    "사람",
    "원장",
    "님",
    "때",
    "대놓고",
    "글",
    "문자",
    "회의",
    "회의자료",
    "감정",
    "개인",
    "실명",
    "사실",
    "신청서",
    "보고서",
    "정도",
    "표현",
}
_REASONS = {
    "대설": "대설 특보로",
    "폭설": "폭설로",
    "눈": "눈 예보로",
    "태풍": "태풍으로",
    "교육": "교육 일정으로",
    "회의": "회의 일정으로",
    "아파": "몸이 좋지 않아",
    "사고": "사고로",
}
_SYMPTOMS = {
    "붓": "부종(붓는 증상)",
    "부었": "부종",
    "숨이차": "호흡곤란(숨이 참)",
    "발진": "발진",
    "두드러기": "두드러기",
    "어지": "어지러움",
    "구토": "구토",
    "토했": "구토",
    "가렵": "가려움",
    "졸": "졸림",
    "출혈": "출혈",
    "설사": "설사",
    "두통": "두통",
    "경련": "경련",
    "쓰러": "실신",
    "황달": "황달",
}
_SEASONS = {"연말": "연말", "송년": "연말", "추석": "추석", "설날": "설", "명절": "명절", "여름": "여름휴가철"}


def wants_text(text: str, around: str = "") -> str | None:
    """The kind of text that is to be written, None when none is. Forms and reports are documents of their own; `around`
    is what was said before, which tells what a request form is for."""
    words, said = load("texts")["wanted"], Spoken(text)
    alone = any(word in said for word in words["alone"])
    form = find_form(text)
    reported = form is not None and form.document_type not in _TEXTS and bool(_REPORTED.search(text))
    if not alone and (reported or any(word in said for word in words["others"])):
        return None
    if not alone and any(word in said for word in words["forms"]) and _EVENT.search(text):
        return None
    asked = [Spoken(one) for one in pieces(text) if is_request(one) and not _LOOKED_AT.search(one)]
    kinds = [(len(word), kind) for word, kind in words["kinds"].items() if any(word in one for one in asked)]
    if kinds:
        return str(max(kinds)[1])
    if not any(word in said for word in words["writes"]):
        # "뭐라고 말하죠?" is a text where it is known for what, else a question.
        spoken = [one for one in pieces(text) if any(word in Spoken(one) for word in words["alone"])]
        return "message" if any(occasion_in(one) for one in spoken) else None
    return "memo" if not alone and _VISIT.search(f"{text} {around}") else "message"


_TEXTS = frozenset({"summary_sheet", "letter", "seminar_request"})
_REPORTED = re.compile(r"월간|주간|일일|영업|실적|매출|방문\s?(?:보고|일지)")
_LOOKED_AT = re.compile(r"찾아|보여|검색|불러|열어|저장|보관|검토|점검|확인해")
_EMPTY = re.compile(r"빈칸으로|빈칸만|틀만|양식만|틀만\s?줘")
_VISIT = re.compile(r"콜(?:이|을|은|\s|로|수)|방문\s?(?:노트|기록|보고|메모)")
_EVENT = re.compile(r"설명회|세미나|심포지엄|심포지움|강연회|행사|presentation", re.IGNORECASE)


def only_said(text: str) -> bool:
    """Whether a message asks what to say and names no kind of text: a matter that the guide knows is told instead."""
    words, said = load("texts")["wanted"], Spoken(text)
    named = any(word in said for word in words["kinds"]) and any(word in said for word in words["verbs"])
    return not named and not any(word in said for word in words["writes"]) and not any(map(is_request, pieces(text)))


def text_wish(message: Incoming, kind: str, told: list[str], who: Mapping[str, str] | None) -> TextInput:
    """What to write, with what is known. `told` are the messages before this one, newest first."""
    text = message.text
    alone = load("texts")["wanted"]["alone"]
    asked = (
        " ".join(one for one in pieces(text) if is_request(one) or any(word in Spoken(one) for word in alone)) or text
    )
    topics = _spoken_of([text, *told])
    parts = _with_occasions(parts_of(asked, kind), topics, text)
    slots = _slots(message, told, who)
    findings = (message.state.get("findings") or [])[-3:] if _of_figures(message, parts) else []
    # What a report of figures rests on is what was found; what was thought aloud on the way isn't in it.
    reports = findings and any(one["kind"] in {"report", "talk"} for one in parts)
    if _EMPTY.search(text):
        told = []
    aloud = [one for one in reversed(told) if not (reports and forbidden(_spoken_of([one])))]
    said, facts = sayings(text), told_facts([*aloud, text])
    shown = _anonymous(message) if _NAMELESS.search(text) else str
    slots["lines"] = "\n".join(_points_to_say(message, 5))
    slots["points"] = "\n".join(f"- {one}" for one in said)
    slots["sayings"] = " ".join(one if one.endswith((".", "!")) else f"{one}." for one in said)
    if not _tells_facts(text, parts):
        facts = []
    slots["facts"] = "\n".join(f"- {one}" for one in facts)
    slots["unsure"] = UNSURE if any(map(_HEARD.search, facts)) else ""
    slots["plan"] = _plan(message) if re.search(r"계획|대책|할\s?일|만회", text) else ""
    if findings:
        slots |= {
            "figures": shown("\n".join(figure_lines(findings))), "figures_line": shown(findings[-1]["sentence"]),
            "table": shown(_first_rows(findings[-1]["table"])),
        }  # fmt: skip
    minutes = _MINUTES.search(text)
    slots |= minutes_of(int(minutes["n"]) if minutes else 15)
    memo = any(one["kind"] == "memo" for one in parts)
    occasion = next((found for one in parts if (found := occasion_of(one["occasion"]))), None)
    return {
        "kind": kind, "occasion": parts[0]["occasion"], "audiences": [one["audience"] for one in parts],
        "slots": slots, "without": _left_out(message.heard), "lines": parts[0]["lines"], "parts": parts,
        "english": bool(re.search(r"영어|영문|english", text, re.IGNORECASE)),
        "note": occasion.note if occasion else ADVERSE if memo and set(topics) & SAFETY else "",
    }  # fmt: skip


_NAMELESS = re.compile(
    r"(?:이름|실명|성명)\S{0,3}\s?(?:\S{0,6}\s?){0,3}(?:빼|말고|없이|가려|바꿔|코드|이니셜)|익명|코드로|이니셜"
)
ROWS = 10


def parts_of(asked: str, kind: str) -> list[TextPart]:
    """The texts that are asked for, in their order, each with whom it is for and how many lines it may have."""
    words = load("texts")["wanted"]["kinds"]
    said = squeeze(asked)
    found = re.finditer("|".join(sorted(map(re.escape, words), key=len, reverse=True)), said, re.IGNORECASE)
    places: list[tuple[int, int]] = []
    for one in found:
        between = said[places[-1][1] : one.start()] if places else ""
        counted = _COUNTED.fullmatch(one[0]) and not _audience(between)
        if places and (counted or not _ANOTHER.search(between)):
            places[-1] = (places[-1][0], one.end())
        else:
            places.append((one.start(), one.end()))
    parts: list[TextPart] = []
    for index, (_, end) in enumerate(places):
        before = said[places[index - 1][1] if index else 0 : end]
        after = said[end : places[index + 1][0] if index + 1 < len(places) else len(said)]
        named = [words[word] for word in words if word in said[slice(*places[index])].casefold()]
        of = next((one for one in named if one not in {"message", "mail"}), named[0] if named else kind)
        parts.append(_part(before, after, of, before + after if len(places) == 1 else before))
    return parts or [_part(said, "", kind, said)]


_COUNTED = re.compile(r"(?:한|두|세|네|다섯)?줄(?:로)?")
_ANOTHER = re.compile(r"이?랑|하고|[+,&]|그리고|도|과|와|및|둘다|따로|하나")


def _part(before: str, after: str, kind: str, asked: str) -> TextPart:
    lines = _LINES.search(before + after)
    occasion = occasion_in(asked)
    kind = "memo" if kind == "report" and _VISITED.search(before) else kind
    audience = _audience(before) or _USUALLY.get(kind) or _audience(after)
    if kind == "checklist" and occasion:
        audience = occasion.default
    if occasion and audience and audience not in occasion.bodies:
        occasion = None
    return {
        "kind": kind, "occasion": occasion.id if occasion else "",
        "audience": audience or (occasion.default if occasion else ""),
        "lines": int(parse_number(lines["n"]) or 0) if lines and kind != "checklist" else None,
    }  # fmt: skip


_VISITED = re.compile(r"방문(?:한거|한것|내용|결과)?보고|방문한거보고")
_USUALLY = {
    "checklist": "everyone",
    "report": "boss",
    "notice": "everyone",
    "memo": "everyone",
    "application": "boss",
    "talk": "boss",
}


def _audience(said: str) -> str:
    """Whom a text is for, by the last reader that is named: 약국에, 팀장님께, PV팀에."""
    found = []
    for name, words in load("texts")["audience"].items():
        for word in map(squeeze, words):
            at = said.rfind(word)
            if at >= 0:
                behind = said[at + len(word) :]
                several = name == "boss" and behind.startswith(("들", "님들"))
                found.append((bool(_TO_THEM.match(behind)), at, len(word), "colleague" if several else name))
    return max(found)[3] if found else ""


_HEARD = re.compile(r"고 (?:함|하심|하셨음|들었음|말씀하심|말씀하셨음)$")
UNSURE = "- ‘…고 함’, ‘…고 하심’으로 적은 것은 전해 들은 말이라 사실 확인이 더 필요합니다."
_FACTS = re.compile(
    r"보고|상황|경위|사실|있었던|정리|원인|알릴|알리|신고|제보|상담|소명|지금까지|아는\s?것|요청|신청|문의|접수|품질|안전|PV|보낼\s?(?:내용|글)|인수인계"
)


def _tells_facts(text: str, parts: Sequence[TextPart]) -> bool:
    """Whether what happened belongs into a text: a report, a note, a request; not what is said to somebody's face."""
    kinds = {one["kind"] for one in parts}
    return bool(kinds & {"report", "memo", "application"}) or ("talk" not in kinds and bool(_FACTS.search(text)))


_FIGURES = re.compile(r"실적|매출|숫자|수치|달성|원인|현황|결과|회의|요약|부족|빠진|계획|목표|불릿|성과|대비|비교")


def _of_figures(message: Incoming, parts: Sequence[TextPart]) -> bool:
    """Whether what was computed belongs into the text: a report, or figures are named, or were the last answer."""
    return (
        any(one["kind"] in {"report", "talk"} for one in parts)
        or bool(_FIGURES.search(message.text))
        or bool(re.search(r"analysis|why|accounts", message.state.get("last_intent") or ""))
    )


def _plan(message: Incoming) -> str:
    """What can be done in the days that are left of the month."""
    today = message.today
    last = (today.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    days = [today + timedelta(days=n) for n in range(1, (last - today).days + 1)]
    left = sum(not is_day_off(day) for day in days)
    lines = [
        f"내일부터 {last.month}월 {last.day}일까지 근무일은 {left}일입니다.",
        *load("texts")["wanted"]["plan"][1:3],
    ]
    return "\n".join(f"- {line}" for line in lines)


def _spoken_of(texts: Sequence[str]) -> list[str]:
    """The topics of the guide that the conversation is about, the newest first."""
    found: list[str] = []
    for text in texts:
        likely = likely_topics([text, *pieces(text)])
        found += [
            name for name, score in sorted(likely.items(), key=lambda one: -one[1]) if name != NONE and score >= ABOUT
        ]
    return list(dict.fromkeys(found))


def _with_occasions(parts: list[TextPart], topics: Sequence[str], text: str) -> list[TextPart]:
    """The texts with what they are for, where their own words don't tell: by the message, its other texts, a topic."""
    others = [one["occasion"] for one in parts if one["occasion"]]
    found = []
    for part in parts:
        if part["occasion"] or (part["lines"] or 1) > 1 or part["kind"] in {"memo", "talk", "agenda", "minutes"}:
            found.append(part)
            continue
        named = [occasion_in(text)] if part["audience"] == "department" else []
        about = [occasion_of(one) for one in others]
        about += [occasion_about(name, part["audience"]) for name in topics] if part["kind"] != "report" else []
        fitting = [one for one in (*named, *about) if one and part["audience"] in one.bodies]
        found.append({**part, "occasion": fitting[0].id} if fitting else part)
    return found


ABOUT = 0.35
ADVERSE = (
    "들으신 증상은 이상사례일 수 있습니다. 방문 노트에만 적지 말고, 약 때문인지 몰라도 오늘 바로 약물감시(PV)에 따로 "
    "알리세요(보통 안 때부터 24시간 이내, 회사 기한 확인)."
)


def _first_rows(table: str) -> str:
    return "\n".join(table.splitlines()[: ROWS + 2])


def _anonymous(message: Incoming) -> Callable[[str], str]:
    """Reps of a text as 담당자 A, 담당자 B."""
    letters: dict[str, str] = {}

    def masked(words: str) -> str:
        names = [
            one for one in scan(words, message.lexicon) if (one.meaning.name, one.meaning.role) == ("rep", "value")
        ]
        for one in names:
            letters.setdefault(one.text, f"담당자 {chr(ord('A') + len(letters) % 26)}")
        for name, letter in letters.items():
            words = words.replace(name, letter)
        return words

    return masked


def _until(text: str) -> str:
    match = re.search(
        r"(?:다음\s?주|이번\s?주|이달|이번\s?달|내일|모레|\d{1,2}월\s?\d{1,2}일|\d{1,2}일)\s?(?:\S요일)?\s?까지", text
    )
    return match[0] if match else "( 날짜 )까지"


def _matter(text: str) -> str:
    """What a text is about, by the words before its kind: 면담 요청 문자, 재배치 안내하는 공지."""
    match = re.search(
        r"(?P<what>(?:[가-힣]{2,6}\s){0,2}[가-힣]{2,8}?)(?:하는|할|용)?\s?(?:메일|문자|공지|메시지|안내문|쪽지|품의서|신청서|요청서)",
        text,
    )
    words = [one for one in match["what"].split() if not _NO_MATTER.search(one)] if match else []
    return " ".join(words)


_NO_MATTER = re.compile(
    r"(?:한테|에게|께|[가-힣]에|이랑|랑)$|^(?:보낼|고친|내용|완성|올릴|드릴|돌릴|넣을|낼|그럼|그리고|하나|인사|짧은|두|팀장|지점장|우리|제가|정중한|사과|담당자들)"
)


def _slots(message: Incoming, told: list[str], who: Mapping[str, str] | None) -> dict[str, str]:
    text, today = message.text, message.today
    known = who or {}
    me = " ".join(known[name] for name in ("team", "rep") if known.get(name))
    days = _planned_days(message) or _days([text, *told], today)
    customer = _named("customer", [text, *told], message)
    product = _named("product", [text, *told], message)
    around = squeeze(" ".join([text, *told[:REMEMBERED]]))
    slots = {
        "me": me, "team": known.get("team", ""), "customer": customer, "product": product,
        "customer_to": _customer_to(" ".join([text, *told[:1]]), customer), "boss_to": _boss_to(text),
        "colleague_to": _colleague_to(text),
        "to": "", "matter": _matter(text), "today": _day(today), "year": str(today.year),
        "deadline": _until(text),
        "reason": next((say for word, say in _REASONS.items() if word in around), ""),
        "season": next((say for word, say in _SEASONS.items() if word in around), ""),
        "symptoms": ", ".join(dict.fromkeys(say for word, say in _SYMPTOMS.items() if word in around)),
        "new_reps": _new_reps([text, *told], message, known.get("rep", "")),
        "return_line": _RETURNED if "반품" in around else "",
    }  # fmt: skip
    if days:
        shown = "·".join(map(_day, days[:3]))
        slots |= {"date": shown, "date_from": _day(days[0]), "date_short": f"{shown}에", "date_about": _day(days[0])}
    if patient := _PATIENT.search(" ".join([text, *told])):
        slots["patient"] = f"{patient['age']}대 {(patient['sex'] or '').replace('자', '성')}".strip()
    after = re.search(r"복용\S{0,3}\s?(?P<rest>.{0,12})", text)
    if after and (taking := _TAKING.search(after["rest"])):
        slots["taking"] = f"약 {taking['n']}{taking['unit']}"
    return slots


def _planned_days(message: Incoming) -> list[date]:
    """The days of the visits planned last that the messages since name by their weekday."""
    planned = [date.fromisoformat(day) for day in (message.state.get("last_accounts") or {}).get("days") or ()]
    if not planned:
        return []
    monday = planned[0] - timedelta(days=planned[0].weekday())
    named = re.findall(r"([월화수목금])요일", " ".join([message.text, *message.said_before[:1]]))
    return [monday + timedelta(days=_WEEKDAYS.index(letter)) for letter in dict.fromkeys(named)]


def _days(texts: Iterable[str], today: date) -> list[date]:
    """The days of the newest message that names any; spans of more than a week are no day."""
    for text in texts:
        ahead, behind = (find_dates(text, today, direction) for direction in ("future", "past"))
        days = [
            min(one.value.start, other.value.start, key=lambda day: abs((day - today).days))
            for one, other in zip(ahead, behind, strict=False)
            if one.value.start and one.value.end and other.value.start
            and (one.value.end - one.value.start).days < _WEEK
        ]  # fmt: skip
        if days:
            return list(dict.fromkeys(days))
    return []


_WEEK = 2


def _day(day: date) -> str:
    return f"{day.month}월 {day.day}일({_WEEKDAYS[day.weekday()]})"


def _named(field: str, texts: Iterable[str], message: Incoming) -> str:
    for text in texts:
        found = [one.meaning for one in scan(text, message.lexicon) if one.exact]
        names = [str(one.value) for one in found if one.role == "value" and one.name == field]
        if names:
            return "·".join(dict.fromkeys(names))
    return ""


def _new_reps(texts: Iterable[str], message: Incoming, me: str) -> str:
    for text in texts:
        found = [one.meaning for one in scan(text, message.lexicon) if one.exact and one.meaning.name == "rep"]
        names = [str(one.value) for one in found if one.role == "value" and one.value != me]
        if names:
            return ", ".join(dict.fromkeys(names))
    return ""


_TITLES = (("교수", "교수님,"), ("약사", "약사님,"), ("사장", "사장님,"), ("선생", "선생님,"), ("원장", "원장님,"))


def _customer_to(text: str, customer: str) -> str:
    title = next((say for word, say in _TITLES if word in text), "")
    if customer.endswith("약국"):
        title = title if title in {"사장님,", "약사님,"} else "약사님,"
    return title or "원장님,"


def _boss_to(text: str) -> str:
    return next(
        (
            f"{word}님,"
            for word in ("지점장", "본부장", "상무", "전무", "이사", "부사장", "회장", "대표", "팀장")
            if word in text
        ),
        "팀장님,",
    )


def _colleague_to(text: str) -> str:
    person = _PERSON.search(text)
    return f"{person['name']} 씨," if person else "여러분," if "단톡" in text else "( 이름 ) 씨,"


def _left_out(heard: Heard) -> list[str]:
    """The nouns that must not be in the text: "출산휴가라는 말은 안 쓰고 싶어요"."""
    words: list[str] = []
    for sentence in re.split(r"[.!?\n]", heard.message.text):
        match = _LEFT_OUT.search(sentence)
        if not match:
            continue
        before = sentence[: match.start()]
        nouns = [m.form for m in morphemes(before) if m.tag in {"NNG", "NNP", "XR"} and len(m.form) > 1]
        tail = before[-10:]
        words += [noun for noun in nouns if noun in tail and noun not in _NOT_MEANT]
    return list(dict.fromkeys(words))


def _points_to_say(message: Incoming, count: int) -> list[str]:
    """Lines for a meeting from what was found: the state first, then what moved, then what is to be done."""
    findings = message.state.get("findings") or []
    nameless = bool(_NAMELESS.search(message.text))
    told = [_nameless(one["sentence"], message) if nameless else one["sentence"] for one in findings[-3:]]
    lines = [*filter(None, told), *load("texts")["wanted"]["plan"]]
    return [f"{number}. {line}" for number, line in enumerate(lines[:count], 1)]


def _nameless(sentence: str, message: Incoming) -> str:
    """The sentences of a finding that name nobody."""
    told = re.split(r"(?<=[.])\s", sentence)
    names = [
        [o for o in scan(one, message.lexicon) if (o.meaning.name, o.meaning.role) == ("rep", "value")] for one in told
    ]
    return " ".join(one for one, found in zip(told, names, strict=True) if not found)
