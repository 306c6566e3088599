"""Temporary, until every agent has moved: `@agent(reads=…, writes=…)` over the typed seam."""

from collections.abc import Callable
from typing import Annotated, Any, overload

from typing_extensions import TypedDict

from madang.errors import InvalidAssistant
from madang.graph.agent import Agent, Declare, NeedsInput
from madang.graph.agent import agent as typed_agent
from madang.graph.context import Context
from madang.graph.declaration import At, Reads, declared_fields
from madang.graph.views import View

AgentContext = Context


@overload
def agent(
    *, reads: tuple[str, ...], writes: tuple[str, ...], task: str, **options: Any
) -> Callable[[Callable[..., Any]], Agent]: ...


@overload
def agent(*, task: str, **options: Any) -> Declare: ...


def agent(**options: Any) -> Any:
    if "reads" not in options:
        return typed_agent(**options)
    reads, writes = options.pop("reads"), options.pop("writes")
    optional = options.pop("optional", ())
    if not isinstance(reads, tuple) or not isinstance(writes, tuple):
        raise InvalidAssistant("reads and writes are given as a tuple of field names")
    local = {path: path.rsplit(".", 1)[-1] for path in (*reads, *writes)}
    request = type(
        "Request",
        (Reads,),
        {
            "__annotations__": {local[path]: Annotated[Any, At(path)] for path in reads},
            **{local[path]: None for path in optional},
        },
    )
    result: Any = TypedDict("Result", {local[path]: Annotated[Any, At(path)] for path in writes}, total=False)  # type: ignore[misc]
    name = options.get("name", "")

    def declare(function: Any) -> Agent:
        async def run(given: Any, ctx: Any) -> Any:
            view = View(known_as, {one.name: getattr(given, one.name) for one in declared_fields(request)})
            returned = await function(view, ctx)
            if isinstance(returned, NeedsInput):
                return returned
            return returned.model_dump(mode="json") if hasattr(returned, "model_dump") else (returned or {})

        known_as = name or function.__name__
        run.__annotations__ = {"given": request, "ctx": Context, "return": result}
        run.__name__ = known_as
        return typed_agent(**{**options, "name": known_as})(run)

    return declare
