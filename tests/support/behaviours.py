"""What a plain graph does on a server, as the client sees it: each a small conversation that gives plain data.

`python -m tests.support.behaviours URL` prints what a server gives, to record what LangGraph's own does.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

Behaviour = Callable[[LangGraphClient], Awaitable[Any]]
BEHAVIOURS: dict[str, Behaviour] = {}
GRAPHS = (
    "schemas",
    "looking",
    "talking",
    "shout",
    "confirm",
    "counted",
    "configured",
    "served",
    "entered",
    "keeping",
    "panel",
)


def behaviour(check: Behaviour) -> Behaviour:
    BEHAVIOURS[check.__name__] = check
    return check


async def status_of(asked: Awaitable[Any]) -> Any:
    """The status that a request is answered with, or what it gives."""
    try:
        return await asked
    except httpx.HTTPStatusError as error:
        return error.response.status_code


async def thread_of(client: LangGraphClient) -> str:
    return str((await client.threads.create())["thread_id"])


async def assistant_of(client: LangGraphClient, graph: str) -> str:
    """The id of the assistant that a server makes of a graph."""
    return str((await client.assistants.search(graph_id=graph))[0]["assistant_id"])


async def ran(client: LangGraphClient, graph: str, given: Any, **options: Any) -> tuple[str, Any]:
    """A thread with one run, and what the run gave."""
    thread = await thread_of(client)
    return thread, await client.runs.wait(thread, graph, input=given, raise_error=False, **options)


async def streamed(client: LangGraphClient, graph: str, given: Any, mode: Any, **options: Any) -> list[Any]:
    thread = await thread_of(client)
    parts = client.runs.stream(thread, graph, input=given, stream_mode=mode, **options)
    return [part async for part in parts if part.event not in ("metadata", "end")]


@behaviour
async def output_of_wait(client: LangGraphClient) -> Any:
    return (await ran(client, "schemas", {"word": "a"}))[1]


@behaviour
async def output_of_stream_values(client: LangGraphClient) -> Any:
    return [part.data for part in await streamed(client, "schemas", {"word": "a"}, "values")]


@behaviour
async def output_of_stream_updates(client: LangGraphClient) -> Any:
    return [part.data for part in await streamed(client, "schemas", {"word": "a"}, "updates")]


@behaviour
async def state_of_schemas(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "schemas", {"word": "a"})
    return (await client.threads.get_state(thread))["values"]


@behaviour
async def thread_values_of_schemas(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "schemas", {"word": "a"})
    return (await client.threads.get(thread))["values"]


@behaviour
async def join_of_schemas(client: LangGraphClient) -> Any:
    thread = await thread_of(client)
    run = await client.runs.create(thread, "schemas", input={"word": "a"})
    return await client.runs.join(thread, run["run_id"])


@behaviour
async def history_of_schemas(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "schemas", {"word": "a"})
    history: Any = await client.threads.get_history(thread)
    return [[state["values"], state["next"], state["metadata"]["step"]] for state in history]


@behaviour
async def input_outside_the_schema(client: LangGraphClient) -> Any:
    return (await ran(client, "schemas", {"word": "a", "secret": "given", "steps": 7}))[1]


@behaviour
async def input_of_another_type(client: LangGraphClient) -> Any:
    answer = (await ran(client, "talking", ["not", "an", "object"]))[1]
    return bool(isinstance(answer, dict) and "__error__" in answer)


@behaviour
async def described_schemas(client: LangGraphClient) -> Any:
    told = await client.assistants.get_schemas(await assistant_of(client, "schemas"))
    return {
        name: sorted((told[name] or {}).get("properties", {}))
        for name in ("input_schema", "output_schema", "state_schema")
    }


@behaviour
async def described_context(client: LangGraphClient) -> Any:
    told = await client.assistants.get_schemas(await assistant_of(client, "looking"))
    return sorted((told["context_schema"] or {}).get("properties", {}))


@behaviour
async def what_a_node_sees(client: LangGraphClient) -> Any:
    given: dict[str, Any] = {"config": {"tags": ["mine"], "metadata": {"from_config": 1}}, "metadata": {"mine": 2}}
    return (await ran(client, "looking", {"word": "a"}, **given))[1]["seen"] | {"configurable": None, "limit": None}


@behaviour
async def nothing_of_the_server_in_configurable(client: LangGraphClient) -> Any:
    seen = (await ran(client, "looking", {"word": "a"}, config={"configurable": {"own": 1}}))[1]["seen"]["configurable"]
    return [
        name for name in seen if name in ("own", "thread_id", "run_id", "graph_id", "assistant_id", "fence", "user_id")
    ]


@behaviour
async def recursion_limit_is_passed(client: LangGraphClient) -> Any:
    return (await ran(client, "looking", {"word": "a"}, config={"recursion_limit": 7}))[1]["seen"]["limit"]


@behaviour
async def context_is_passed(client: LangGraphClient) -> Any:
    return (await ran(client, "looking", {"word": "a"}, context={"tone": "kind"}))[1]["seen"]["context"]


@behaviour
async def context_with_unknown_keys(client: LangGraphClient) -> Any:
    answer = (await ran(client, "looking", {"word": "a"}, context={"tone": "kind", "other": 1}))[1]
    return answer["seen"]["context"]


@behaviour
async def configurable_as_context(client: LangGraphClient) -> Any:
    answer = (await ran(client, "looking", {"word": "a"}, config={"configurable": {"tone": "kind", "other": 1}}))[1]
    return answer["seen"]["context"]


@behaviour
async def context_and_configurable(client: LangGraphClient) -> Any:
    both = {"context": {"tone": "kind"}, "config": {"configurable": {"other": 1}}}
    thread = await thread_of(client)
    given = client.runs.wait(thread, "looking", input={"word": "a"}, **both)  # type: ignore[call-overload]
    answer = await status_of(given)
    return answer if isinstance(answer, int) else answer["seen"]["context"]


@behaviour
async def messages_are_streamed(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "a"}, "messages-tuple")
    return [[part.event, part.data[0]["content"], part.data[0]["id"]] for part in parts]


@behaviour
async def messages_of_a_subgraph_are_streamed(client: LangGraphClient) -> Any:
    told = await streamed(client, "panel", {"word": "a"}, "messages", stream_subgraphs=True)
    pieces = await streamed(client, "panel", {"word": "a"}, "messages-tuple", stream_subgraphs=True)
    return [[part.event for part in told], [part.event.partition(":")[0] for part in pieces]]


@behaviour
async def custom_is_streamed(client: LangGraphClient) -> Any:
    return [[part.event, part.data] for part in await streamed(client, "talking", {"word": "a"}, "custom")]


@behaviour
async def tasks_are_streamed(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "a"}, "tasks")
    return [[part.event, part.data["name"], "result" in part.data] for part in parts]


@behaviour
async def checkpoints_are_streamed(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "a"}, "checkpoints")
    return [[part.event, part.data["next"], part.data["metadata"]["step"]] for part in parts]


@behaviour
async def events_are_streamed(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "a"}, "events")
    names = [(part.event, part.data["event"], part.data["name"]) for part in parts]
    return [
        list(name) for name in names if name[1] in ("on_chain_start", "on_chain_end") and name[2] in ("speak", "ask")
    ]


@behaviour
async def several_modes_are_streamed(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "a"}, ["values", "updates"])
    return sorted({part.event for part in parts})


@behaviour
async def interrupt_in_wait(client: LangGraphClient) -> Any:
    answer = (await ran(client, "talking", {"word": "ask"}))[1]
    return [one["value"] for one in answer["__interrupt__"]]


@behaviour
async def interrupt_in_stream(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "ask"}, "updates")
    return [[one["value"] for one in part.data["__interrupt__"]] for part in parts if "__interrupt__" in part.data]


@behaviour
async def interrupted_thread(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    found, state = await client.threads.get(thread), await client.threads.get_state(thread)
    asked = [one["value"] for several in found["interrupts"].values() for one in several]
    return [found["status"], asked, state["next"], [one["value"] for one in state["tasks"][0]["interrupts"]]]


@behaviour
async def state_updated_over_a_question(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    await client.threads.update_state(thread, {"word": "changed"})
    state, status = await client.threads.get_state(thread), (await client.threads.get(thread))["status"]
    answer: Any = await client.runs.wait(thread, "talking", command={"resume": "yes"})
    return [state["next"], [task["interrupts"] for task in state["tasks"]], status, answer["word"]]


@behaviour
async def resumed(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    answer: Any = await client.runs.wait(thread, "talking", command={"resume": "yes"})
    return [answer["word"], (await client.threads.get(thread))["status"]]


@behaviour
async def resumed_beside_an_empty_input(client: LangGraphClient) -> Any:
    """As agent-chat-ui answers a question."""
    thread, _ = await ran(client, "talking", {"word": "ask"})
    answer: Any = await client.runs.wait(thread, "talking", input={}, command={"resume": "yes"})
    return answer["word"]


@behaviour
async def resumed_beside_an_input(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    answer: Any = await client.runs.wait(thread, "talking", input={"word": "b"}, command={"resume": "yes"})
    return [answer["word"], len(answer["messages"])]


async def asked_of(client: LangGraphClient, thread: str) -> dict[str, str]:
    """The open questions of a thread, and their ids."""
    state = await client.threads.get_state(thread)
    return {one["value"]: one["id"] for one in state["interrupts"]}


@behaviour
async def several_questions_are_answered_one_by_one(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "panel", {"word": "a"})
    told = []
    for name in ("age", "town", "name"):
        asked = await asked_of(client, thread)
        told.append(sorted(asked))
        answer = await client.runs.wait(thread, "panel", command={"resume": {asked[name]: f"{name} of a"}})
    return [*told, answer["said"]]  # type: ignore[call-overload]


@behaviour
async def several_questions_in_wait(client: LangGraphClient) -> Any:
    answer = (await ran(client, "panel", {"word": "a"}))[1]
    return [sorted(one["value"] for one in answer["__interrupt__"]), answer.get("word")]


@behaviour
async def one_answer_to_several_questions(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "panel", {"word": "a"})
    answer = await status_of(client.runs.wait(thread, "panel", command={"resume": "yes"}, raise_error=False))
    return [answer if isinstance(answer, int) else sorted(answer), (await client.threads.get(thread))["status"]]


@behaviour
async def a_run_that_waits(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    return [run["status"] for run in await client.runs.list(thread)]


@behaviour
async def a_run_behind_one_that_comes_to_ask(client: LangGraphClient) -> Any:
    thread = await thread_of(client)
    asking = await client.runs.create(thread, "talking", input={"word": "ask"}, after_seconds=1)
    await client.runs.create(thread, "talking", input={"word": "b"}, multitask_strategy="enqueue")
    await client.runs.join(thread, asking["run_id"])
    behind = (await client.runs.list(thread))[0]
    return behind["status"] == "pending"


@behaviour
async def command_update_as_an_object(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    command: Any = {"resume": "yes", "update": {"seen": {"by": "update"}}}
    answer: Any = await client.runs.wait(thread, "talking", command=command)
    return [answer["word"], answer["seen"]]


@behaviour
async def command_update_as_pairs(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "ask"})
    command: Any = {"resume": "yes", "update": [["seen", {"by": "pairs"}]]}
    answer: Any = await client.runs.wait(thread, "talking", command=command)
    return [answer["word"], answer["seen"]]


@behaviour
async def command_goto(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"})
    command: Any = {"update": {"word": "b"}, "goto": "speak"}
    answer: Any = await client.runs.wait(thread, "talking", command=command)
    return [message["content"] for message in answer["messages"]]


@behaviour
async def failure_in_wait(client: LangGraphClient) -> Any:
    return (await ran(client, "talking", {"word": "fail"}))[1]["__error__"]


@behaviour
async def failure_in_stream(client: LangGraphClient) -> Any:
    parts = await streamed(client, "talking", {"word": "fail"}, "updates")
    return [part.data for part in parts if part.event == "error"]


@behaviour
async def failed_thread(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "fail"})
    found, runs = await client.threads.get(thread), await client.runs.list(thread)
    error: Any = found.get("error")
    return [found["status"], "the word was fail" in str(error), runs[0]["status"]]


@behaviour
async def failed_task(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "fail"})
    state = await client.threads.get_state(thread)
    return [state["next"], "the word was fail" in str(state["tasks"][0]["error"])]


@behaviour
async def interrupt_before(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"}, interrupt_before=["ask"])
    found = await client.threads.get(thread)
    answer: Any = await client.runs.wait(thread, "talking", input=None)
    return [found["status"], len(answer["messages"]), (await client.threads.get(thread))["status"]]


@behaviour
async def interrupt_after_everything(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"}, interrupt_after="*")
    return (await client.threads.get_state(thread))["next"]


@behaviour
async def functional_text(client: LangGraphClient) -> Any:
    return (await ran(client, "shout", "quiet"))[1]


@behaviour
async def functional_text_streamed(client: LangGraphClient) -> Any:
    return [[part.event, part.data] for part in await streamed(client, "shout", "quiet", ["values", "updates"])]


@behaviour
async def functional_state(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "shout", "quiet")
    return [(await client.threads.get_state(thread))["values"], (await client.threads.get(thread))["values"]]


@behaviour
async def functional_interrupt(client: LangGraphClient) -> Any:
    thread, asked = await ran(client, "confirm", 3)
    answer = await client.runs.wait(thread, "confirm", command={"resume": "yes"}, raise_error=False)
    return [[one["value"] for one in asked["__interrupt__"]], answer]


@behaviour
async def functional_previous(client: LangGraphClient) -> Any:
    thread, one = await ran(client, "counted", 3)
    return [one, await client.runs.wait(thread, "counted", input=4)]  # type: ignore[call-overload]


@behaviour
async def factory_of_config(client: LangGraphClient) -> Any:
    answer = (await ran(client, "configured", {"word": "a"}, config={"configurable": {"word": "own"}}))[1]
    return answer["seen"]


@behaviour
async def factory_of_config_and_runtime(client: LangGraphClient) -> Any:
    return (await ran(client, "served", {"word": "a"}))[1]["seen"]


@behaviour
async def factory_as_context_manager(client: LangGraphClient) -> Any:
    return (await ran(client, "entered", {"word": "a"}))[1]["seen"]


@behaviour
async def factories_are_described(client: LangGraphClient) -> Any:
    drawn = [
        await client.assistants.get_graph(await assistant_of(client, graph))
        for graph in ("configured", "served", "entered")
    ]
    return [sorted(str(node["id"]) for node in one["nodes"]) for one in drawn]


@behaviour
async def store_across_threads(client: LangGraphClient) -> Any:
    await ran(client, "keeping", {"word": "kept"})
    return (await ran(client, "keeping", {"word": "again"}))[1]["seen"]


@behaviour
async def missing_store_item(client: LangGraphClient) -> Any:
    return await status_of(client.store.get_item(["nowhere"], "none"))


@behaviour
async def durability_exit(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"}, durability="exit")
    return len(await client.threads.get_history(thread))


@behaviour
async def durability_sync(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"}, durability="sync")
    return len(await client.threads.get_history(thread))


@behaviour
async def after_seconds(client: LangGraphClient) -> Any:
    thread = await thread_of(client)
    run = await client.runs.create(thread, "talking", input={"word": "a"}, after_seconds=1)
    answer: Any = await client.runs.join(thread, run["run_id"])
    return [run["status"], len(answer["messages"])]


@behaviour
async def update_state_as_a_node(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"})
    await client.threads.update_state(thread, {"word": "edited"}, as_node="speak")
    state = await client.threads.get_state(thread)
    values: Any = state["values"]
    return [values["word"], state["next"]]


@behaviour
async def run_from_a_checkpoint(client: LangGraphClient) -> Any:
    thread, _ = await ran(client, "talking", {"word": "a"})
    history = await client.threads.get_history(thread)
    begin = next(state for state in history if state["next"] == ["speak"])
    answer: Any = await client.runs.wait(thread, "talking", input=None, checkpoint=begin["checkpoint"])
    return [message["content"] for message in answer["messages"]]


@behaviour
async def stateless_run(client: LangGraphClient) -> Any:
    answer: Any = await client.runs.wait(None, "talking", input={"word": "a"})
    return [message["content"] for message in answer["messages"]]


@behaviour
async def unknown_graph(client: LangGraphClient) -> Any:
    return await status_of(client.runs.wait(await thread_of(client), "nobody", input={}))


@behaviour
async def unknown_thread(client: LangGraphClient) -> Any:
    nobody = "00000000-0000-4000-8000-000000000000"
    return await status_of(client.runs.wait(nobody, "talking", input={"word": "a"}))


async def outcome(check: Behaviour, client: LangGraphClient) -> Any:
    """What a behaviour gives, as JSON has it; what goes wrong is told by its kind."""
    try:
        return json.loads(json.dumps(await check(client)))
    except (httpx.HTTPStatusError, KeyError, TypeError, IndexError, AssertionError) as error:
        return {"failed": type(error).__name__, "of": str(error)[:120]}


async def main(url: str) -> None:
    async with get_client(url=url, api_key=None) as client:
        told = {name: await outcome(check, client) for name, check in BEHAVIOURS.items()}
    print(json.dumps(told, indent=1, ensure_ascii=False))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
