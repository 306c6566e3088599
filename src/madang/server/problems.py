"""Errors as RFC 9457 problem documents with a stable code."""

import json
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from madang import errors
from madang.state.nesting import NestedTooDeeply

MEDIA_TYPE = "application/problem+json"
REQUIRED = ("type", "title", "status", "detail", "code")
STATUS: dict[type[errors.MadangError], int] = {
    errors.InvalidInput: 422,
    errors.IllegalTransition: 409,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Unauthenticated: 401,
    errors.AccessDenied: 403,
    errors.RateLimited: 429,
    errors.StoredDataError: 500,
    errors.ServiceUnavailable: 503,
    errors.MadangError: 500,
}
CODES = {
    400: "bad_request",
    403: "access_denied",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "request_timeout",
    413: "request_too_large",
    415: "unsupported_media_type",
    421: "host_not_allowed",
    422: NestedTooDeeply.code,
}


class Problem(BaseModel):
    """What went wrong (RFC 9457). `code` is stable and meant for programs, `detail` for people."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["urn:madang:problem:not_found"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["no session 'x'"])
    code: str = Field(examples=["not_found"])


def documented(description: str) -> dict[str, Any]:
    """A problem in the OpenAPI document."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {"model": Problem, "description": description, "content": {MEDIA_TYPE: schema}}


DOCUMENTED: dict[int | str, dict[str, Any]] = {
    400: documented("the request can't be read"),
    401: documented("credentials are missing or not valid"),
    403: documented("not allowed"),
    404: documented("it doesn't exist, or it isn't yours"),
    409: documented("it can't be done in the present state"),
    413: documented("the request is too large"),
    415: documented("the body is not JSON"),
    422: documented("something in the request is not valid"),
    429: documented("too many requests; see Retry-After"),
    503: documented("a service can't be reached"),
}


def status_of(error: errors.MadangError) -> int:
    """The HTTP status of an error: that of the nearest class in the table."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


class ProblemResponse(JSONResponse):
    """A problem document, whatever the values in it are: what JSON can't hold is told as text, or left out."""

    media_type = MEDIA_TYPE

    def render(self, content: Any) -> bytes:
        try:
            text = json.dumps(content, ensure_ascii=False, allow_nan=False, default=str)
        except (TypeError, ValueError, RecursionError):
            text = json.dumps({name: content[name] for name in REQUIRED}, ensure_ascii=False)
        return text.encode(errors="replace")


def problem(status: int, code: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """A problem document."""
    body = {
        "type": f"urn:madang:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
    }
    return ProblemResponse({**more, **body}, status_code=status, headers=headers)


def problem_of(error: errors.MadangError) -> JSONResponse:
    """The problem document of an error that was foreseen."""
    headers: dict[str, str] = {}
    if isinstance(error, errors.Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    if "retry_after" in error.details:
        headers["Retry-After"] = str(error.details["retry_after"])
    return problem(status_of(error), error.code, error.message, headers=headers, **error.details)


def allowed_methods(app: FastAPI, path: str) -> list[str]:
    """Every method that a path has, over all the routes that fit it."""
    methods: set[str] = set()
    for route in iter_route_contexts(app.routes):
        if compile_path(str(route.path))[0].match(path):
            methods |= set(getattr(route, "methods", None) or ())
    return sorted(methods)


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem document."""

    @app.exception_handler(errors.MadangError)
    async def foreseen(_request: Request, error: errors.MadangError) -> JSONResponse:
        return problem_of(error)

    @app.exception_handler(RequestValidationError)
    async def malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        found = [{"field": ".".join(map(str, e["loc"])), "reason": e["msg"]} for e in error.errors()]
        said = "; ".join(f"{item['field']}: {item['reason']}" for item in found)
        return problem(422, "invalid_input", said, problems=found)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers) if error.headers else None
        if error.status_code == 405:
            headers = {"Allow": ", ".join(allowed_methods(app, request.url.path))}
        return problem(
            error.status_code, CODES.get(error.status_code, "http_error"), str(error.detail), headers=headers
        )

    @app.exception_handler(Exception)
    async def unforeseen(_request: Request, _error: Exception) -> JSONResponse:
        return problem(500, "internal", "처리하는 중에 문제가 생겼습니다.")
