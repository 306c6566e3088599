"""Who asks, as a handler of LangGraph's `Auth` says."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from langgraph_sdk.auth.exceptions import HTTPException
from starlette.requests import HTTPConnection

from madang.errors import AccessDenied, Unauthenticated


async def authenticated(handler: Callable[..., Any], connection: HTTPConnection) -> str:
    """The identity that an `@auth.authenticate` handler gives. Raises `Unauthenticated`, `AccessDenied`."""
    offered = _offered(connection)
    taken = {name: offered[name] for name in inspect.signature(handler).parameters if name in offered}
    try:
        found = handler(**taken)
        found = await found if inspect.isawaitable(found) else found
    except HTTPException as refused:
        kind = AccessDenied if refused.status_code == 403 else Unauthenticated
        raise kind(str(refused.detail)) from refused
    except AssertionError as refused:
        raise Unauthenticated(str(refused) or "not authenticated") from refused
    identity = found if isinstance(found, str) else _identity(found)
    if not identity:
        raise Unauthenticated("the handler gave no identity")
    return identity


def _identity(found: Any) -> str:
    named = found.get("identity") if isinstance(found, Mapping) else getattr(found, "identity", None)
    return str(named or "")


def _offered(connection: HTTPConnection) -> dict[str, Any]:
    """What a handler may ask for, by the names that LangGraph gives them."""
    headers = {name.lower().encode(): value.encode() for name, value in connection.headers.items()}
    return {
        "request": connection,
        "path": connection.url.path,
        "method": connection.scope.get("method", "GET"),
        "path_params": connection.path_params,
        "query_params": dict(connection.query_params),
        "headers": headers,
        "authorization": connection.headers.get("authorization"),
    }
