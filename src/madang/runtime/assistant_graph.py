"""An assistant of ours as the runtime serves it."""

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import date
from typing import Any, cast

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langgraph.graph import END
from langgraph.types import Overwrite

from madang.errors import InvalidInput, InvalidState
from madang.graph import nodes
from madang.graph.assistant import Assistant, dig, nest
from madang.graph.context import TurnContext, Write
from madang.graph.inputs import Input, check_form, form_schema
from madang.graph.nodes import open_questions
from madang.graph.records import merge
from madang.runtime.client_input import ASKING, last_human, last_human_id
from madang.runtime.environment import Environment
from madang.runtime.rehearsal import rehearse
from madang.runtime.run_config import run_config, thread_config
from madang.runtime.served_graph import About, Keyed, ServedGraph, Values
from madang.runtime.turn_context import turn_context
from madang.runtime.turn_events import turn_events
from madang.state.fields import sensitive_names
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState, transition_step
from madang.state.validation import validate_update
from madang.store.runs import Run
from madang.store.sessions import Session
from madang.store.turns import Reply
from madang.threads import in_thread

SET_BY_US = ("session_id", "request_id", "schema_version")
QUESTION_ID = "question_id"
BY_USER = {"agent": "user", "source": "edit"}


class AssistantGraph(ServedGraph):
    """A turn graph: its state says how far the turn is, so what clients see follows from what is committed."""

    edit_node = "respond"
    steerable = False
    history_by_turn = True
    reads_answers = True
    hides_failures = True

    def __init__(self, name: str, graph: Any, assistant: Assistant[Any, Any], services: Any = None) -> None:
        self.name, self.graph, self.assistant, self.services = name, graph, assistant, services
        described = assistant.description or assistant.title
        self.about = About(assistant.title, described, assistant.greeting, assistant.examples)

    def read_input(self, given: Any) -> tuple[str, Mapping[str, Any] | None]:
        if given is None:
            return "", None
        if not isinstance(given, Mapping):
            raise InvalidInput("input: should be an object", field="input")
        query = given.get("query")
        if query is None:
            query = last_human(given.get("messages"))
        if not isinstance(query, str) or not query.strip():
            raise InvalidInput(ASKING, field="input")
        more = {k: v for k, v in given.items() if k not in ("messages", "query", *SET_BY_US) and v is not None}
        named = last_human_id(given.get("messages"))
        about = {QUESTION_ID: named} if named is not None else {}
        return query, {**self._valid(more, only=self.assistant.inputs), **about, "query": query}

    def read_update(self, values: Any) -> Any:
        """An update by fields, through their reducers, marked as the user's."""
        if not isinstance(values, Mapping):
            raise InvalidInput("values: should be an object of state fields", field="values")
        good = self._valid(self._writable(values))
        return {**good, **nest("provenance", dict.fromkeys(good, BY_USER))}

    async def turn_to_continue(
        self, session_id: str, checkpoint: Mapping[str, Any] | None, *, commanded: bool
    ) -> tuple[str | None, Mapping[str, Any]]:
        found = await self.snapshot(session_id, checkpoint)
        if not commanded and checkpoint is None:
            if not found.next or found.interrupts:
                raise InvalidInput(ASKING, field="input")
            checkpoint = {"checkpoint_id": found.config["configurable"]["checkpoint_id"], "checkpoint_ns": ""}
        return (found.values or {}).get("request_id"), checkpoint or {}

    def run_input(self, run: Run) -> dict[str, Any]:
        given = dict(run.input or {})
        query = given.get("query") or ""
        rerun = bool(given.get("rerun"))
        named = given.pop(QUESTION_ID, None) or f"{run.request_id}:question"
        # Whose question it is, is not in an id that a client gave.
        asked = HumanMessage(query, id=named, additional_kwargs={"request_id": run.request_id})
        return {
            **given,
            "query": query,
            "messages": [asked] if query and not rerun else [],
            "rerun": rerun,
            "form_input": given.get("form_input"),
            "session_id": run.session_id,
            "request_id": run.request_id,
        }

    async def context(self, environment: Environment, run: Run, session: Session, write: Write) -> TurnContext:
        return await turn_context(environment, self.services, run, session, write)

    async def rehearse(self, today: date) -> None:
        await rehearse(self.assistant, self.services, today)

    @asynccontextmanager
    async def for_run(self, config: Mapping[str, Any], owner: str, context: Any = None) -> AsyncIterator[Any]:
        yield self.graph

    def client_modes(self, modes: Collection[str]) -> set[str]:
        # It streams its answer itself; what models say inside it is not for clients.
        return {mode for mode in modes if not mode.startswith("messages")} | {"custom"}

    def run_modes(self, modes: Collection[str]) -> list[str]:
        return list(modes)

    def ended_at(self, committed: Values, streamed: Any, *, may_stop: bool) -> dict[str, Any] | None:
        return dict(committed) if committed and not open_questions(committed) else None

    async def close_cancelled(self, run: Run, streamed: str) -> dict[str, Any]:
        """Commit what finished before the run was cancelled and mark the rest.

        Updating as `END` makes LangGraph apply the writes of finished tasks and drop the others: no sibling is lost.
        """
        config = run_config(run) if run.status == "running" else thread_config(run.session_id)
        begun = await self.snapshot(run.session_id)
        if (begun.metadata or {}).get("run_id") != run.run_id:
            return {"steps": [], "streamed": streamed}
        await self.graph.aupdate_state(config, None, as_node=END)
        values = (await self.snapshot(run.session_id)).values
        if update := self._cancelled(values, run, streamed):
            await self.graph.aupdate_state(config, update, as_node=self.edit_node)
            await self.graph.aupdate_state(config, None, as_node=END)
        done = [step["step_id"] for step in self.steps(values) if step["status"] == "completed"]
        return {"steps": done, "streamed": streamed}

    def _cancelled(self, values: Values, run: Run, streamed: str) -> dict[str, Any]:
        open_steps = [step for step in self.steps(values) if step["status"] not in TERMINAL_STEPS]
        update: dict[str, Any] = {}
        if open_steps:
            skipped = [transition_step(step, "skipped", error="cancelled") for step in open_steps]
            update = nest(self.assistant.steps_at, skipped)
        if streamed:
            kept = AIMessage(streamed, id=f"{run.request_id}:partial", additional_kwargs={"cancelled": True})
            update["messages"] = [kept]
        return update

    def steps(self, values: Values) -> list[ExecutionStepState]:
        return self.assistant.steps(values)

    @property
    def sensitive(self) -> frozenset[str]:
        return sensitive_names(cast(Any, self.assistant.state))

    def agents(self) -> list[dict[str, Any]]:
        return [
            {"name": a.name, "title": a.task, "team": a.team, "reads": list(a.reads), "writes": list(a.writes)}
            for a in self.assistant.agents
        ]

    def reading(self, values: Values) -> Mapping[str, Any] | None:
        return values.get("reading") or None

    def events(
        self, run: Run, values: Values, reached: Mapping[str, int], *, ended: bool, logged: Collection[str] = ()
    ) -> Iterator[Keyed]:
        # The checkpoint of an input still holds the state of the turn before.
        if values.get("request_id") == run.request_id:
            yield from turn_events(self.assistant, values, reached, logged)

    def with_writes(self, values: Values, writes: list[tuple[str, Any]]) -> dict[str, Any] | None:
        root = self.assistant.steps_at.split(".", 1)[0]
        reducer = self.assistant.specs[root].reducer
        changed = [value for channel, value in writes if channel == root and not isinstance(value, Overwrite)]
        if not changed or reducer is None:
            return None
        steps = values.get(root)
        for value in changed:
            steps = reducer(steps, value)
        return {**values, root: steps}

    def answer_chunk(self, run: Run, streamed: Any) -> AIMessageChunk | None:
        if not isinstance(streamed, dict) or streamed.get("type") != "token":
            return None
        return AIMessageChunk(content=streamed["text"], id=run.answer_id)

    def answer(self, run: Run, values: Values) -> AIMessage | None:
        messages = values.get("messages") or [None]
        last = messages[-1]
        return last if isinstance(last, AIMessage) and last.id == run.answer_id else None

    def response(self, values: Values) -> dict[str, Any] | None:
        return self.assistant.response(values)

    def reply(self, run: Run, values: Values) -> Reply | None:
        response = self.response(values)
        # A run that only moved the graph on (a command) leaves the response of the turn before.
        if response is None or values.get("request_id") != run.request_id:
            return None
        return Reply(response["answer"], {"type": response["type"], **response["structured_data"]})

    async def answers_in(self, session_id: str, text: str) -> dict[str, Any]:
        """The first question that the text fits, if there are several."""
        snapshot = await self.snapshot(session_id)
        for pending in snapshot.interrupts:
            question: Any = {**pending.value, "answered": False, "answer": None}
            answer = await in_thread(self.assistant.read_answer, question, text, snapshot.values)
            if answer is not None:
                return {pending.id: answer}
        return {}

    def edit(self, values: Values, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Each path is replaced, past its field's reducer, and marked as the user's."""
        update = self._writable(super().edit(values, changes))
        self._valid(update)
        specs = self.assistant.specs
        written = {name: Overwrite(value) if specs[name].reducer else value for name, value in update.items()}
        return {**written, **nest("provenance", dict.fromkeys(changes, BY_USER))}

    def rerun(self, values: Values) -> Mapping[str, Any] | None:
        return {"query": str(values.get("query") or ""), "rerun": True} if values.get("plan") else None

    def about_in(self, language: str | None) -> About:
        label, about = self._label(language), self.about
        examples = tuple(map(label, about.examples))
        return About(label(about.title), label(about.description), label(about.greeting), examples)

    def step_titles(self, language: str | None) -> Mapping[str, str]:
        label = self._label(language)
        return {agent.task: called for agent in self.assistant.agents if (called := label(agent.task)) != agent.task}

    def form(self, language: str | None = None) -> dict[str, Any]:
        label = self._label(language)
        tasks = {name: label(title) for name, title in self.assistant.tasks.items()}
        return form_schema(self._inputs(language), tasks, language)

    def read_form(self, values: Mapping[str, Any], language: str | None = None) -> dict[str, Any]:
        good, problems = check_form(self._inputs(language), self.assistant.tasks, values, language)
        if problems:
            raise InvalidState(problems)
        return good

    def form_values(self, values: Values, language: str | None = None) -> list[dict[str, Any]]:
        claims = {claim["field"]: claim for claim in (values.get("reading") or {}).get("claims", ())}
        return [
            {
                "field": one.path,
                "title": one.title,
                "value": (value := dig(values, one.path)),
                "text": "" if value in (None, [], {}) else one.shown(value),
                "words": claims[one.path]["words"] if one.path in claims else "",
            }
            for one in self._inputs(language)
        ]

    def _label(self, language: str | None) -> Callable[[str], str]:
        return lambda text: self.assistant.labels(text, language)

    def _inputs(self, language: str | None) -> list[Input]:
        label = self._label(language)
        return [one.labelled(label) for one in self.assistant.form]

    async def steps_if(self, values: Values, given: Mapping[str, Any], context: TurnContext) -> list[dict[str, Any]]:
        """The steps that a turn with this form would have; those it would keep are `skipped` and `reused`."""
        return await self._planned({**values, "query": "", "rerun": False, "form_input": dict(given)}, context)

    async def steps_if_edited(
        self, values: Values, changes: Mapping[str, Any], context: TurnContext
    ) -> list[dict[str, Any]]:
        update = self.edit(values, changes)
        again = self.rerun(values)
        if again is None:
            return []
        written = {name: value.value if isinstance(value, Overwrite) else value for name, value in update.items()}
        return await self._planned({**values, **written, **again, "form_input": None}, context)

    async def _planned(self, begun: dict[str, Any], context: TurnContext) -> list[dict[str, Any]]:
        """The steps of a turn that begins with this state; nothing is run or kept."""
        for phase in (nodes.initialize, nodes.planning):
            update = await phase(self.assistant, begun, context)
            replaced = {name: value.value for name, value in update.items() if isinstance(value, Overwrite)}
            added = {name: value for name, value in update.items() if name not in replaced}
            begun = {**merge(self.assistant, begun, added), **replaced}
        return [dict(step) for step in self.steps(begun)]

    def renamed(self, session_id: str) -> dict[str, Any]:
        return {"session_id": session_id}

    def _writable(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in SET_BY_US:
            if name in values:
                raise InvalidInput(f"values.{name}: is set by the server", field=name)
        return values

    def _valid(self, values: Mapping[str, Any], *, only: tuple[str, ...] | None = None) -> dict[str, Any]:
        good, problems = validate_update(self.assistant.state, values, allow=only)
        if problems:
            raise InvalidState(problems)
        return good
