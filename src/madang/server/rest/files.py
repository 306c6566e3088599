"""Files that come with a conversation: a contract to review, a document to judge, a table."""

from typing import Annotated, Any

from fastapi import APIRouter, File, UploadFile

from madang.runtime.file_text import read_file
from madang.server.identity import OwnSession, TheRuntime
from madang.server.rest.models import FileShown
from madang.store.attachments import Attachments

router = APIRouter(tags=["files"])


@router.post("/sessions/{session_id}/files", status_code=201, response_model=FileShown)
async def upload_file(
    session: OwnSession,
    runtime: TheRuntime,
    file: Annotated[UploadFile, File(description="txt, md, csv, docx, pdf or xlsx, at most 10 MiB")],
) -> dict[str, Any]:
    """Bring a file; name its `file_id` in a message. One that can't be read is refused, with the `reason`."""
    data = await file.read()
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2][:255]
    found = await read_file(name, data)
    kept = await Attachments(runtime.db).add(
        session.session_id, name, found.kind, found.text, size=len(data), rows=found.rows
    )
    return {
        "file_id": kept.file_id,
        "name": name,
        "kind": found.kind,
        "characters": len(found.text),
        "rows": found.rows,
    }
