"""The saver under real graphs: what is stored comes back, and nothing a graph does can spoil it."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage
from langgraph.channels import DeltaChannel
from langgraph.graph import START, StateGraph
from langgraph.types import Command, Overwrite, interrupt

from madang.errors import DecryptionFailed, Fenced, InvalidInput, InvalidName, UnreadableData
from madang.state.encryption import Keyring, generate_key
from madang.store import SessionSaver
from madang.store.saver import CommitEvent
from madang.store.seal_database import seal_database
from tests.support.keys import TestKeyring
from tests.support.saver_talk import Talk, config, question, talk, talk_graph


async def test_a_long_thread_reads_the_same_from_a_new_process(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 90)
        before = [seen async for seen in graph.aget_state_history(config(), limit=30)]
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        after = [seen async for seen in graph.aget_state_history(config(), limit=30)]
        assert after == before
        assert [m.id for m in after[0].values["messages"]] == [f"{k}{n}" for n in range(1, 91) for k in "ha"]
        await graph.ainvoke(question(91), config())
        state = await graph.aget_state(config())
    assert len(state.values["messages"]) == 182
    assert state.values["results"]["b"]["turn"] == 91


async def test_appending_costs_what_is_new_and_not_what_is_there(sqlite_url: str) -> None:
    async with SessionSaver.from_url(sqlite_url) as saver:

        async def stored() -> int:
            async with saver.database.reader() as reader:
                [row] = await reader.fetch(
                    "SELECT (SELECT sum(length(data)) FROM chunks) + (SELECT sum(length(blob)) FROM checkpoint_blobs)"
                    " + (SELECT sum(length(blob)) FROM checkpoint_writes)"
                    " + (SELECT sum(length(packed)) FROM checkpoints) AS bytes"
                )
            return int(row["bytes"])

        sizes = []
        graph = talk_graph(saver)
        for number in range(1, 101):
            await graph.ainvoke(question(number), config())
            if number % 20 == 0:
                sizes.append(await stored())
    growth = [later - earlier for earlier, later in pairwise(sizes)]
    assert growth[-1] < 1.5 * growth[0]


@pytest.mark.parametrize("trim", [1, 3])
async def test_removed_and_replaced_messages(db_url: str, trim: int) -> None:
    def edit(state: Talk) -> dict[str, Any]:
        removed = [RemoveMessage(id=str(m.id)) for m in state["messages"][:trim]] if len(state["messages"]) > 8 else []
        return {"messages": [*removed, AIMessage(content="changed " * 50, id=str(state["messages"][-1].id))]}

    graph = StateGraph(Talk).add_node(edit).add_edge(START, "edit")
    async with SessionSaver.from_url(db_url) as saver:
        app = graph.compile(checkpointer=saver)
        expected = []
        for number in range(20):
            expected.append((await app.ainvoke(question(number), config()))["messages"])
    async with SessionSaver.from_url(db_url) as saver:
        app = graph.compile(checkpointer=saver)
        ends = [s async for s in app.aget_state_history(config()) if not s.next]
    assert [s.values["messages"] for s in reversed(ends)] == expected


async def test_what_was_handed_out_can_be_spoiled_without_harm(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 3)
        state = await graph.aget_state(config())
        state.values["messages"][0].content = "spoiled"
        state.values["messages"][1].additional_kwargs["spoiled"] = True
        state.values["messages"].clear()
        state.values["results"]["a"]["text"] = "spoiled"
        again = await graph.aget_state(config())
        assert again.values["messages"][0].content == "question 1 " * 30
        assert again.values["messages"][1].additional_kwargs == {}
        assert again.values["results"]["a"]["text"] == "a 3 " * 200


async def test_a_node_that_edits_a_message_in_place_is_noticed_when_it_is_stored(db_url: str) -> None:
    def edit(state: Talk) -> dict[str, Any]:
        state["messages"][0].content = f"edited {len(state['messages'])}"
        return {"messages": [AIMessage(content="x" * 300)]}

    graph = StateGraph(Talk).add_node(edit).add_edge(START, "edit")
    async with SessionSaver.from_url(db_url) as saver:
        app = graph.compile(checkpointer=saver)
        for number in range(4):
            await app.ainvoke(question(number), config())
    async with SessionSaver.from_url(db_url) as saver:
        state = await graph.compile(checkpointer=saver).aget_state(config())
    assert state.values["messages"][0].content == "edited 7"


async def test_a_fork_leaves_the_original_as_it_was(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 6)
        history = [seen async for seen in graph.aget_state_history(config())]
        old = next(s for s in history if not s.next and s.values["turn"] == 3)
        await graph.ainvoke(question(40), old.config)
        forked = await graph.aget_state(config())
        assert [m.id for m in forked.values["messages"]] == ["h1", "a1", "h2", "a2", "h3", "a3", "h40", "a4"]
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        for seen in history:
            assert (await graph.aget_state(seen.config)).values == seen.values
        assert (await graph.aget_state(config())).values == forked.values


async def test_interrupt_and_resume_across_processes(db_url: str) -> None:
    class Ask(TypedDict, total=False):
        answer: str
        log: Annotated[list[str], operator.add]

    def first(state: Ask) -> dict[str, Any]:
        return {"log": ["first"]}

    def ask(state: Ask) -> dict[str, Any]:
        return {"answer": interrupt({"question": "몇 박?"}), "log": ["asked"]}

    graph = StateGraph(Ask).add_node(first).add_node(ask).add_edge(START, "first").add_edge("first", "ask")
    async with SessionSaver.from_url(db_url) as saver:
        paused = await graph.compile(checkpointer=saver).ainvoke({"log": []}, config())
        assert paused["__interrupt__"][0].value == {"question": "몇 박?"}
    async with SessionSaver.from_url(db_url) as saver:
        done = await graph.compile(checkpointer=saver).ainvoke(Command(resume="4박"), config())
    assert done == {"answer": "4박", "log": ["first", "asked"]}


async def test_subgraphs_have_namespaces_of_their_own(db_url: str) -> None:
    inner = StateGraph(Talk)
    inner.add_node(
        "deep", lambda state: {"messages": [AIMessage(content="deep " * 60, id=f"d{len(state['messages'])}")]}
    )
    inner.add_edge(START, "deep")
    outer = StateGraph(Talk).add_node("inner", inner.compile(checkpointer=True)).add_edge(START, "inner")
    async with SessionSaver.from_url(db_url) as saver:
        app = outer.compile(checkpointer=saver)
        for number in range(3):
            await app.ainvoke(question(number), config())
        state = await app.aget_state(config(), subgraphs=True)
        spaces = {seen.config["configurable"]["checkpoint_ns"] async for seen in saver.alist(config())}
    assert len(state.values["messages"]) == 6
    assert "" in spaces
    assert len(spaces) == 2


def test_synchronous_graphs(db_url: str) -> None:
    with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        for number in range(1, 4):
            graph.invoke(question(number), config())
        assert len(graph.get_state(config()).values["messages"]) == 6
        assert len(list(graph.get_state_history(config(), limit=4))) == 4
        saver.copy_thread("t", "u")
        saver.prune(["t"])
        assert len(list(saver.list(config("t")))) == 1
        saver.delete_thread("t")
        assert saver.get_tuple(config("t")) is None
        assert len(graph.get_state(config("u")).values["messages"]) == 6


async def test_a_synchronous_call_on_the_loop_itself_is_refused(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        with pytest.raises(Exception, match="async method"):
            saver.get_tuple(config())


def accumulate(state: Sequence[Any] | None, writes: Sequence[Any]) -> list[Any]:
    result = list(state or [])
    for write in writes:
        result += write if isinstance(write, list) else [write]
    return result


class Growing(TypedDict, total=False):
    items: Annotated[list[Any], DeltaChannel(accumulate, snapshot_frequency=5)]
    never: Annotated[list[Any], DeltaChannel(accumulate, snapshot_frequency=1000)]


def growing_graph(saver: Any) -> Any:
    def one(state: Growing) -> dict[str, Any]:
        return {
            "items": [AIMessage(content=f"one {len(state['items'])} " * 40, id=str(len(state["items"])))],
            "never": ["n"],
        }

    def left(state: Growing) -> dict[str, Any]:
        return {"items": [f"left {len(state['items'])}"]}

    def right(state: Growing) -> dict[str, Any]:
        return {"items": [f"right {len(state['items'])}"]}

    graph = StateGraph(Growing).add_node(one).add_node(left).add_node(right).add_edge(START, "one")
    graph.add_edge("one", "left").add_edge("one", "right")
    return graph.compile(checkpointer=saver)


async def grow(graph: Any, turns: int, thread: str = "t") -> list[Any]:
    return [(await graph.ainvoke({"items": [f"in {n}"]}, config(thread)))["items"] for n in range(turns)]


async def test_delta_channels_are_rebuilt_from_their_writes(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        ends = await grow(growing_graph(saver), 12)
    async with SessionSaver.from_url(db_url) as saver:
        graph = growing_graph(saver)
        seen = [s async for s in graph.aget_state_history(config()) if not s.next]
        assert [s.values["items"] for s in reversed(seen)] == ends
        assert seen[0].values["never"] == ["n"] * 12
        history = await saver.aget_delta_channel_history(config=config(), channels=["items", "never", "nothing"])
    assert "seed" in history["items"]
    assert "seed" not in history["never"]
    assert [write[2] for write in history["never"]["writes"]] == [["n"]] * 12
    assert history["nothing"] == {"writes": []}


async def test_delta_history_of_a_fork_follows_its_own_ancestors(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = growing_graph(saver)
        ends = await grow(graph, 4)
        second = [s async for s in graph.aget_state_history(config()) if not s.next][2]
        forked = (await graph.ainvoke({"items": ["fork"]}, second.config))["items"]
        assert forked[: len(ends[1])] == ends[1]
        assert (await graph.aget_state(config())).values["items"] == forked


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
async def test_delta_channels_that_two_processes_write_in_turn(db_url: str, durability: Any) -> None:
    """What one saver remembers of a delta channel's past doesn't hide what the other has stored."""
    async with SessionSaver.from_url(db_url) as one, SessionSaver.from_url(db_url) as other:
        said: list[Any] = []
        for number, saver in enumerate([one, one, one, other, one, other, other, other, one, one, other]):
            graph = growing_graph(saver)
            ended = await graph.ainvoke({"items": [f"in {number}"]}, config(), durability=durability)
            assert ended["items"][: len(said)] == said
            said = ended["items"]
            assert len(said) == 4 * (number + 1)
    async with SessionSaver.from_url(db_url) as third:
        assert (await growing_graph(third).aget_state(config())).values["items"] == said


async def test_a_delta_channel_that_is_written_from_outside_between_two_turns(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver, SessionSaver.from_url(db_url) as other:
        graph = growing_graph(saver)
        before = (await grow(graph, 3))[-1]
        newest = (await graph.aget_state(config())).config
        await other.aput_writes(newest, [("items", ["from outside"])], "00000000-0000-0000-0000-000000000001")
        await graph.aupdate_state(config(), {"items": ["edited"]}, as_node="right")
        ours = (await graph.aget_state(config())).values["items"]
        assert ours[: len(before)] == before
        assert ours == (await growing_graph(other).aget_state(config())).values["items"]


async def test_pruning_keeps_delta_channels_whole(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        ends = await grow(growing_graph(saver), 9)
        await saver.aprune(["t"])
    async with SessionSaver.from_url(db_url) as saver:
        graph = growing_graph(saver)
        assert len([s async for s in saver.alist(config())]) == 1
        assert (await graph.aget_state(config())).values["items"] == ends[-1]
        more = (await graph.ainvoke({"items": ["more"]}, config()))["items"]
        assert more[: len(ends[-1])] == ends[-1]
        await saver.aprune(["t"])
        assert (await graph.aget_state(config())).values["items"] == more
        assert (await graph.aget_state(config())).values["never"] == ["n"] * 10


async def test_pruning_keeps_list_deltas_whole_and_lets_the_rest_go(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 80)
        before = (await graph.aget_state(config())).values
        await saver.aprune(["t"])
        async with saver.database.reader() as reader:
            [row] = await reader.fetch("SELECT count(*) AS n FROM chunks")
        assert row["n"] < 200
        assert (await graph.aget_state(config())).values == before
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        assert (await graph.aget_state(config())).values == before
        await graph.ainvoke(question(81), config())
        assert len((await graph.aget_state(config())).values["messages"]) == 162


async def test_keeping_some_checkpoints_keeps_each_readable(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 20)
        history = [s async for s in graph.aget_state_history(config())]
        kept = history[::7]
        gone = await saver.aretain("t", {"": [s.config["configurable"]["checkpoint_id"] for s in kept]})
        assert gone == len(history) - len(kept)
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        left = [s async for s in graph.aget_state_history(config())]
    assert [s.values for s in left] == [s.values for s in kept]


async def test_a_second_saver_that_prunes_does_not_break_one_that_goes_on(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as first, SessionSaver.from_url(db_url) as second:
        graph = await talk(first, 12)
        await second.aprune(["t"])
        for number in range(13, 16):
            await graph.ainvoke(question(number), config())
        old = [s async for s in second.alist(config())][-1]
        assert old.checkpoint["channel_values"]["turn"] == 12
    async with SessionSaver.from_url(db_url) as saver:
        state = await talk_graph(saver).aget_state(config())
    assert len(state.values["messages"]) == 30


async def test_savers_of_one_thread_read_what_each_other_stored(db_url: str) -> None:
    """Each process makes a dictionary when the thread has grown: the others must learn of it."""
    async with SessionSaver.from_url(db_url) as first, SessionSaver.from_url(db_url) as second:
        for begin in range(0, 80, 20):
            for saver in (first, second):
                graph = await talk(saver, 10)
                expected = (await graph.aget_state(config())).values
                for other in (first, second):
                    assert (await talk_graph(other).aget_state(config())).values == expected, begin
        history = [seen.values async for seen in talk_graph(first).aget_state_history(config())]
        assert [seen.values async for seen in talk_graph(second).aget_state_history(config())] == history
        await second.aprune(["t"])
        assert (await talk_graph(first).aget_state(config())).values == expected


async def test_deleting_runs_leaves_later_ones_readable(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        for number in range(1, 6):
            await graph.ainvoke(question(number), config(run_id=f"run-{number}"))
        await saver.adelete_for_runs(["run-2", "run-4"])
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        runs = {s.metadata["run_id"] async for s in saver.alist(config())}
        state = await graph.aget_state(config())
    assert runs == {"run-1", "run-3", "run-5"}
    assert len(state.values["messages"]) == 10


async def test_a_session_is_made_and_a_bare_one_goes_with_its_thread(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        await talk(saver, 1, "plain")
        async with saver.database.transaction() as tx:
            await tx.execute("INSERT INTO chat_sessions (session_id, title) VALUES ('kept', '제목')")
        await talk(saver, 1, "kept")
        for thread in ("plain", "kept"):
            await saver.adelete_thread(thread)
        async with saver.database.reader() as reader:
            rows = await reader.fetch("SELECT session_id FROM chat_sessions")
            chunks = await reader.fetch("SELECT session_id FROM chunks")
    assert [row["session_id"] for row in rows] == ["kept"]
    assert chunks == []


async def _run_row(saver: SessionSaver, fence: int, status: str = "running", run_id: str = "r") -> None:
    async with saver.database.transaction() as tx:
        await tx.execute("INSERT INTO chat_sessions (session_id) VALUES ('t') ON CONFLICT DO NOTHING")
        await tx.execute("DELETE FROM runs")
        await tx.execute(
            "INSERT INTO runs (run_id, session_id, status, fence) VALUES (:run, 't', :status, :fence)",
            {"run": run_id, "status": status, "fence": fence},
        )


async def test_a_write_with_an_old_token_is_refused_whole(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = talk_graph(saver)
        await _run_row(saver, 1)
        await graph.ainvoke(question(1), config(run_id="r", __madang_fence=1))
        newest = await saver.aget_tuple(config())
        assert newest is not None
        for fence, status in ((2, "running"), (1, "cancelled")):
            await _run_row(saver, fence, status, "later")
            with pytest.raises(Fenced):
                await graph.ainvoke(question(2), config(run_id="later", __madang_fence=1))
            with pytest.raises(Fenced):
                await saver.aput_writes(
                    {"configurable": {**newest.config["configurable"], "run_id": "later", "__madang_fence": 1}},
                    [("turn", 5)],
                    "task",
                )
        assert await saver.aget_tuple(config()) == newest


async def test_a_late_write_does_not_bring_a_deleted_session_back(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        await _run_row(saver, 1)
        async with saver.database.transaction() as tx:
            await tx.execute("DELETE FROM chat_sessions WHERE session_id = 't'")
        with pytest.raises(Fenced):
            await talk_graph(saver).ainvoke(question(1), config(run_id="r", __madang_fence=1))
        async with saver.database.reader() as reader:
            assert await reader.fetch("SELECT session_id FROM chat_sessions") == []


async def test_listeners_hear_of_every_commit_in_order(db_url: str) -> None:
    heard: list[CommitEvent] = []

    async def listen(event: CommitEvent) -> None:
        heard.append(event)

    def fail(event: CommitEvent) -> None:
        raise RuntimeError("a listener must not break a commit")

    async with SessionSaver.from_url(db_url) as saver:
        saver.on_commit.extend([fail, listen])
        await talk(saver, 1)
        stored = [s async for s in saver.alist(config())]
    checkpoints = [event for event in heard if event.kind == "checkpoint"]
    assert [event.checkpoint_id for event in checkpoints] == [s.checkpoint["id"] for s in reversed(stored)]
    assert checkpoints[-1].channel_values["turn"] == 1
    teams = [event for event in heard if any(channel == "results" for channel, _ in event.writes)]
    assert len(teams) == 2
    assert all(event.task_id and event.task_path for event in teams)


@dataclass
class Secret:
    text: str


class Holding(TypedDict, total=False):
    secret: Any


async def test_a_type_outside_the_allow_list_is_named_and_its_bytes_stay(db_url: str) -> None:
    graph = StateGraph(Holding).add_node("hold", lambda state: {"secret": Secret("x" * 400)}).add_edge(START, "hold")
    async with SessionSaver.from_url(db_url, allow=[Secret]) as saver:
        await graph.compile(checkpointer=saver).ainvoke({}, config())
        found = await saver.aget_tuple(config())
        assert found is not None
        assert found.checkpoint["channel_values"]["secret"] == Secret("x" * 400)
    async with SessionSaver.from_url(db_url, allow=[]) as saver:
        with pytest.raises(UnreadableData, match=r"'secret'.*Secret"):
            await saver.aget_tuple(config())
    async with SessionSaver.from_url(db_url, allow=[Secret]) as saver:
        assert await saver.aget_tuple(config()) == found


async def test_encrypted_threads(db_url: str) -> None:
    async with SessionSaver.from_url(db_url, keyring=TestKeyring()) as saver:
        graph = await talk(saver, 30)
        expected = (await graph.aget_state(config())).values
        await saver.acopy_thread("t", "copy")
        async with saver.database.reader() as reader:
            for table, column in (("chunks", "data"), ("checkpoint_blobs", "blob"), ("checkpoint_writes", "blob")):
                rows = await reader.fetch(f"SELECT {column} AS data FROM {table}")
                assert not [row for row in rows if b"question" in bytes(row["data"])]
            rows = await reader.fetch("SELECT checkpoint FROM checkpoints")
            assert not [row for row in rows if "turn" in str(row["checkpoint"])]
    async with SessionSaver.from_url(db_url, keyring=TestKeyring()) as saver:
        graph = talk_graph(saver)
        assert (await graph.aget_state(config())).values == expected
        assert (await graph.aget_state(config("copy"))).values == expected
    for keyring in (None, TestKeyring("another")):
        with pytest.raises(DecryptionFailed):
            await SessionSaver.from_url(db_url, keyring=keyring).__aenter__()


async def test_an_encrypted_row_moved_to_another_session_is_refused(db_url: str) -> None:
    async with SessionSaver.from_url(db_url, keyring=TestKeyring()) as saver:
        await talk(saver, 1, "mine")
        await talk(saver, 1, "yours")
        async with saver.database.transaction() as tx:
            for table in ("checkpoint_writes", "checkpoint_blobs", "checkpoints", "chunks"):
                await tx.execute(f"DELETE FROM {table} WHERE session_id = 'yours'")
                await tx.execute(f"UPDATE {table} SET session_id = 'yours' WHERE session_id = 'mine'")
    async with SessionSaver.from_url(db_url, keyring=TestKeyring()) as saver:
        with pytest.raises(DecryptionFailed):
            await saver.aget_tuple(config("yours"))


async def test_values_of_every_size_and_type(db_url: str) -> None:
    values: dict[str, Any] = {
        "large": "가" * 2_000_000,
        "bytes": bytes(range(256)) * 50,
        "nested": {"list": [{"n": n, "text": "글" * 300} for n in range(40)], "tuple": [1, 2.5, None, True]},
        "numbers": [n / 7 for n in range(3000)],
        "control": "a\x00b\ud7ff\n",
        "huge": 2**63,
        "empty": [],
        "message": HumanMessage(content=[{"type": "text", "text": "x" * 500}], id="m"),
    }

    class Everything(TypedDict, total=False):
        value: Any

    graph = StateGraph(Everything).add_node("same", lambda state: {}).add_edge(START, "same")
    async with SessionSaver.from_url(db_url) as saver:
        app = graph.compile(checkpointer=saver)
        for name, value in values.items():
            await app.ainvoke({"value": Overwrite(value) if name == "never" else value}, config(name))
    async with SessionSaver.from_url(db_url) as saver:
        app = graph.compile(checkpointer=saver)
        for name, value in values.items():
            found = (await app.aget_state(config(name))).values["value"]
            assert type(found) is type(value)
            assert found == value
            assert not isinstance(found, BaseMessage) or found.content == value.content


@pytest.mark.parametrize("thread", ["", "x" * 256, "a\x00b"])
async def test_thread_ids_that_can_not_be(db_url: str, thread: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        with pytest.raises(InvalidName):
            await saver.aget_tuple(config(thread))
        with pytest.raises(InvalidInput):
            await saver.aget_tuple({"configurable": {}})


@pytest.mark.parametrize("thread", ["세션 하나", "a'b\"c\\d{e},NULL", "%s :name ?"])
async def test_thread_ids_of_any_text(db_url: str, thread: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 2, thread)
        assert len((await graph.aget_state(config(thread))).values["messages"]) == 4
        await saver.aprune([thread])
        await saver.adelete_thread(thread)
        assert await saver.aget_tuple(config(thread)) is None


async def test_a_session_larger_than_its_share_of_memory(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("madang.store.saver.core.SESSION_MEMORY", 50_000)
    async with SessionSaver.from_url(sqlite_url) as saver:
        graph = await talk(saver, 40)
        states = [s async for s in graph.aget_state_history(config(), limit=40)]
    assert [len(s.values["messages"]) for s in states if not s.next] == list(range(80, 64, -2))


async def test_a_key_may_come_later_and_be_followed_by_another(db_url: str) -> None:
    old, new = generate_key(), generate_key()
    rings = (None, Keyring.parse(f"old:{old}"), Keyring.parse(f"new:{new},old:{old}"))
    for number, keyring in enumerate(rings, 1):
        if keyring is not None:
            await seal_database(db_url, keyring)
        async with SessionSaver.from_url(db_url, keyring=keyring) as saver:
            graph = talk_graph(saver)
            await graph.ainvoke(question(number), config())
            assert len((await graph.aget_state(config())).values["messages"]) == 2 * number
    async with SessionSaver.from_url(db_url, keyring=rings[-1]) as saver:
        ends = [s async for s in talk_graph(saver).aget_state_history(config()) if not s.next]
    assert [len(s.values["messages"]) for s in ends] == [6, 4, 2]
