"""What is offered: a tool that asks an assistant, and documents by their ids."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from madang.errors import InvalidInput, MadangError, NotFound
from madang.runtime import Runtime, TurnRequest
from madang.runtime.served_graph import ServedGraph, find_served
from madang.server.identity import Identity, authorise, authorise_document, owned_metadata
from madang.server.turns import accept
from madang.store.sessions import Session

DOCUMENTS = "madang://documents/"
Whose = Callable[[Any], Identity]
ASKING = {
    "type": "object",
    "properties": {
        "message": {"type": "string", "minLength": 1, "description": "what to ask"},
        "session_id": {"type": "string", "description": "the conversation to go on with; a new one without it"},
    },
    "required": ["message"],
    "additionalProperties": False,
}
ANSWER = {
    "type": "object",
    "properties": {
        "session_id": {"type": "string"},
        "status": {"type": "string"},
        "answer": {"type": "string"},
        "structured_data": {"type": "object"},
    },
    "required": ["session_id", "status", "answer"],
}


def mcp_server(runtime: Callable[[], Runtime], whose: Whose) -> Server[Any]:
    """A server of the protocol; `whose` says who makes a request, from its context."""

    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool_of(served) for served in runtime().served.values()])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            return await asked(runtime(), whose(ctx), params.name, params.arguments or {})
        except MadangError as error:
            return types.CallToolResult(content=[types.TextContent(text=error.message)], is_error=True)

    async def list_templates(_ctx: Any, _params: Any) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            name="document", uri_template=DOCUMENTS + "{document_id}", description="a document that an assistant wrote"
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await document(runtime(), whose(ctx), str(params.uri))

    return Server(
        "madang",
        version=version("madang"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resource_templates=list_templates,
        on_read_resource=read,
    )


def tool_of(served: ServedGraph) -> types.Tool:
    """An assistant as a tool."""
    described = served.about.description or served.about.title
    return types.Tool(
        name=served.name, title=served.about.title, description=described, input_schema=ASKING, output_schema=ANSWER
    )


async def asked(runtime: Runtime, who: Identity, name: str, given: dict[str, Any]) -> types.CallToolResult:
    """One turn with an assistant, to its end. Raises `NotFound`, `InvalidInput`."""
    served = find_served(runtime.served, name)
    message = given.get("message")
    if not isinstance(message, str):
        raise InvalidInput("message: should be text", field="message")
    session = await _session(runtime, who, served, given.get("session_id"))
    run = await accept(runtime, session, TurnRequest(text=message))
    outcome = await runtime.leaving.before(runtime.outcome(run.run_id, run.session_id))
    if outcome is None:
        return _left_running(session)
    response = outcome["response"] or {}
    told = {
        "session_id": session.session_id,
        "status": outcome["status"],
        "answer": response.get("answer") or "",
        "structured_data": response.get("structured_data") or {},
    }
    failed = outcome["status"] not in ("completed", "interrupted")
    text = told["answer"] or f"the turn is {outcome['status']}"
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=told, is_error=failed)


def _left_running(session: Session) -> types.CallToolResult:
    text = f"the server restarts; the turn goes on in session_id {session.session_id}: ask there in a moment"
    told = {"session_id": session.session_id, "status": "running", "answer": ""}
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=told, is_error=True)


async def _session(runtime: Runtime, who: Identity, served: ServedGraph, session_id: Any) -> Session:
    if session_id is None:
        metadata = owned_metadata(who, {"by": "mcp"})
        return await runtime.sessions.create(assistant=served.name, user_id=who.user_id, metadata=metadata)
    session = await authorise(runtime, who, str(session_id))
    if session.assistant != served.name:
        raise NotFound(f"no session {session_id!r} of {served.name!r}", session_id=session_id)
    return session


async def document(runtime: Runtime, who: Identity, uri: str) -> types.ReadResourceResult:
    """A document of the caller as text. Raises `NotFound`, the same for another's."""
    found = await authorise_document(runtime, who, uri.removeprefix(DOCUMENTS))
    data = await runtime.documents.file(found.document_id, "md")
    contents = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=data.decode())
    return types.ReadResourceResult(contents=[contents])
