"""Conversations as people have them, from a file: each turn says what it expects of the state."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.homes import Talk, intent, response, sources, steps

FILE = Path(__file__).parents[1] / "conversations" / "homes.json"
CONVERSATIONS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
KNOWN = {"say", "type", "intent", "run", "kept", "contains", "lacks", "sources", "slots", "charts"}


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=[c["name"] for c in CONVERSATIONS])
async def test_conversation(conversation: dict[str, Any]) -> None:
    talk = Talk()
    for turn in conversation["turns"]:
        assert set(turn) <= KNOWN
        state = await talk.say(turn["say"])
        where = f"{turn['say']!r}: {response(state)['answer'][:400]}"
        if "type" in turn:
            assert response(state)["type"] == turn["type"], where
        if "intent" in turn:
            assert intent(state) == turn["intent"], where
        if "run" in turn:
            assert sorted(talk.calls) == sorted(turn["run"]), where
        for name in turn.get("kept", ()):
            assert steps(state).get(name) == "kept", (where, steps(state))
        for text in turn.get("contains", ()):
            assert text in response(state)["answer"], (text, where)
        for text in turn.get("lacks", ()):
            assert text not in response(state)["answer"], (text, where)
        for source in turn.get("sources", ()):
            assert source in sources(state), (source, where, sources(state))
        for name, value in turn.get("slots", {}).items():
            assert state.get(name) == value, (name, where)
        if "charts" in turn:
            assert len(response(state)["structured_data"]["charts"]) == turn["charts"], where
