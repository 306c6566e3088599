"""What is refused, whoever asks: changing the data, other companies' and personal data, figures of the future."""

import re
from functools import cache
from typing import Literal

from madang.assistants.works.data import load
from madang.assistants.works.understanding.export_requests import wants_export
from madang.graph.reading import Heard
from madang.text.parsed import blanked

Refusal = Literal["reject_write", "reject_access", "unsupported_forecast"]

_ASK = r"(?:해|하|시켜|부탁|바랍|처리|요청|할\s?것|해라|하자|하세요|해\s?줘|해주|합시다|좀\s?해)"
_CHANGE = re.compile(
    rf"(?:삭제|수정|변경|정정|추가|등록|입력|업데이트|갱신|초기화|리셋|조정|교체|이관|반영|조작|말소|폐기|인상|인하|상향|하향|덮어쓰기)"
    rf"\s?(?:을|를|좀|도)?\s?{_ASK}"
    r"|(?:지워|없애|바꿔|바꾸|고쳐|고치|넣어|올려|내려|낮춰|낮추|늘려|줄여|높여|높이|덮어\s?써|부풀려|맞춰|날려|갈아|옮겨|추가|합쳐서\s?저장)"
    r"\s?(?:놔|놓|버리|버려|주세|줘|주(?!는|던|신)|줄(?!수록)|라|달라|두|둬|고\s?싶|자|야|면\s?안|쓰)"
    r"|(?:으로|로)\s?(?:만들어|세팅|설정|기록|해\s?놔|해놔|잡아)\s?(?:줘|주|놔)?|0원?으로\s?(?:해|만들)|없던\s?걸로"
    r"|(?:삭제|수정|변경|정정|업데이트|초기화|갱신|제거|등록|추가|조정)\s*(?:바람|요망|부탁)?\s*[.!~]*$|제거\s?(?:해|하)|원\s?(?:을|를|씩)?\s?(?:더해|추가해|얹어|보태)"
)
_SQL_WRITE = re.compile(
    r"\b(?:drop|delete|update|insert|truncate|alter|create|grant|revoke|attach|copy|pragma|merge|replace|vacuum|load|install)\b"
    r"\s+\w+",
    re.IGNORECASE,
)
_SQL_READ = re.compile(
    r"\bselect\b(?:(?!\bselect\b).)+?\bfrom\b|\bunion\s+(?:all\s+)?select\b|company_id\s*(?:=|!=|<>|in\b|or\b)",
    re.I | re.S,
)
# What someone else wants or what might be said is told, not ordered: "바꿔달라고 하면 되나요", "바꿔야 한다고".
_REPORTED = re.compile(
    r"달라(?:고|는|카|캐)|라고\s?하(?:면|시|는|세)|해야\s?한다고|(?:야|다)고\s?(?:하|해|그|난리)|(?:바꿔|고쳐|빼)도\s?(?:되|돼)"
)
_OF_SALES = re.compile(r"매출|실적|목표|데이터|테이블|등급|단가|원본|레코드|디비", re.IGNORECASE)
_DATA = re.compile(
    r"매출|실적|목표|데이터|거래처|등급|방문\s?기록|담당|사원|테이블|단가|가격|정보|수량|판매|제품|품목|고객|명단|내역|레코드"
    r"|숫자|수치|디비|db|달성|성과|약값|병원|의원|약국|판촉비|이름|코드|기록|내과|외과",
    re.IGNORECASE,
)
_PRESENTATION = re.compile(
    r"(?<![가-힣])(?:그래프|차트|표|단위|정렬|순서|기간|기준|월별|일별|분기별|연도별|지점별|팀별|지역별|제품별|담당자별|엑셀|다운|화면|형식|막대|선|원형"
    r"|조건)(?:로|으로|을|를|은|는|도)?\s?[^.]{0,6}(?:바꿔|바꾸|변경|내려|수정|보여|맞춰|옮겨|추가|넣어|만들|그려)"
    r"|(?:지난달|이번\s?달|작년|올해|지난\s?주|분기|상반기|하반기|\d월|별)(?:로|으로)\s?(?:바꿔|변경|수정|고쳐)"
    r"|(?:수량|매출|달성률|방문\s?수?|비중|목표|금액|증감률)도\s?(?:같이|함께)?\s?(?:추가|넣어|보여)"
    r"|\d\s?(?:개|명|곳)[^.]{0,8}?(?:로|으로|만)\s?(?:줄여|보여|바꿔|늘려)"
)
_PAPER = r"(?:보고서|신청서|문서|일지|양식|품의서|기안서?|리포트|레포트|계획서|제안서|초안|서류|회의록|방문록|품의)"
_FORECAST = re.compile(
    r"예측|전망|예상(?!보다|\s?대비|외)|추정|추산|forecast|predict|될까|될\s?것\s?같|할\s?것\s?같|(?<!요)일까(?!지)|팔릴까|나올까|나올\s?것|오를까|떨어질까|(?<!오)늘까(?!지)|(?:이|가|도|은|는)\s줄까\?|달성할까"
    r"|달성할\s?수\s?있|가능할까|할\s?수\s?있을까|넘을\s?수\s?있|찍을\s?수\s?있|채울\s?수\s?있|앞으로|향후|얼마나\s?팔|시뮬레이션|팔\s?수\s?있을|될지|할지|어떻게\s?될|늘어날까|줄어들까|도달할|팔까|벌까|찍을까|채울까|마감하면",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"매출|실적|판매|팔|달성|목표|성장|수량|방문\s?(?:횟수|수)|점유|비중|얼마|숫자|마감|벌|찍|추이|증가|감소|오를|떨어|늘|줄|도달|시장"
)
_FUTURE = re.compile(
    r"다음\s?(?:달|분기|해|반기|월)|담달|내달|내년|내후년|차월|익월|차기|차년도|(?:연말|월말|분기말|올해\s?말|이번\s?달\s?말|년말|하반기\s?말)(?:까지|에|이면|엔|쯤)"
)
_OTHERS = re.compile(
    r"(?<![A-Za-z])[A-Z]사(?:의)?\s?(?:자료|데이터|문서|매출|실적)|경쟁\s?(?:사|업체|회사|제약)|타사|타\s?(?:회사|제약|업체|기업|법인)|다른\s?(?:회사|제약사|업체|기업|법인|고객사)|남의\s?회사|상대\s?회사|라이벌|(?:옆|저쪽)\s?회사"
    r"|(?<![가-힣A-Za-z])[가-힣A-Za-z]{1,8}(?:제약|약품|파마|바이오팜|바이오로직스|헬스케어|메디칼|팜)(?:의|이|은|는|과|와|랑|이랑|쪽)?\s?(?:의\s?)?"
    r"(?:매출|실적|데이터|영업|거래처|판매|수량|점유율|목표|정보|자료|방문|고객)"
    r"|전\s?회사|모든\s?회사|회사\s?전체\s?목록|타사\s?대비|업계\s?(?:전체|순위|평균)"
)
_OTHERS_DATA = re.compile(
    r"매출|실적|데이터|자료|문서|판매|점유율|수량|순위|평균|정보|목표|거래처|영업|신약|가격|대비|방문|고객|목록"
)
_OWN = re.compile(r"우리\s?(?:회사|제약)|마루제약")
_PERSON = (
    r"(?:원장|의사|교수|선생|닥터|약사|약국장|병원장|과장님|전공의|간호사|환자|의료진|의료인|처방의|원장님|고객|담당자|직원|사원|팀장|대표|키닥터|key\s?doctor"
    r"|[가-힣]{2,4}\s?(?:씨|님|대리|사원))"
)
_PRIVATE = (
    r"(?:휴대폰|핸드폰|폰\s?번호|폰번호|전화번호|전번|연락처|개인\s?번호|집\s?주소|자택|사는\s?곳|어디\s?살|주소|주민|생년월일|생일|나이|이메일|메일\s?주소"
    r"|계좌|통장|(?:가족|자녀|배우자)\s?(?:이름|정보|직업|관계)|연봉|급여|월급|학력|학번|출신\s?(?:학교|대학)|종교|취미|개인정보|개인\s?정보|신상|인스타|카톡\s?(?:아이디|id)|병력|면허\s?번호|재산)"
)
_PERSONAL = re.compile(
    rf"{_PERSON}[^.?!\n]{{0,14}}{_PRIVATE}|{_PRIVATE}[^.?!\n]{{0,10}}{_PERSON}|주민\s?(?:등록)?번호|개인\s?정보|신상\s?정보|면허\s?번호"
    rf"|환자[^.?!\n]{{0,8}}(?:명단|정보|리스트|목록|이름|기록|차트|데이터|수|내역|개인)|(?:의사|원장|교수|처방의)[^.?!\n]{{0,6}}(?:개인별\s?)?처방\s?(?:내역|패턴|데이터|기록|량|건수)",
    re.IGNORECASE,
)
_OFF_TOPIC = re.compile(
    r"날씨|점심\s?메뉴|저녁\s?메뉴|뭐\s?먹|주식|로또|코인|농담|노래|영화|축구|야구|연예|환율|번역|코딩"
)
_FUTURE_TARGET = re.compile(r"목표(?!\s?(?:달성|대비|를?\s?(?:채|넘|달)))")


def refusal_of(heard: Heard, *, editing: bool = False) -> Refusal | None:
    """Why a message is refused, if it is. While a document is open (`editing`) changing a value is no write of data."""
    # What is quoted is material, not what is wanted.
    whole = blanked(heard.message.text, heard.message.quotes)
    sentences = [whole[start:end] for start, end in heard.message.sentences] or [whole]
    if any(wants_write(text) and not (editing and not _OF_SALES.search(text)) for text in sentences):
        return "reject_write"
    if any(wants_foreign(text) for text in sentences):
        return "reject_access"
    return "unsupported_forecast" if any(wants_forecast(text) for text in sentences) else None


def wants_write(text: str) -> bool:
    """Whether the data should be changed."""
    if _SQL_WRITE.search(text):
        return True
    if wants_export(text) or not _CHANGE.search(text) or _PRESENTATION.search(text) or _REPORTED.search(text):
        return False
    if re.search(_PAPER, text):
        return False
    return bool(_DATA.search(text))


def wants_foreign(text: str) -> bool:
    """Whether another company's data, a person's private data or raw access is asked for."""
    if _PERSONAL.search(text) or _SQL_READ.search(text) or _foreign_names().search(text):
        return True
    return (
        bool(_OTHERS.search(text))
        and bool(_OTHERS_DATA.search(text))
        and not (_OWN.search(text) and "제약" in text and not re.search("경쟁|타사|다른", text))
    )


@cache
def _foreign_names() -> re.Pattern[str]:
    """A person's private data by name, or a known company's figures."""
    words = load("words")
    return re.compile(
        rf"(?<![가-힣])[{words['surnames']}][가-힣]{{1,2}}(?:의|님|씨)?\s?"
        r"(?:연봉|급여|월급|전화번호|휴대폰|핸드폰|연락처|집\s?주소|생일|주민|이메일|나이)"
        rf"|(?<![가-힣A-Za-z])(?:{'|'.join(words['companies'])})(?:의|이|은|는|과|와|랑|이랑)?\s?(?:의\s?)?"
        r"(?:매출|실적|데이터|영업|거래처|판매|수량|점유율|목표|정보|자료|방문|고객|신약|제품)",
        re.IGNORECASE,
    )


def wants_forecast(text: str) -> bool:
    """Whether figures of the future are asked for. A target of the future is data, not a forecast."""
    if _FORECAST.search(text):
        return bool(_FIGURE.search(text))
    if re.search(r"지난|작년|올해|이번|최근|\d{1,2}월", text) and not re.search(r"연말까지|내년|다음", text):
        return False
    return bool(_FUTURE.search(text)) and bool(_FIGURE.search(text)) and not _FUTURE_TARGET.search(text)


def is_off_topic(text: str) -> bool:
    """Whether the text is about something that no agent does."""
    return bool(_OFF_TOPIC.search(text))
