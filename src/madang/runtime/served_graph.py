"""What the runtime runs: a graph under a name, and all that depends on what kind of graph it is.

ServedGraph
├─ AssistantGraph   a turn graph of ours: its state tells its steps, its events and its response
└─ PlainGraph       any LangGraph graph: its state is its own, and it talks in messages if it talks
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from langchain_core.messages import AIMessage, AIMessageChunk

from madang.errors import InvalidInput, MadangError, NotFound, UnreadableData
from madang.events import Event
from madang.graph.context import Write
from madang.graph.questions import in_words
from madang.runtime.environment import Environment
from madang.runtime.run_config import thread_config
from madang.state.paths import root_of, set_path
from madang.state.steps import ExecutionStepState
from madang.store.runs import Run
from madang.store.sessions import Session
from madang.store.turns import Reply
from madang.texts import say

Values = Mapping[str, Any]
Snapshot = Any
Keyed = tuple[str, Event]
SHOWN_OF_A_QUESTION = ("kind", "question", "choices", "draft", "form", "step_id", "field")


@dataclass(frozen=True)
class About:
    """How a graph is presented to people."""

    title: str
    description: str = ""
    greeting: str = ""
    examples: tuple[str, ...] = ()


class ServedGraph(ABC):
    """The contract; what a kind doesn't say otherwise holds for a graph of whose state nothing is known.

    `graph` is compiled with our saver; a factory's is what it makes of no config. `services` are an assistant's tools.
    """

    name: str
    graph: Any
    about: About
    services: Any = None
    # The node whose writes an edit counts as; None: LangGraph finds the last one.
    edit_node: ClassVar[str | None] = None
    # Whether clients may send it to any node, and make a thread of it by telling what its nodes wrote.
    steerable: ClassVar[bool] = True
    # Whether its history is told to clients by turns, not by every step.
    history_by_turn: ClassVar[bool] = False
    # Whether plain text may answer what a run waits for.
    reads_answers: ClassVar[bool] = False
    # Whether what it fails of is told to clients only in general.
    hides_failures: ClassVar[bool] = False

    # What it is given

    @abstractmethod
    def read_input(self, given: Any) -> tuple[str, Mapping[str, Any] | None]:
        """The question in a client's input, and the input as it is kept. Raises `InvalidInput`, `InvalidState`."""

    def read_update(self, values: Any) -> Any:
        """A client's write to the state, checked. Raises `InvalidInput`, `InvalidState`."""
        return values

    async def turn_to_continue(
        self, session_id: str, checkpoint: Mapping[str, Any] | None, *, commanded: bool
    ) -> tuple[str | None, Mapping[str, Any]]:
        """For a run without a question: the request of the turn that goes on, and the checkpoint to go on from.

        Raises `InvalidInput` if there is nothing to go on with.
        """
        return None, {}

    @abstractmethod
    def run_input(self, run: Run) -> Any:
        """A run's input as the graph takes it."""

    @abstractmethod
    async def context(self, environment: Environment, run: Run, session: Session, write: Write) -> Any:
        """What travels beside the state in a run; `write` takes what nodes stream to the user."""

    def context_from(self, configurable: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The context of a run whose client gave only a config."""
        return None

    # Running it

    @property
    def nodes(self) -> Collection[str] | None:
        """The names of its nodes; None if they depend on the run."""
        names: Collection[str] = self.graph.nodes
        return names

    @abstractmethod
    def for_run(self, config: Mapping[str, Any], owner: str, context: Any = None) -> AbstractAsyncContextManager[Any]:
        """The compiled graph of one run."""

    @abstractmethod
    def client_modes(self, modes: Collection[str]) -> set[str]:
        """LangGraph's stream modes for what a client asks to see."""

    @abstractmethod
    def run_modes(self, modes: Collection[str]) -> list[str]:
        """The stream modes a run needs to give these and to know how it ended."""

    @abstractmethod
    def ended_at(self, committed: Values, streamed: Any, *, may_stop: bool) -> dict[str, Any] | None:
        """The values that a run which has just stopped ended at; None if the database has to be asked.

        `committed` is the last committed state of ours, `streamed` the last of the stream's values.
        """

    @property
    def output_keys(self) -> str | list[str] | None:
        """The channels that clients are shown while it runs and at its end; None: every one."""
        return None

    def output(self, values: Any) -> Any:
        """What clients are shown of a state at the end of a run."""
        return values

    async def close_cancelled(self, run: Run, streamed: str) -> dict[str, Any]:
        """Leave the state of a cancelled run whole; what was kept of it."""
        return {"steps": [], "streamed": streamed}

    async def snapshot(
        self, session_id: str, place: Mapping[str, Any] | None = None, *, subgraphs: bool = False
    ) -> Snapshot:
        """LangGraph's snapshot of a session, now or at the checkpoint that `place` names.

        Raises `UnreadableData` if the graph's own reducers can't put the state together.
        """
        try:
            return await self.graph.aget_state(thread_config(session_id, place), subgraphs=subgraphs)
        except MadangError:
            raise
        except Exception as error:
            raise UnreadableData(f"the state can't be put together: {error}", error=type(error).__name__) from error

    # What its state tells

    def steps(self, values: Values) -> list[ExecutionStepState]:
        """The steps of the present turn."""
        return []

    @property
    def sensitive(self) -> frozenset[str]:
        """The names of its fields that others see masked."""
        return frozenset()

    def agents(self) -> list[dict[str, Any]]:
        """Who reads and writes what, as far as it is declared: of a plain graph what its nodes take."""
        channels = set(getattr(self.graph, "stream_channels_list", ()))
        return [
            {
                "name": name,
                "title": name,
                "team": "",
                "reads": [one for one in _taken(node) if one in channels],
                "writes": [],
            }
            for name, node in getattr(self.graph, "nodes", {}).items()
            if not name.startswith("__")
        ]

    async def edges(self) -> list[dict[str, Any]]:
        """Which node leads to which, where nodes are what a turn shows: not for a graph that tells its steps."""
        return []

    def reading(self, values: Values) -> Mapping[str, Any] | None:
        """How the message of the present turn was read."""
        return None

    @abstractmethod
    def events(
        self, run: Run, values: Values, reached: Mapping[str, int], *, ended: bool, logged: Collection[str] = ()
    ) -> Iterator[Keyed]:
        """Every event of the run that its state implies so far; `reached` is how far running steps say to be.

        What is `logged` by its key may be left out.
        """

    async def rehearse(self, today: date) -> None:
        """Load what the first turn would have to wait for."""
        return

    def with_writes(self, values: Values, writes: list[tuple[str, Any]]) -> dict[str, Any] | None:
        """The values after a finished task's writes, if those change its steps."""
        return None

    def answer_chunk(self, run: Run, streamed: Any) -> AIMessageChunk | None:
        """A piece of the answer in what a node streamed, under the id that the whole answer will have."""
        return None

    def answer(self, run: Run, values: Values) -> AIMessage | None:
        """The run's answer among the messages of its state, if it may not have been streamed."""
        return None

    @abstractmethod
    def response(self, values: Values) -> dict[str, Any] | None:
        """What it answers in the end."""

    @abstractmethod
    def reply(self, run: Run, values: Values) -> Reply | None:
        """What a run has to say in the conversation."""

    def failure_shown(self, error: Mapping[str, Any] | None) -> str | None:
        """Why a run failed, as clients are told; the inside of our assistants stays inside."""
        hidden = self.hides_failures and (error or {}).get("code") == "internal"
        return say("internal_error", None) if hidden else (error or {}).get("message")

    # Questions

    async def answers_in(self, session_id: str, text: str) -> dict[str, Any]:
        """The pending questions that a plain text answers, by interrupt id."""
        return {}

    def answers_said(self, answers: Mapping[str, Any]) -> str:
        """Answers given by interrupt id, as the user would have said them in the conversation."""
        return "\n".join(map(in_words, answers.values()))

    # Changing its state from outside

    def edit(self, values: Values, changes: Mapping[str, Any]) -> dict[str, Any]:
        """The update that sets these paths. Raises `InvalidState`, `InvalidInput` or `NotFound`."""
        after = dict(values)
        for path, value in changes.items():
            if not root_of(path):
                raise InvalidInput(f"the path {path!r} names no field of the state", path=path)
            after = set_path(after, path, value)
        return {root: after[root] for root in {root_of(path) for path in changes}}

    def rerun(self, values: Values) -> Mapping[str, Any] | None:
        """The input of a run that redoes what depends on an edit; None if there is nothing to redo."""
        return None

    def about_in(self, language: str | None) -> About:
        """How it is presented in a language, if it knows that."""
        return self.about

    def step_titles(self, language: str | None) -> Mapping[str, str]:
        """What its steps are called in a language, by their task in its plans; those called the same are left out."""
        return {}

    def form(self, language: str | None = None) -> dict[str, Any]:
        """What it can be told directly, as JSON Schema."""
        return {"type": "object", "properties": {}, "additionalProperties": False}

    def read_form(self, values: Mapping[str, Any], language: str | None = None) -> dict[str, Any]:
        """Values set directly, checked all or none. Raises `InvalidState` naming each that doesn't fit."""
        raise InvalidInput("this graph declares no inputs", field="inputs")

    def form_values(self, values: Values, language: str | None = None) -> list[dict[str, Any]]:
        """Each declared input with its present value and the words it came from."""
        return []

    async def steps_if(self, values: Values, given: Mapping[str, Any], context: Any) -> list[dict[str, Any]]:
        """The steps that setting these inputs would run."""
        return []

    async def steps_if_edited(self, values: Values, changes: Mapping[str, Any], context: Any) -> list[dict[str, Any]]:
        """The steps that an edit would run. Raises as `edit` does."""
        self.edit(values, changes)
        return []

    def renamed(self, session_id: str) -> dict[str, Any]:
        """The update that tells a copied state whose it is."""
        return {}


def _taken(node: Any) -> list[str]:
    channels = getattr(node, "channels", None)
    return [channels] if isinstance(channels, str) else list(channels or ())


def find_served(served: Mapping[str, ServedGraph], name: str | None) -> ServedGraph:
    """The graph under that name. Raises `NotFound`, naming the ones there are."""
    if name is None or name not in served:
        raise NotFound(f"no assistant {name!r}; there are {', '.join(sorted(served)) or 'none'}", assistant=name)
    return served[name]


def as_fields(values: Any) -> dict[str, Any]:
    """A state's fields; a functional graph's state is a value of any kind, and has none."""
    return dict(values) if isinstance(values, Mapping) else {}


def pending_questions(snapshot: Snapshot) -> list[dict[str, Any]]:
    """What a snapshot waits for, as clients see it."""
    return [
        {
            "interrupt_id": i.id,
            **({k: i.value.get(k) for k in SHOWN_OF_A_QUESTION} if isinstance(i.value, dict) else {"value": i.value}),
        }
        for i in snapshot.interrupts
    ]
