"""Wishes to take away what is shown: csv로 내려줘, 엑셀로 뽑아줘. Reading a table out is no write."""

import re

_SHEET = r"(?:csv|씨에스브이|엑셀|excel|xlsx?|스프레드\s?시트|구글\s?시트)"
_AS = r"\s?(?:파일|형식|양식|포맷|시트)?\s?(?:로|으로|을|를|좀|도)?\s?(?:좀|다|한번)?\s?"
_TAKE = (
    r"(?:내려|내보내|내보낼|뽑|다운|받|저장|추출|변환|출력|export|만들|정리|보내|떨궈|담아|바꿔"
    r"|주|줘|줄|달라|부탁|가능|돼|되)"
)
_END = (
    r"[가-힣]{0,4}\s?(?:줘|주세요|주실래요|줄래|줄\s?수|달라|주라|싶어|싶은데|있어|있나|있을까|하게|해|할게|부탁"
    r"|되나|될까|돼)?\S{0,4}"
)
_EXPORT = re.compile(
    rf"{_SHEET}{_AS}(?:{_TAKE}{_END}|(?=\s*[?.!~]*$))"
    rf"|^\s*{_SHEET}\s?(?:파일)?(?:로|으로)\s(?=.*(?:뽑|내려|내보내|보내|추출|정리|저장|받)\S{{0,4}}\s?\S{{0,4}}$)"
    rf"|(?:표|자료|데이터|결과|목록|명단|리스트|내역|이거|이걸|그거|그걸)(?:를|을|로)?\s?파일로\s?(?:{_TAKE}{_END})"
    rf"|(?:파일로|표로|표를|표)?\s?(?:다운\s?로드|다운\s?받|내려\s?받|내보내)(?:기)?{_END}",
    re.IGNORECASE,
)
_LAST = re.compile(r"\s?(?:내려|내보내|저장|보내|받)\S{0,4}\s?(?:줘|주세요|줄래|싶어)?[?.!~]*\s*$")
_CHANGES = re.compile(
    r"삭제|지워|지우|수정|변경|정정|등록|입력|업데이트|갱신|반영|올려|올린|업로드|덮어|고쳐|갈아|넣어|초기화|추가해|에\s?있는|데이터를?\s?바꿔"
)
_PAPER = re.compile(r"보고서|신청서|일지|양식\s?작성|품의|기안|리포트|레포트|계획서|제안서|회의록|계약서")
_POINTING = re.compile(
    r"(?<![가-힣])(?:방금|아까|이거|이걸|이것|그거|그걸|그것|위(?:에|의)?\s|지금\s?(?:이|그|보|나온|표)|보여\s?준|(?:이|그|위)\s?(?:표|자료|결과|데이터))"
)
_NOTHING = re.compile(r"[\s.,!?~]*(?:표|자료|데이터|결과|내용|목록|파일|전체|전부|다|좀|을|를|은|는|도|로)*[\s.,!?~]*")


def wants_export(text: str) -> bool:
    """Whether a table should be given as a file. Never when data should be changed, or a paper written."""
    return bool(_EXPORT.search(text)) and not _CHANGES.search(text) and not _PAPER.search(text)


def without_export(text: str) -> str:
    """The question in a wish for a file; nothing when it only points at what is shown."""
    rest = _LAST.sub("", _EXPORT.sub(" ", text)).strip()
    return "" if _POINTING.search(text) or _NOTHING.fullmatch(rest) else rest
