"""What is wanted at all: a figure, a document, a check, a search; or something that is refused."""

import re
from functools import cache
from typing import Literal

from madang.assistants.works.data import load
from madang.assistants.works.understanding.export_requests import wants_export
from madang.text.cues import cue_kinds

Wish = Literal["document", "compliance", "retrieval", "storage", "smalltalk"]

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
_DATA = re.compile(
    r"매출|실적|목표|데이터|거래처|등급|방문|담당|사원|테이블|단가|가격|정보|수량|판매|제품|품목|고객|명단|지점|팀|내역|금액|레코드|행"
    r"|자료|숫자|수치|디비|db|달성|성과|약값|병원|의원|약국|비용|판촉|이름|코드|기록|전부|모두|다\s"
    r"|내과|외과|건(?:을|은|도)?\s|원으로|\d월",
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
_DOCUMENT = re.compile(
    rf"{_PAPER}\S{{0,4}}\s?[^.?!\n]{{0,14}}?(?:작성|만들|맹글|써|쓰|쓸|뽑|생성|초안|준비|정리|부탁|출력|채워|기안|올려|제출|해\s?줘|해주|필요|수정|고쳐|바꿔|양식)"
    rf"|(?:작성|초안|만들어)[^.?!\n]{{0,8}}{_PAPER}|방문\s?(?:내용|결과)[^.]{{0,6}}(?:정리|작성)"
    rf"|^\s*\S{{0,12}}\s?\S{{0,6}}{_PAPER}\s*$"
)
_BENEFIT = (
    r"(?:식사|식대|밥|점심|저녁|회식|선물|골프|접대|향응|상품권|기프트|현금|기념품|판촉물|강연료|강의료|자문료|견본품|샘플|숙박|항공|교통비"
    r"|경조사|조의금|부의금|축의금|화환|후원|지원|여행|공연|티켓|술|와인|커피|도시락|할인|리베이트|사례비|장비|경품|설명회|세미나|학회|연수|명절|케이크|과일)"
)
_ALLOWED = (
    r"(?:해도|줘도|드려도|사도|써도|가도|내도|보내도|쳐도|받아도|대접해도|제공해도|지원해도)\s?(?:되|돼|될|괜찮|문제|무방|상관)"
    r"|(?:되나|되는지|되나요|될까|돼요?\?|괜찮|가능한?가?|문제\s?(?:없|되|있)|위반|걸리|불법|합법|허용|얼마까지|한도|써도\s?되|줄\s?수\s?있|드릴\s?수\s?있|해도\s?되)"
)
_RULE = (
    r"(?:규정|규약|컴플라이언스|준법|리베이트|청탁금지|김영란|약사법|의료법|공정경쟁|법규|법률|사내\s?기준|내규|CP규정|cp\s?기준|지침|법령"
    r"|시행규칙|지출보고서)"
)
_CHECK = re.compile(
    rf"{_RULE}[^.?!\n]{{0,16}}(?:봐|검토|확인|체크|점검|검증|괜찮|되나|돼\?|되는지|가능|걸리|문제|위반|맞는|어긋|저촉|통과)"
    rf"|(?:검토|점검|검증|확인|체크)[^.?!\n]{{0,8}}{_RULE}|{_BENEFIT}[^.?!\n]{{0,24}}(?:{_ALLOWED})"
    rf"|(?:위반|적법|준법|규정)\s?(?:여부|인지|인가|이야|일까|아닌가|아니야)|컴플라이언스",
    re.IGNORECASE,
)
_SEARCH = re.compile(
    rf"(?:{_RULE}|{_PAPER}|매뉴얼|자료|공지|문헌|기록|내규|메모|파일)[^.?!\n]{{0,14}}(?:찾아|검색|알려|보여|어디|내용|뭐야|뭐라|설명|조회|궁금|있어|있나|요약)"
    rf"|(?:검색|찾아)\s?(?:해|봐|줘|주)|^\s*[^?]{{0,14}}{_RULE}\s*\??$",
    re.IGNORECASE,
)
_STORE = re.compile(
    r"(?:저장|보관|파일링|아카이브|적재|남겨|기록)\s?(?:해|하|좀|을|를|줘|주|둬|놔|부탁|시켜)|(?:올려|넣어|저장해)\s?(?:둬|두|놔)|남겨\s?(?:줘|놔|둬|두|주)"
)
_FORECAST = re.compile(
    r"예측|전망|예상(?!보다|\s?대비|외)|추정|추산|forecast|predict|될까|될\s?것\s?같|할\s?것\s?같|일까|팔릴까|나올까|나올\s?것|오를까|떨어질까|(?<!오)늘까(?!지)|줄까\?|달성할까"
    r"|달성할\s?수\s?있|가능할까|할\s?수\s?있을까|넘을\s?수\s?있|찍을\s?수\s?있|채울\s?수\s?있|앞으로|향후|얼마나\s?팔|시뮬레이션|팔\s?수\s?있을|될지|할지|어떻게\s?될|늘어날까|줄어들까|도달할|팔까|벌까|찍을까|채울까|마감하면",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"다음\s?(?:달|분기|주|해|반기|월)|담달|내달|내년|내후년|차월|익월|차기|차년도|(?:연말|월말|분기말|올해\s?말|이번\s?달\s?말|년말|하반기\s?말)(?:까지|에|이면|엔|쯤)"
)
_OTHERS = re.compile(
    r"경쟁\s?(?:사|업체|회사|제약)|타사|타\s?(?:회사|제약|업체|기업|법인)|다른\s?(?:회사|제약사|업체|기업|법인|고객사)|남의\s?회사|상대\s?회사|라이벌|(?:옆|저쪽)\s?회사"
    r"|(?<![가-힣A-Za-z])[가-힣A-Za-z]{1,8}(?:제약|약품|파마|바이오팜|바이오로직스|헬스케어|메디칼|팜)(?:의|이|은|는|과|와|랑|이랑|쪽)?\s?(?:의\s?)?"
    r"(?:매출|실적|데이터|영업|거래처|판매|수량|점유율|목표|정보|자료|방문|고객)"
    r"|전\s?회사|모든\s?회사|회사\s?전체\s?목록|타사\s?대비|업계\s?(?:전체|순위|평균)"
)
_OWN = re.compile(r"우리\s?(?:회사|제약)|마루제약")
_PERSON = (
    r"(?:원장|의사|교수|선생|닥터|약사|약국장|병원장|과장님|전공의|간호사|환자|의료진|의료인|처방의|원장님|고객|담당자|직원|사원|팀장|대표|키닥터|key\s?doctor"
    r"|[가-힣]{2,4}\s?(?:씨|님|대리|사원))"
)
_PRIVATE = (
    r"(?:휴대폰|핸드폰|폰\s?번호|폰번호|전화번호|전번|연락처|개인\s?번호|집\s?주소|자택|사는\s?곳|어디\s?살|주소|주민|생년월일|생일|나이|이메일|메일\s?주소"
    r"|계좌|통장|가족|자녀|배우자|연봉|급여|월급|학력|학번|출신\s?(?:학교|대학)|종교|취미|개인정보|개인\s?정보|신상|사진|인스타|카톡|sns|병력|면허\s?번호|재산)"
)
_PERSONAL = re.compile(
    rf"{_PERSON}[^.?!\n]{{0,14}}{_PRIVATE}|{_PRIVATE}[^.?!\n]{{0,10}}{_PERSON}|주민\s?(?:등록)?번호|개인\s?정보|신상\s?정보|면허\s?번호"
    rf"|환자[^.?!\n]{{0,8}}(?:명단|정보|리스트|목록|이름|기록|차트|데이터|수|내역|개인)|(?:의사|원장|교수|처방의)[^.?!\n]{{0,6}}(?:개인별\s?)?처방\s?(?:내역|패턴|데이터|기록|량|건수)",
    re.IGNORECASE,
)
_OFF_TOPIC = re.compile(
    r"날씨|점심\s?메뉴|저녁\s?메뉴|뭐\s?먹|주식|로또|코인|농담|노래|영화|축구|야구|연예|환율|번역|코딩"
)
_ANALYSIS = re.compile(r"분석|뽑아서|조회해서|계산해서|보여주고|알려주고|구해서|가지고|바탕|토대|정리해서\s?보고|기반")
_FUTURE_TARGET = re.compile(r"목표(?!\s?(?:달성|대비|를?\s?(?:채|넘|달)))")


def wants_write(text: str) -> bool:
    """Whether the data should be changed."""
    if _SQL_WRITE.search(text):
        return True
    if wants_export(text) or not _CHANGE.search(text) or _PRESENTATION.search(text):
        return False
    if re.search(_PAPER, text):
        return False
    return bool(_DATA.search(text))


def wants_foreign(text: str) -> bool:
    """Whether another company's data, a person's private data or raw access is asked for."""
    if _PERSONAL.search(text) or _SQL_READ.search(text) or _foreign_names().search(text):
        return True
    return bool(_OTHERS.search(text)) and not (
        _OWN.search(text) and "제약" in text and not re.search("경쟁|타사|다른", text)
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
        return True
    return bool(_FUTURE.search(text)) and not _FUTURE_TARGET.search(text)


def is_off_topic(text: str) -> bool:
    """Whether the text is about something that no agent does."""
    return bool(_OFF_TOPIC.search(text))


def wishes(text: str) -> list[Wish]:
    """What other agents are asked for, in the order in which they would work."""
    found: list[Wish] = []
    document = bool(_DOCUMENT.search(text))
    check = bool(_CHECK.search(text))
    if document:
        found.append("document")
    if check:
        found.append("compliance")
    if _SEARCH.search(text) and not document and not check:
        found.append("retrieval")
    if _STORE.search(text):
        found.append("storage")
    return found


def is_smalltalk(text: str) -> bool:
    """A greeting, thanks or chat."""
    return bool({"greeting", "thanks", "smalltalk"} & cue_kinds(text))


def wants_analysis_too(text: str) -> bool:
    """Whether a document is asked for on top of an analysis."""
    return bool(_ANALYSIS.search(text))
