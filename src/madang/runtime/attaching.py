"""Files in a turn: each stands beside the request as a block of its own, and is named with the message."""

from collections.abc import Sequence
from dataclasses import replace

from madang.errors import InvalidInput
from madang.runtime.file_text import FileText, attached
from madang.runtime.turn_request import LONGEST, TurnRequest

MOST_FILES = 10


def with_files(turn: TurnRequest, files: Sequence[FileText], ids: Sequence[str] = ()) -> TurnRequest:
    """`turn` with the text of these files. Raises `InvalidInput` if it is too much to read."""
    if len(files) > MOST_FILES:
        raise InvalidInput(f"files: {len(files)}, at most {MOST_FILES} at once", field="files")
    query = attached(turn.text, list(files))
    if len(query) > LONGEST:
        raise InvalidInput(
            f"files: with the message {len(query):,} characters, at most {LONGEST:,} can be read", field="files"
        )
    shown = [
        {
            "file_id": ids[number] if ids else None,
            "name": file.name,
            "kind": file.kind,
            "characters": len(file.text),
            "rows": file.rows,
        }
        for number, file in enumerate(files)
    ]
    return replace(turn, input={"query": query}, message_data={"files": shown})
