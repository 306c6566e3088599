"""Documents that assistants wrote: described, or in one of their formats."""

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response

from madang.errors import NotFound
from madang.server.identity import TheRuntime, Who, authorise_document
from madang.server.rest.models import DocumentShown, json_response
from madang.store.documents import Documents

router = APIRouter(tags=["documents"])
Format = Literal["docx", "md", "html", "pdf", "csv", "ics", "svg", "json"]
MEDIA = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "svg": "image/svg+xml",
}
# A document may hold anything a user wrote: a browser must not run it with our page's rights.
SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the description, or the file",
        "model": DocumentShown,
        "content": {
            kind.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}} for kind in MEDIA.values()
        },
    }
}


@router.get("/documents/{document_id}", responses=FILES)
async def get_document(
    document_id: str,
    runtime: TheRuntime,
    who: Who,
    request: Request,
    file_format: Annotated[Format | None, Query(alias="format", description="else as `Accept` says")] = None,
    version: Annotated[int | None, Query(ge=1, le=1_000_000, description="the newest if none is named")] = None,
) -> Response:
    """A document: its file in a format, by `format` or `Accept`, or its description as JSON."""
    document = await authorise_document(runtime, who, document_id, version)
    documents = Documents(runtime.db)
    formats = await documents.formats(document_id)
    there = list(formats.get(document.version, ()))
    chosen = file_format or accepted(request.headers.get("accept", ""), there)
    if chosen == "json":
        more = {"formats": there, "versions": sorted(formats) or [document.version]}
        return json_response(DocumentShown.model_validate({**document.as_dict(), **more}).model_dump())
    if chosen not in there:
        named = ", ".join(there) or "none"
        raise NotFound(f"no {chosen} of document {document_id!r}; there are {named}", formats=there)
    data = await documents.file(document_id, chosen, document.version)
    name = quote(f"{document.title or document_id}.{chosen}", safe="")
    headers = {
        "Content-Disposition": f"{'inline' if chosen in ('html', 'pdf') else 'attachment'}; filename*=UTF-8''{name}",
        "Content-Security-Policy": SANDBOX,
    }
    return Response(data, media_type=MEDIA[chosen], headers=headers)


def accepted(accept: str, there: list[str]) -> str:
    """The format that an `Accept` header asks for first, among those there are; `json` describes the document."""
    wanted: list[tuple[float, int, str]] = []
    for position, part in enumerate(accept.split(",")):
        kind, _, parameters = part.partition(";")
        wanted.append((-_quality(parameters), position, kind.strip().lower()))
    by_media = {media.partition(";")[0]: name for name, media in MEDIA.items()}
    for _, _, kind in sorted(wanted):
        if kind in ("application/json", "*/*", ""):
            return "json"
        if by_media.get(kind) in there:
            return by_media[kind]
    return "json"


def _quality(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
