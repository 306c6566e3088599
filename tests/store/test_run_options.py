"""A run's options and their JSON form."""

import json

from madang.store.run_options import RunOptions


def test_options_come_back_as_they_were() -> None:
    options = RunOptions(
        stream_mode=("custom", "values"),
        client_modes=(),
        stream_resumable=True,
        config={"tags": ["a"], "configurable": {"checkpoint_id": "1"}},
        interrupt_before="*",
        interrupt_after=("node",),
        command={"resume": {"i": "네"}},
        answers={"i": "네"},
        earlier_runs=("first",),
    )
    assert RunOptions.from_json(json.loads(json.dumps(options.as_json()))) == options


def test_only_what_was_asked_for_is_kept() -> None:
    assert RunOptions().as_json() == {}
    assert RunOptions(stream_subgraphs=True).as_json() == {"stream_subgraphs": True}
    assert RunOptions.from_json({"unknown": 1}) == RunOptions()
