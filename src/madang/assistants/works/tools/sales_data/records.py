"""The lines of a CSV file: each with its number, in whichever encoding it was saved."""

import codecs
import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from madang.errors import InvalidInput

ENCODINGS = ("utf-8", "cp949")
"""What is tried, in order; cp949 reads euc-kr too."""

DELIMITERS = (",", "\t", ";", "|")
LONGEST_RECORD = 50
"""Lines that one quoted cell may reach over; a quote that is still open then is a stray one."""

UNDECODED = "읽을 수 없는 글자가 있습니다"
_BLOCK = 1 << 20
_COMPARED = 50_000
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_UNDECODED = re.compile("[\udc80-\udcff\x00]")


class Line(NamedTuple):
    """One row as it was written. `trouble` says why it can't be read; its cells are then what there is of it."""

    number: int
    cells: list[str]
    trouble: str = ""


def encoding_of(path: Path) -> str:
    """The encoding that reads the file; when none reads all of it, that which reads most of its first lines."""
    with path.open("rb") as opened:
        start = opened.read(4)
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name
    unread = {name: _unread(path, name) for name in ENCODINGS if not _reads(path, name)}
    return next((name for name in ENCODINGS if name not in unread), None) or min(unread, key=unread.__getitem__)


def _reads(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with path.open("rb") as opened:
            while block := opened.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _unread(path: Path, encoding: str) -> int:
    with path.open("rb") as opened:
        return sum("\ufffd" in line.decode(encoding, "replace") for line in islice(opened, _COMPARED))


def csv_lines(path: Path, encoding: str, delimiter: str = "") -> Iterator[Line]:
    """Every line that isn't blank. Raises `InvalidInput` for a file that can't be opened or an unknown encoding."""
    try:
        with path.open(encoding=encoding, errors="surrogateescape") as opened:
            separator = delimiter or _delimiter(opened)
            opened.seek(0)
            yield from _records(opened, separator)
    except (OSError, LookupError, UnicodeError) as error:
        raise InvalidInput(f"{path.name} 파일을 읽을 수 없습니다: {error}") from error


def _delimiter(opened: Iterable[str]) -> str:
    """The sign that most of the first lines have equally often."""
    start = [line for line, _ in zip(opened, range(50), strict=False) if line.strip()]
    counts = {sign: [line.count(sign) for line in start] for sign in DELIMITERS}
    return max(DELIMITERS, key=lambda sign: sum(1 for n in counts[sign] if n and n == max(counts[sign])))


def _records(opened: Iterable[str], delimiter: str) -> Iterator[Line]:
    lines = enumerate(opened, 1)
    waiting: deque[tuple[int, str]] = deque()

    def following() -> tuple[int, str] | None:
        return waiting.popleft() if waiting else next(lines, None)

    while (one := following()) is not None:
        number, text = one
        if '"' not in text:
            if not text.isspace():
                trouble = UNDECODED if _UNDECODED.search(text) else ""
                yield Line(number, text.rstrip("\n").split(delimiter), trouble)
            continue
        more: list[tuple[int, str]] = []
        quotes = text.count('"')
        while quotes % 2 and len(more) < LONGEST_RECORD and (after := following()) is not None:
            more.append(after)
            quotes += after[1].count('"')
        if quotes % 2:
            waiting.extendleft(reversed(more))
            yield Line(number, text.rstrip("\n").split(delimiter), "따옴표가 닫히지 않았습니다")
            continue
        yield _quoted(number, text + "".join(line for _, line in more), delimiter)


def _quoted(number: int, whole: str, delimiter: str) -> Line:
    try:
        cells = next(csv.reader([whole], delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration) as error:
        return Line(number, whole.split(delimiter), f"따옴표를 읽을 수 없습니다 ({error})")
    return Line(number, cells, UNDECODED if _UNDECODED.search(whole) else "")
