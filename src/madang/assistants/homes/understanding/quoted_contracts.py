"""What a message quotes of a contract, and which of its blanks it fills."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from madang.assistants.homes.tools.document_fields import read_fields

State = Mapping[str, Any]
ASKS = re.compile(r"[?？]\s*$|(?:알려|찾아|계산해|비교해|검토해|만들어)\s?(?:줘|주세요)")
_STREET = re.compile(
    r"((?:[가-힣]{1,8}(?:시|군)\s{1,3})?[가-힣]{1,8}(?:구|군|시)\s{1,3}[가-힣0-9]{1,12}(?:로|길|동|가)\s?\d{1,5}(?:-\d{1,5})?"
    r"(?:\s?\d{1,5}동)?(?:\s?\d{1,5}호)?)"
)
_REQUEST = re.compile(
    r"검토|봐\s?(?:줘|주|줄)|확인해|괜찮|문제|불리|독소|이상한|이상해|불공정|위험한|살펴|어때|효력|유효|무효|맞아|맞나"
)
_SIGNS_IT = re.compile(r"(?:넣|써|적|사인|서명|도장|동의)[가-힣]{0,4}\s?(?:도\s?)?(?:되|돼|될|괜)")
_QUOTE_TAIL = re.compile(
    r"\s{0,3}(?:(?:이?라고|이?라는|다고|다는)\s?(?:써|적|되|돼|하|쓰|특약|조항|말|나와|있|넣|요구|내용|문구|계약)"
    r"|(?:<-|←|,?\s이런|,?\s이)\s?(?:이런|이)?\s?(?:특약|조항|문구|내용))(?s:.*)"
)
_QUOTE_HEAD = re.compile(
    r"^\s*(?:(?:이|저|제|우리|아래|다음)\s*)?(?:임대차\s?)?(?:특약|계약서|조항|계약)(?:사항)?(?:에서?|을|이|은|는)?\s*(?:[:：]\s*)?"
)
# What somebody said is in quotation marks too: "'석 달 밀렸으니 나가라' 그러네요".
_SPEECH = re.compile(
    r"\s{0,2}(?:이?라고|이?라며|이?라면서|면서|래요?|하고)?\s{0,2}(?:그러|그랬|그래요|하네|하던|하더|해요|했|하시|말|문자|카톡|톡|왔|보내|우기|써\s?(?:놨|놓))"
)
QUOTED = re.compile(r"“[^“”]{8,}”|‘[^‘’]{8,}’|「[^「」]{8,}」|\"[^\"]{8,}\"|'[^']{8,}'")
_SENTENCE = re.compile(r"(?<=[?？!])\s+|(?<=[다함음임]\.)\s+|\n+")
_CLAUSE_WORDS = re.compile(
    r"임대인|임차인|세입자|집주인|매도인|매수인|보증금|월세|차임|특약|수리|원상|갱신|해지|위약|전대|계약금|관리비"
)
_CLAUSE_END = re.compile(
    r"(?:한다|않는다|없다|있다|된다|아니한다|하기로|못한다|함|음|합니다|습니다|부담)\s*[.。]?(?:\s|$)"
)
# A person telling a story ends sentences politely too: only the plain endings of a document count there.
_TELLS = re.compile(r"[?？ㅠㅜ]|나요|까요|는데요|[어아]요(?![가-힣])|네요|거든요|저는|제가|저희|습니까|하셨|주세요")
_PLAIN_END = re.compile(r"(?:한다|않는다|아니한다|하기로|못한다|할 수 없다|부담함|하여야 함)\s*[.。]?(?:\s|$|’|'|\")")


def contract_in(message: str, state: State, *, asks: bool = False) -> str | None:
    """The contract or clause that a message quotes, without the request around it; None if it quotes none.

    `asks`: the message asks something, so that a clause in quotation marks is what it asks about; so it is after a
    review.
    """
    waiting = (state.get("pending") or {}).get("kind") == "contract_text"
    about = bool(re.search(r"특약|계약서|조항|계약|문구|제\s?\d+\s?조", message))
    asked = about and bool(_REQUEST.search(message) or _SIGNS_IT.search(message))
    text = _without_request(message)
    marked = bool(_quotes(message))
    told = not marked and bool(_TELLS.search(message))
    clauses = len((_PLAIN_END if told else _CLAUSE_END).findall(text))
    words = set(_CLAUSE_WORDS.findall(text))
    long = len(text) > 120 and clauses >= 2 and len(words) >= 3
    asked = asked or (marked and clauses >= 1 and (asks or state.get("last_intent") == "contract_review"))
    quoted = asked and len(text) >= 12 and (clauses >= 1 or marked) and bool(words)
    given = waiting and len(text) >= 12 and bool(words)
    return text if long or quoted or given else None


def _quotes(message: str) -> list[str]:
    """What is in quotation marks and was not said by somebody."""
    about = re.search(r"특약|조항|문구|계약서", message)
    return [one[0] for one in QUOTED.finditer(message) if about or not _SPEECH.match(message, one.end())]


def _without_request(message: str) -> str:
    """The clauses alone: what is in quotation marks, or what is left without the sentences that ask."""
    if quotes := _quotes(message):
        return "\n".join(one[1:-1] for one in quotes)
    kept = []
    for sentence in _SENTENCE.split(message.strip()):
        told = _QUOTE_TAIL.sub("", sentence)
        if told != sentence:
            kept.append(_QUOTE_HEAD.sub("", told))
        elif not (_REQUEST.search(sentence) and (ASKS.search(sentence) or len(sentence) < 40)):
            kept.append(sentence)
        elif ":" in sentence or "：" in sentence:
            kept.append(re.split(r"[:：]", sentence, maxsplit=1)[1])
    return "\n".join(part for part in kept if part.strip()).strip()


def document_values(message: str, today: date) -> dict[str, Any]:
    """Blanks of a contract that a message fills. A number in an address (월드컵로 12) is no sum."""
    found = dict(read_fields(message, today))
    if "address" not in found and (street := _STREET.search(message)):
        found["address"] = street[1].strip()
    if address := found.get("address"):
        found = {**read_fields(message.replace(str(address), " "), today), "address": address}
    return found
