"""The text of a file that a user brings: txt, md, csv, docx, pdf, xlsx. What can't be read says why."""

import csv
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from madang.errors import MissingExtra, UnreadableFile, needs_extra
from madang.threads import in_thread

LARGEST = 10 << 20
LONGEST = 80_000
MOST_ROWS, MOST_PAGES = 20_000, 300
UNPACKED = 100 << 20
"""What an office file may unpack to: a few kilobytes can hold gigabytes of zeros."""

BEGIN, END = "[첨부: {name}]", "[첨부 끝]"


@dataclass(frozen=True)
class FileText:
    """What a file says. A table has `rows`, its header not counted."""

    name: str
    kind: str
    text: str
    rows: int | None = None


async def read_file(name: str, data: bytes) -> FileText:
    """The file's text. Raises `UnreadableFile`, with a `reason`: wrong_type, empty, too_large, too_long, locked,
    no_text, damaged."""
    kind = PurePath(name).suffix.lower().removeprefix(".")
    if kind not in READERS:
        raise UnreadableFile(f"{name}: only {', '.join(READERS)} can be read", reason="wrong_type", kinds=list(READERS))
    if len(data) > LARGEST:
        raise UnreadableFile(f"{name}: larger than {LARGEST >> 20} MiB", reason="too_large", limit=LARGEST)
    if not data.strip():
        raise UnreadableFile(f"{name}: the file is empty", reason="empty")
    found: FileText = await in_thread(_read, name, kind, data)
    return found


def attached(request: str, files: list[FileText]) -> str:
    """A request with the files that came with it, each as a block of its own that is no part of the request."""
    blocks = [f"{BEGIN.format(name=file.name)}\n{file.text}\n{END}" for file in files]
    return "\n\n".join([request, *blocks])


def _read(name: str, kind: str, data: bytes) -> FileText:
    try:
        text, rows = READERS[kind](data)
    except (UnreadableFile, MissingExtra) as known:
        if isinstance(known, UnreadableFile):
            raise UnreadableFile(f"{name}: {known.message}", **known.details) from known
        raise
    # The libraries' own errors for broken files are of many kinds.
    except Exception as error:
        raise UnreadableFile(f"{name}: can't be opened as {kind}, it may be damaged", reason="damaged") from error
    text = "".join(char for char in text if char in "\n\t" or char.isprintable()).strip()
    if not text:
        raise UnreadableFile(f"{name}: there is no text in it (a scan?)", reason="no_text")
    if len(text) > LONGEST:
        long = f"{name}: {len(text):,} characters, at most {LONGEST:,} can be read"
        raise UnreadableFile(long, reason="too_long", limit=LONGEST)
    return FileText(name, kind, text, rows)


def _text(data: bytes) -> tuple[str, None]:
    return _decoded(data), None


def _decoded(data: bytes) -> str:
    if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile("is not a text", reason="damaged")
    for encoding in ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp949"):
        try:
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            continue
    raise UnreadableFile("its letters are neither UTF-8 nor CP949", reason="damaged")


def _csv(data: bytes) -> tuple[str, int]:
    text = _decoded(data)
    rows = [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]
    return text, _counted(len(rows))


def _counted(lines: int) -> int:
    if lines > MOST_ROWS + 1:
        raise UnreadableFile(f"{lines:,} rows, at most {MOST_ROWS:,} can be read", reason="too_long", limit=MOST_ROWS)
    return max(0, lines - 1)


def _docx(data: bytes) -> tuple[str, None]:
    with needs_extra("files", "reading docx files"):
        import docx
    _check_unpacked(data)
    return "\n".join(_blocks(docx.Document(io.BytesIO(data)))), None


def _blocks(document: Any) -> Iterator[str]:
    for part in document.iter_inner_content():
        if hasattr(part, "rows"):
            yield from (" | ".join(cell.text.strip() for cell in row.cells) for row in part.rows)
        else:
            yield part.text


def _pdf(data: bytes) -> tuple[str, None]:
    with needs_extra("files", "reading pdf files"):
        from pypdf import PdfReader
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableFile("is locked with a password", reason="locked")
    if len(reader.pages) > MOST_PAGES:
        raise UnreadableFile(f"{len(reader.pages)} pages, at most {MOST_PAGES}", reason="too_long", limit=MOST_PAGES)
    return "\n".join(page.extract_text() for page in reader.pages), None


def _xlsx(data: bytes) -> tuple[str, int]:
    with needs_extra("files", "reading xlsx files"):
        import openpyxl
    _check_unpacked(data)
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    written, rows = io.StringIO(), 0
    table = csv.writer(written, lineterminator="\n")
    for sheet in book.worksheets:
        lines = 0
        for row in sheet.iter_rows(values_only=True):
            if any(cell is not None for cell in row):
                if not lines and len(book.worksheets) > 1:
                    written.write(f"[{sheet.title}]\n")
                table.writerow(["" if cell is None else cell for cell in row])
                lines += 1
                _counted(lines)
        rows += max(0, lines - 1)
    return written.getvalue(), rows


def _check_unpacked(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(part.file_size for part in packed.infolist()) > UNPACKED:
            raise UnreadableFile("unpacks to more than can be read", reason="too_large", limit=UNPACKED)


Reader = Callable[[bytes], tuple[str, int | None]]
READERS: dict[str, Reader] = {"txt": _text, "md": _text, "csv": _csv, "docx": _docx, "pdf": _pdf, "xlsx": _xlsx}
