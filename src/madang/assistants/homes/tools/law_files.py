"""Statutes as Markdown files: `kr/<law>/{법률,시행령,시행규칙}.md`, read article by article.

Front matter names the law and the day it took effect; `##### 제N조의M (title)` begins an article, `**①**` a
paragraph, `1\\.` an item; the supplementary provisions from `## 부칙` on are left out.
"""

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from madang.errors import InvalidInput, NotFound, UnreadableData

log = logging.getLogger(__name__)

KINDS = ("법률", "시행령", "시행규칙")
STORED_VERSION = 1
_ARTICLE = re.compile(r"^#{5}\s+(제\d+조(?:의\d+)?)\s*(?:\((.*)\))?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,4}\s+.*$", re.MULTILINE)
_SUPPLEMENT = re.compile(r"^##\s*부칙\s*$", re.MULTILINE)
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FIELD = re.compile(r"^([^\s:#-][^:\n]*):[ \t]*(.*)$", re.MULTILINE)
_AMENDED = re.compile(r"(?<!\s)\s*<(?:개정|신설|본조신설|제목개정|전문개정)[^<>]*>")
_PARAGRAPH = re.compile(r"^\*\*([①-⑳㉑-㉟])\*\*\s*", re.MULTILINE)
_ITEM = re.compile(r"(?<=\S)\\\.")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Article:
    """One article: `text` is the statute's own, with amendment notes and Markdown taken out."""

    number: str
    title: str
    text: str
    deleted: bool = False


@dataclass(frozen=True)
class Statute:
    """A law, decree or rule with the day its text took effect."""

    name: str
    kind: str
    effective: str
    source: str
    articles: tuple[Article, ...]

    def article(self, number: str) -> Article:
        """The article `number` (제7조의2). Raises `NotFound`."""
        for article in self.articles:
            if article.number == number:
                return article
        raise NotFound(f"{self.name}에 {number}가 없습니다", law=self.name, article=number)

    def quotation(self, number: str) -> str:
        """The article word for word, with the law's name and the date of this text. Raises `NotFound`."""
        article = self.article(number)
        title = f"({article.title})" if article.title else ""
        return f"「{self.name}」 {number}{title} [시행 {self.effective}]\n{article.text}"


def parse_law(text: str, name: str = "file") -> Statute:
    """Read one statute. Raises `UnreadableData` naming what is missing; `name` is used in messages."""
    front = _FRONT.match(text)
    if not front:
        raise UnreadableData(f"{name}: no front matter between --- lines")
    fields = {key.strip(): value.strip().strip("'\"") for key, value in _FIELD.findall(front[1])}
    title, effective = fields.get("제목", ""), fields.get("시행일자", "")
    if not title:
        raise UnreadableData(f"{name}: the front matter has no 제목")
    if not _DATE.fullmatch(effective):
        raise UnreadableData(f"{name}: the front matter has no 시행일자 as YYYY-MM-DD")
    articles = tuple(_articles(_SUPPLEMENT.split(text[front.end() :], maxsplit=1)[0]))
    if not articles:
        raise UnreadableData(f"{name}: no article heading (##### 제N조) was found")
    numbers = [article.number for article in articles]
    if twice := next((number for number in numbers if numbers.count(number) > 1), None):
        raise UnreadableData(f"{name}: {twice} stands twice")
    return Statute(title, _kind(title), effective, fields.get("출처", ""), articles)


def load_law(directory: Path, into: Path) -> list[Statute]:
    """Read every statute below `directory` and store each compactly in the directory `into`.

    Nothing is stored unless all can be read: raises `NotFound` if there is no directory or no statute in it and
    `UnreadableData` naming every bad file.
    """
    statutes = read_law(directory)
    store_law(statutes, into)
    return statutes


def store_law(statutes: Sequence[Statute], into: Path) -> None:
    """Store each statute compactly in the directory `into`, in place of an earlier text of it."""
    into.mkdir(parents=True, exist_ok=True)
    for statute in statutes:
        _store(statute, into)
    log.info("statutes loaded", extra={"laws": len(statutes), "articles": sum(len(s.articles) for s in statutes)})


def read_law(directory: Path) -> list[Statute]:
    """Every statute below `directory`, by path. Raises as `load_law` does."""
    if not directory.is_dir():
        raise NotFound(f"{directory} is not a directory", path=str(directory))
    files = sorted(path for path in directory.rglob("*.md") if path.stem in KINDS)
    if not files:
        raise NotFound(f"no 법률.md, 시행령.md or 시행규칙.md below {directory}", path=str(directory))
    statutes: list[Statute] = []
    problems: list[str] = []
    for path in files:
        try:
            statutes.append(parse_law(path.read_text(encoding="utf-8"), str(path.relative_to(directory))))
        except (UnreadableData, UnicodeDecodeError) as error:
            problems.append(str(error) if isinstance(error, UnreadableData) else f"{path.name}: not UTF-8")
    if problems:
        raise UnreadableData("; ".join(problems), problems=problems)
    return statutes


def stored_statutes(data: Path) -> list[Statute]:
    """The statutes stored in `data`, none if nothing was loaded. Raises `UnreadableData` for a damaged file."""
    if not data.is_dir():
        return []
    return [_restore(path) for path in sorted(data.glob("*.law.json"))]


def _articles(body: str) -> Iterator[Article]:
    heads = list(_ARTICLE.finditer(body))
    for index, head in enumerate(heads):
        raw = body[head.end() : heads[index + 1].start() if index + 1 < len(heads) else len(body)]
        text = _clean(raw)
        deleted = not head[2] and (not text or text.startswith("삭제"))
        yield Article(head[1], head[2] or "", text, deleted)


def _clean(raw: str) -> str:
    """The statute's words: chapter headings, amendment notes, bold marks and escapes removed."""
    text = without_amendments(_HEADING.sub("", raw))
    text = _ITEM.sub(".", _PARAGRAPH.sub(r"\1 ", text))
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def without_amendments(text: str) -> str:
    """A statute's words without the notes on when they were changed."""
    return _AMENDED.sub("", text)


def _kind(title: str) -> str:
    return next((kind for kind in ("시행령", "시행규칙") if title.endswith(kind)), "법률")


def as_stored(statute: Statute) -> dict[str, Any]:
    """A statute as plain data; `from_stored` reads it back."""
    return {"version": STORED_VERSION, **asdict(statute)}


def from_stored(stored: Mapping[str, Any], name: str = "statute") -> Statute:
    """Raises `UnreadableData`, naming what was read, if it isn't a statute of this version."""
    try:
        if stored["version"] != STORED_VERSION:
            raise UnreadableData(f"{name} was stored by another version: load the law again")
        articles = tuple(Article(**article) for article in stored["articles"])
        return Statute(stored["name"], stored["kind"], stored["effective"], stored["source"], articles)
    except (KeyError, TypeError) as error:
        raise UnreadableData(f"{name} can't be read: load the law again") from error


def _store(statute: Statute, into: Path) -> None:
    if "/" in statute.name or statute.name.startswith("."):
        raise InvalidInput(f"a law can't be stored under the name {statute.name!r}")
    target = into / f"{statute.name.replace(' ', '')}.law.json"
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(as_stored(statute), ensure_ascii=False), encoding="utf-8")
    partial.replace(target)


def _restore(path: Path) -> Statute:
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise UnreadableData(f"{path.name} can't be read: load the law again") from error
    return from_stored(stored, path.name)
