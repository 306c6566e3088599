"""Whether a message wants a text written, and what the conversation knows to put into it."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import chain

from madang.assistants.works.data import load
from madang.assistants.works.state.documents import TextInput
from madang.assistants.works.tools.guide import Spoken
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.text_writing import Occasion, figure_lines, minutes_of, occasion_in, occasion_of
from madang.assistants.works.understanding.guiding import forbidden
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph.reading import Heard
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
}
_STYLE = (
    "부드럽게",
    "정중",
    "짧게",
    "길면",
    "기분안",
    "기분나쁘지",
    "세게",
    "겁주",
    "친절",
    "공손",
    "예의",
    "딱딱",
    "이내로",
    "반장",
    "간단",
    "분량",
    "안주게",
    "안나오게",
    "않게",
    "수신자는",
    "받는사람",
)
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


def wants_text(text: str) -> str | None:
    """The kind of text that is to be written, None when none is. Forms and reports are documents of their own."""
    words, said = load("texts")["wanted"], Spoken(text)
    alone = any(word in said for word in words["alone"])
    if not alone and any(word in said for word in words["others"]):
        return None
    kinds = [(len(word), kind) for word, kind in words["kinds"].items() if word in said]
    if kinds and any(word in said for word in words["verbs"]):
        return str(max(kinds)[1])
    return "message" if alone or any(word in said for word in words["writes"]) else None


def only_said(text: str) -> bool:
    """Whether a message asks what to say and names no kind of text: a matter that the guide knows is told instead."""
    words, said = load("texts")["wanted"], Spoken(text)
    named = any(word in said for word in words["kinds"]) and any(word in said for word in words["verbs"])
    return not named and not any(word in said for word in words["writes"])


def text_wish(message: Incoming, kind: str, told: list[str], who: Mapping[str, str] | None) -> TextInput:
    """What to write, with what is known. `told` are the messages before this one, newest first."""
    text = message.text
    occasion = occasion_in(text) or (_answering(message) if only_said(text) else None)
    lines = _LINES.search(text)
    left_out = _left_out(message.heard)
    slots = _slots(message, told, who)
    findings = message.state.get("findings") or []
    count = int(parse_number(lines["n"]) or 5) if lines else 5
    slots["lines"] = "\n".join(_points_to_say(message, count))
    if findings:
        slots |= {
            "figures": "\n".join(figure_lines(findings[-4:])),
            "figures_line": findings[-1]["sentence"],
        }
    points = _points(message.heard)
    if not points and findings and not occasion:
        points = [one["sentence"] for one in findings[-3:]]
    if points:
        slots["points"] = "\n".join(f"- {one}" for one in points)
    minutes = _MINUTES.search(text)
    slots |= minutes_of(int(minutes["n"]) if minutes else 15)
    return {
        "kind": kind, "occasion": occasion.id if occasion else "", "audiences": _audiences(text), "slots": slots,
        "without": left_out, "lines": int(parse_number(lines["n"]) or 0) if lines and kind != "checklist" else None,
        "english": bool(re.search(r"영어|영문|english", text, re.IGNORECASE)),
        "note": occasion.note if occasion else "",
    }  # fmt: skip


def _answering(message: Incoming) -> Occasion | None:
    """A reply to what the guide has just said no to is a refusal."""
    topics = message.state.get("guide_topics") or []
    said_no = forbidden(topics) or "violation" in str((message.state.get("compliance_validation") or {}).get("status"))
    return occasion_of("refusal") if said_no else None


def fits(wish: TextInput, text: str) -> bool:
    """Whether what is written would be for that reader and of that matter: an occasion's text for a reader it has and
    with the figures it needs, a text of its own only of what the message tells to be said."""
    slots, occasion = wish["slots"], occasion_of(wish["occasion"])
    if occasion is None:
        points = slots.get("points", "")
        if not _points_typed(points, text):
            # The company's own figures are not for a customer.
            return bool(points) and "customer" not in wish["audiences"]
        listed = bool(re.search(r":|\n", text))
        return bool(points) and (listed or any(word in Spoken(points) for word in load("texts")["wanted"]["told"]))
    named = _readers(text)
    if named and not named & occasion.bodies.keys():
        return False
    return "figures_line" in slots or not occasion.of_figures


def _points_typed(points: str, text: str) -> bool:
    """Whether the points are the message's own words."""
    return any(one.removeprefix("- ") in text for one in points.splitlines())


def _readers(text: str) -> set[str]:
    """Whom a text is for, by the particle after them: 팀장님께; several 지점장들에게 are written to as colleagues."""
    said, found = squeeze(text), set()
    for name, words in load("texts")["audience"].items():
        for behind in chain.from_iterable(said.split(squeeze(word))[1:] for word in words):
            if match := _TO_THEM.match(behind):
                found.add("colleague" if match[1] and name == "boss" else name)
    return found


def _until(text: str) -> str:
    match = re.search(
        r"(?:다음\s?주|이번\s?주|이달|이번\s?달|내일|모레|\d{1,2}월\s?\d{1,2}일|\d{1,2}일)\s?(?:\S요일)?\s?까지", text
    )
    return match[0] if match else "( 날짜 )까지"


def _matter(text: str) -> str:
    """What a text is about, by the words before its kind: 면담 요청 문자, 재배치 안내하는 공지."""
    match = re.search(
        r"(?P<what>(?:[가-힣]{2,6}\s){0,2}[가-힣]{2,8}?)(?:하는|할|용)?\s?(?:메일|문자|공지|메시지|안내문|쪽지)", text
    )
    what = (
        re.sub(r"^(?:\S{1,6}(?:한테|에게|께|에)\s|보낼\s|올릴\s|그럼\s|하나\s)", "", match["what"].strip())
        if match
        else ""
    )
    return "" if what in {"보낼", "올릴", "드릴", "넣을", "인사"} else what


def _audiences(text: str) -> list[str]:
    said = Spoken(text)
    found = {name: [w for w in words if w in said] for name, words in load("texts")["audience"].items()}
    return [name for name, words in found.items() if words]


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
    slots["to"] = _addressed(text, slots)
    if days:
        shown = "·".join(map(_day, days[:3]))
        slots |= {"date": shown, "date_from": _day(days[0]), "date_short": f"{shown}에", "date_about": _day(days[0])}
    if patient := _PATIENT.search(" ".join([text, *told])):
        slots["patient"] = f"{patient['age']}대 {(patient['sex'] or '').replace('자', '성')}".strip()
    after = re.search(r"복용\S{0,3}\s?(?P<rest>.{0,12})", text)
    if after and (taking := _TAKING.search(after["rest"])):
        slots["taking"] = f"약 {taking['n']}{taking['unit']}"
    return slots


def _addressed(text: str, slots: Mapping[str, str]) -> str:
    to = _audiences(text)
    named = {"customer": "customer_to", "boss": "boss_to", "colleague": "colleague_to"}
    found = next((slots[named[one]] for one in to if one in named), "")
    return f"{found} " if found else ""


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
        (f"{word}님," for word in ("지점장", "본부장", "부사장", "회장", "대표", "팀장") if word in text), "팀장님,"
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
        tail = before[-14:]
        words += [noun for noun in nouns if noun in tail and noun not in _NOT_MEANT]
    return list(dict.fromkeys(words))


def _points(heard: Heard) -> list[str]:
    """What the message tells to be said, as typed: its clauses without the request itself, its style and its asides."""
    words = load("texts")["wanted"]
    text = heard.message.text
    points = []
    for start, end in heard.message.clauses:
        clause = _after_request(text[start:end]).strip(" .,!?~\n")
        said = Spoken(clause)
        asks = any(word in said for word in words["kinds"]) and any(word in said for word in words["verbs"])
        asks = asks or any(word in said for word in (*words["alone"], "써줘", "써주", "써봐", "적어줘", "보내게"))
        style = any(word in said for word in _STYLE) or _LEFT_OUT.search(clause)
        if (
            clause
            and not asks
            and not style
            and len(clause) > _WORD
            and not clause.startswith(("알겠", "감사", "그럼", "그라믄"))
        ):
            points.append(_as_said(clause))
    return points


def _as_said(clause: str) -> str:
    """ "다음주까지 방문하라고" as it is said to the reader: 다음주까지 방문해 주세요."""
    asked = re.sub(r"하라(?:고|는)$", "해 주세요", clause)
    return re.sub(r"(?<=[가-힣]{2})(?:다고|라고|이라고)(?:요|해요)?$", "", asked) if asked == clause else asked


def _after_request(clause: str) -> str:
    """What follows a request in the same breath: "짧게 써줘 햇살은 문닫음"."""
    match = re.search(r"(?:써|적어|만들어)\s?(?:줘요?|주세요|봐|주이소)\s(?P<rest>\S[\s\S]{4,})", clause)
    return match["rest"] if match else clause


_WORD = 3


def _points_to_say(message: Incoming, count: int) -> list[str]:
    """Lines for a meeting from what was found: the state first, then what moved, then what is to be done."""
    findings = message.state.get("findings") or []
    nameless = bool(re.search(r"이름\S{0,3}\s?(?:\S{0,6}\s?){0,3}(?:빼|말고|없이)", message.text))
    told = [_nameless(one["sentence"], message) if nameless else one["sentence"] for one in findings[-3:]]
    closing = [
        "잘된 거래처와 제품의 방법을 서로 나누겠습니다.",
        "줄어든 거래처와 제품은 이유를 확인해 이번 주 안에 방문 계획을 세웁니다.",
        "남은 기간에는 오래 못 간 거래처부터 방문하고 결과를 남깁니다.",
        "막힌 곳과 필요한 지원은 회의에서 바로 말씀해 주세요.",
    ]
    lines = [one for one in told if one] + closing
    return [f"{number}. {line}" for number, line in enumerate(lines[:count], 1)]


def _nameless(sentence: str, message: Incoming) -> str:
    """The sentences of a finding that name nobody."""
    told = re.split(r"(?<=[.])\s", sentence)
    names = [
        [o for o in scan(one, message.lexicon) if (o.meaning.name, o.meaning.role) == ("rep", "value")] for one in told
    ]
    return " ".join(one for one, found in zip(told, names, strict=True) if not found)
