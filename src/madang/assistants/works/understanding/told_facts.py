"""What a conversation has told so far, as a note has it; and what a message wants to be said, as it is said."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from madang.assistants.works.data import load
from madang.assistants.works.tools.guide import Spoken
from madang.text.clauses import quotes_of, sentences_of
from madang.text.endings import kind_of, noted, told
from madang.text.morphemes import morphemes

MOST, LONG, SHORT = 10, 90, 5
_OPENS = re.compile(
    r"^(?:(?:아|어|음|네|넵|예|응|휴|하|그리고|그런데|근데|그럼|참|아참|사실|그냥|일단|솔직히|참고로|암튼|아무튼|글고|저기)[\s,.…]{1,3}){1,4}"
)
_INSTEAD = re.compile(
    r"(?:^|.*\s)(?P<old>[가-힣0-9]{2,10}?)(?:은|는|이|가)?\s?(?:아니(?:고|라)|말고)\s(?P<new>[가-힣0-9 ]{2,20}?)"
    r"(?:임|이?었음|이?였음|요)?$"
)
_ASKS = re.compile(
    r"(?<![가-힣])(?:어디|얼마|누가|누구|뭐|뭘|뭔|무슨|왜|몇\s?(?:개|등|곳|위|명|군데))(?![가-힣]{0,2}\s?(?:모르|든))"
)
# What a message lists to be told: things to do (참석자 다 쓰기, …), what stands after a colon, a day or a sum.
_DOING = re.compile(r"기(?=,|\.|$|\s*\()")
_HEADED = re.compile(r"(?:포인트|내용|요청|확인|사항|가지|안내)[^:]{0,12}:")
_GIVEN = re.compile(r"\d")
_TO = re.compile(r"^[가-힣A-Za-z]{1,8}(?:께|한테|에게)(?:는|도)?\s(?:보낼\s)?")
_WISHED = re.compile(r"(?:만|포함|으로|하게|쪽으로|좀|줄씩|처럼)(?:요)?$|^(?:단|다만)")
_LISTED = re.compile(r"\d|:|,.+,|·")


_ONLY = re.compile(r"(?P<of>[가-힣A-Za-z0-9]{2,10})\s.{0,30}[라다]고만\s?(?:쓰|써|적|말|하|해)")
_ORDERS = re.compile(
    r"(?:해|써|짜|뽑아|적어|만들어|보여|알려|정리해|고쳐)\s?(?:줘|주세요|주십|주이소)|(?:쓰|넣|빼|적)고요?$|(?<![가-힣])(?:이거|이건|그거|그건)\s?\S{0,3}(?:뺌|빼|뺄|이야)"
)
_IDENTITY = re.compile(r"생년월일|주민\s?번호|환자\s?(?:이름|성함|실명)|차트\s?번호")
_HANGUL = re.compile(r"[가-힣]")


def _wanted() -> dict[str, Any]:
    return cast(dict[str, Any], load("texts")["wanted"])


def told_facts(messages: Iterable[str]) -> list[str]:
    """What the messages, the oldest first, tell of what happened, in their order; a correction ("두 시 아니고 네 시")
    changes what it corrects. What is asked, ordered or only felt is left out."""
    facts: list[str] = []
    for text in messages:
        for sentence in pieces(text):
            if only := _ONLY.match(_opened(sentence)):
                # "3팀 사정은 인력변동이라고만 써": nothing else of it is told.
                facts = [one for one in facts if only["of"] not in one]
                continue
            if _corrected(facts, _opened(sentence)):
                continue
            if (fact := _fact(sentence)) and fact not in facts:
                facts.append(fact)
    return facts[-MOST:]


def sayings(text: str) -> list[str]:
    """What a message wants to be told to somebody: its reported clauses and what it lists."""
    found = []
    for sentence in pieces(text):
        listed = len(_DOING.findall(sentence)) > 1 or bool(_HEADED.search(sentence)) or _is_list(sentence)
        for clause in _clauses(sentence):
            plain = _TO.sub("", _opened(clause))
            if _is_style(plain) and not told(plain):
                continue
            if said := told(plain):
                found.append(said)
            elif not is_request(plain) and (listed or _GIVEN.search(plain)) and kind_of(plain) == "other":
                found += [plain.strip(" .,")] if len(plain) >= SHORT - 1 and not _WISHED.search(plain) else []
    return list(dict.fromkeys(found))


def _is_list(sentence: str) -> bool:
    """ "발령 사유, 인센티브 보전, 단축 시작일": three short things and no predicate."""
    items = sentence.split(",")
    return len(items) > _FEW and all(0 < len(one.strip()) <= _ITEM for one in items) and kind_of(sentence) == "other"


_FEW, _ITEM = 2, 16


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for a text: 메일 하나 써 줘, 보고할 거 두 줄만."""
    wanted, said = _wanted(), Spoken(sentence)
    named = any(word in said for word in wanted["kinds"])
    return kind_of(sentence) == "order" or (
        named and (any(word in said for word in wanted["verbs"]) or _ends_in(sentence))
    )


def _ends_in(sentence: str) -> bool:
    """Whether a sentence ends in the kind of text that is wanted: "사과 문자요", "본부장 보고 다섯 줄"."""
    kinds = "|".join(sorted(_wanted()["kinds"], key=len, reverse=True))
    plain = re.sub(r"[\s.!?~ㅠㅜㅎㅋ,]", "", sentence)
    if re.search(rf"(?:{kinds})(?:이?요|도요)(?=\s|[.,!]|$)", sentence):
        return True
    return bool(re.search(rf"(?:{kinds})[가-힣0-9]{{0,3}}(?:요|만|도|좀|하나|둘다|반장|한장)?$", plain))


def pieces(text: str) -> Iterator[str]:
    """The sentences, also where no mark ends one."""
    for start, end in sentences_of(text):
        yield from _cut(text[start:end], {"EF"})


def _clauses(sentence: str) -> Sequence[str]:
    return [
        one for one in re.split(r"(?<=[고며])(?<![다라자]고)\s|[,;]\s|\s?(?:그리고|\d\))\s", sentence) if one.strip()
    ]


def _cut(sentence: str, tags: set[str]) -> Iterator[str]:
    at, last, quotes = 0, -1, quotes_of(sentence)
    for one in morphemes(sentence):
        if any(start < one.start <= end for start, end in quotes):
            last = -1
            continue
        if last > at and one.start > last and sentence[last : one.start].isspace():
            yield sentence[at:last].strip()
            at = last
        if one.tag in tags or (one.tag == "EC" and last - at >= 0 and one.end - at > LONG):
            last = one.end
        elif (one.tag, one.form) != ("JX", "요") and not one.tag.startswith("S"):
            last = -1
        elif last >= 0:
            last = one.end
    if sentence[at:].strip():
        yield sentence[at:].strip()


def _fact(sentence: str) -> str:
    plain = _opened(sentence).strip(" .…~ㅠㅜㅋㅎ^;")
    kind = kind_of(sentence)
    if kind in {"ask", "order"} or is_request(sentence) or _is_style(plain):
        return ""
    if _ASKS.search(plain) or _ORDERS.search(plain) or _IDENTITY.search(plain) or not _HANGUL.search(plain):
        return ""
    if kind == "other" and (
        re.search(r"으?로요?$", plain)
        or not _LISTED.search(plain)
        or any(word in Spoken(plain) for word in _wanted()["views"])
    ):
        return ""
    if sum(map(str.isalnum, plain)) < SHORT or any(word in Spoken(plain) for word in _wanted()["felt"]):
        return ""
    return noted(plain) if kind == "tell" else plain


def _opened(sentence: str) -> str:
    return _OPENS.sub("", sentence.strip())


def _is_style(sentence: str) -> bool:
    """Whether a sentence only says how the text is to be."""
    said = Spoken(sentence)
    return any(word in said for word in _wanted()["style"])


def _corrected(facts: list[str], sentence: str) -> bool:
    """Whether a sentence puts right what was told before ("두 시 아니고 네 시"), which then has the new words."""
    match = _INSTEAD.match(noted(sentence.strip(" .,!~")))
    if match is None or not _is_named(match["new"]):
        return False
    old, new = match["old"], match["new"].strip()
    at = next((i for i in range(len(facts) - 1, -1, -1) if re.search(rf"(?<!\S){old}", facts[i])), None)
    if at is None:
        return False
    facts[at] = re.sub(rf"(?<!\S){old}", new, facts[at])
    rest = re.sub(r"(?:이?고|이며|,)$", "", match.string[: match.start("old")].strip())
    if sum(map(str.isalnum, rest)) >= SHORT:
        facts.append(rest)
    return True


def _is_named(words: str) -> bool:
    """Whether words are a thing, a number or a time, no action."""
    return not any(one.tag.startswith(("VV", "VA", "XSV", "XSA")) for one in morphemes(words))
