"""Errors as RFC 9457 problem documents with a stable code."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from madang import errors

STATUS: dict[type[errors.MadangError], int] = {
    errors.InvalidInput: 422,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Unauthenticated: 401,
    errors.AccessDenied: 403,
    errors.StoredDataError: 500,
    errors.ServiceUnavailable: 503,
    errors.MadangError: 500,
}


def status_of(error: errors.MadangError) -> int:
    """The HTTP status of an error: that of the nearest class in the table."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def problem(status: int, code: str, detail: str, **more: Any) -> JSONResponse:
    """A problem document."""
    title = HTTPStatus(status).phrase
    body = {"type": f"urn:madang:problem:{code}", "title": title, "status": status, "detail": detail, "code": code}
    return JSONResponse({**body, **more}, status_code=status, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem document."""

    @app.exception_handler(errors.MadangError)
    async def foreseen(_request: Request, error: errors.MadangError) -> JSONResponse:
        details = {key: value for key, value in error.details.items() if key not in ("status", "type", "detail")}
        return problem(status_of(error), error.code, error.message, **details)

    @app.exception_handler(RequestValidationError)
    async def malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        found = [{"field": ".".join(map(str, e["loc"])), "reason": e["msg"]} for e in error.errors()]
        said = "; ".join(f"{item['field']}: {item['reason']}" for item in found)
        return problem(422, "invalid_input", said, problems=found)

    @app.exception_handler(HTTPException)
    async def plain(_request: Request, error: HTTPException) -> JSONResponse:
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
        return problem(error.status_code, code, str(error.detail))
