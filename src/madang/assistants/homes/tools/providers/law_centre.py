"""The law centre's statutes in force (XML): a search by name and the text of one law."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from madang.assistants.homes.tools.law_files import Article, Statute, without_amendments
from madang.assistants.homes.tools.providers.client import MAX_PAGES, ProviderApi, text_of
from madang.errors import AccessDenied, NotFound, ServiceUnavailable

# The centre writes an article's number and title before its text; ours stand in fields of their own.
_HEADING = re.compile(r"^제\d+조(?:의\d+)?\s*\([^)]*\)\s*")
BASE_URL = "https://www.law.go.kr/DRF"
_ROWS = 100


@dataclass(frozen=True, kw_only=True)
class LawEntry:
    """A law in the centre's list; `serial` asks for its text."""

    name: str
    serial: str
    kind: str
    effective: str


class LawCentreApi(ProviderApi):
    """The centre's service."""

    async def find(self, name: str) -> list[LawEntry]:
        """Laws whose names contain the words, exact names first.

        Raises `ConfigurationError` without a key, `AccessDenied` for a refused one, `ServiceUnavailable`.
        """
        found: list[LawEntry] = []
        for page in range(1, MAX_PAGES + 1):
            params: dict[str, str | int] = {
                "OC": self._client.key, "target": "law", "type": "XML", "query": name, "display": _ROWS, "page": page,
            }  # fmt: skip
            root = self._root(await self._client.get("lawSearch.do", params))
            entries = [_entry(item) for item in root.findall("law")]
            found += entries
            total = root.findtext("totalCnt") or "0"
            if not entries or not total.isdigit() or len(found) >= int(total):
                break
        return sorted(found, key=lambda entry: (entry.name != name, entry.name))

    async def statute(self, serial: str) -> Statute:
        """A law's text. Raises `NotFound` for an unknown serial, and as `find` does."""
        params: dict[str, str | int] = {"OC": self._client.key, "target": "law", "type": "XML", "MST": serial}
        root = self._root(await self._client.get("lawService.do", params))
        basic = root.find("기본정보")
        if basic is None:
            raise NotFound(f"법령일련번호 {serial}의 법령이 없습니다", serial=serial)
        name = text_of(basic, "법령명_한글")
        articles = tuple(
            _article(unit) for unit in root.findall("./조문/조문단위") if text_of(unit, "조문여부") == "조문"
        )
        kind = next((word for word in ("시행령", "시행규칙") if name.endswith(word)), "법률")
        source = f"https://www.law.go.kr/법령/{name.replace(' ', '')}"
        return Statute(name, kind, _day(text_of(basic, "시행일자")), source, articles)

    def _root(self, body: str) -> ET.Element:
        root = self._client.xml(body)
        if root.tag == "Response":
            raise AccessDenied(
                f"{self._client.name}이(가) 요청을 거절했습니다: {text_of(root, 'msg') or text_of(root, 'result')}"
            )
        if root.tag not in ("LawSearch", "법령", "Law"):
            raise ServiceUnavailable(f"{self._client.name}의 답을 읽을 수 없습니다")
        return root


def _entry(item: ET.Element) -> LawEntry:
    return LawEntry(
        name=text_of(item, "법령명한글"),
        serial=text_of(item, "법령일련번호"),
        kind=text_of(item, "법령구분명"),
        effective=_day(text_of(item, "시행일자")),
    )


def _article(unit: ET.Element) -> Article:
    branch = text_of(unit, "조문가지번호")
    number = f"제{text_of(unit, '조문번호')}조" + (f"의{branch}" if branch and branch != "0" else "")
    lines = [_HEADING.sub("", text_of(unit, "조문내용"))]
    for paragraph in unit.findall("항"):
        lines.append(text_of(paragraph, "항내용"))
        for item in paragraph.findall("호"):
            lines.append("  " + text_of(item, "호내용"))
            lines += ["    " + text_of(sub, "목내용") for sub in item.findall("목")]
    title = text_of(unit, "조문제목")
    text = without_amendments("\n".join(line for line in lines if line.strip()))
    return Article(number, title, text, not title and "삭제" in text)


def _day(text: str) -> str:
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}" if len(text) == 8 and text.isdigit() else text
