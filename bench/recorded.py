"""Conversations with a recorded model: whoever answers has seen nothing but the prompt and the schema.

`python -m bench.recorded play ASSISTANT ROUND FOLDER` plays a round's conversations. A call whose prompt has no reply
yet is written down (`FOLDER/prompts/<hash>.md`, once), and its conversation stops there. Put the reply beside it as
`FOLDER/replies/<hash>.txt` (JSON for `understand`, plain text for `answer`) and play again: it goes on from the start,
with every reply that is there. `FOLDER/answers.jsonl` then holds the answers of the turns that were played to their
end. A reply is kept under the hash of what was sent; when prompts change it is stale, and counted as that.
"""

import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable

from bench import Row
from bench.people import TODAY, Person, hash_of, read_lines, rounds
from madang.llm.failures import ModelFailure

RECORDED = Path(__file__).parent / "data" / "recorded"
PIECE = 40


class RecordedChat(BaseChatModel):
    """A chat model that answers from a folder, and writes down what it has no answer for."""

    folder: Path
    missing: list[str] = []
    used: list[str] = []
    stopped: bool = False
    """A call of this turn has no reply: what comes after it would rest on nothing."""

    @property
    def _llm_type(self) -> str:
        return "recorded"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=list(tools), **kwargs)

    def _reply(self, messages: list[BaseMessage], options: dict[str, Any]) -> str:
        schema = options.get("tools")
        sent = [(message.type, str(message.text)) for message in messages]
        key = hashlib.sha256(json.dumps([sent, schema], ensure_ascii=False).encode()).hexdigest()[:16]
        for folder in (self.folder, RECORDED):
            path = folder / "replies" / f"{key}.txt"
            if path.is_file():
                self.used.append(key)
                return path.read_text(encoding="utf-8").strip()
        if not self.stopped:
            self._write_down(key, sent, schema)
            self.missing.append(key)
        self.stopped = True
        raise ModelFailure("refusal", "no reply was recorded")

    def _write_down(self, key: str, sent: list[tuple[str, str]], schema: Any) -> None:
        """The stable part once, what is sent in this call by its hash."""
        prompts = self.folder / "prompts"
        prompts.mkdir(parents=True, exist_ok=True)
        parts = []
        for kind, text in sent:
            if kind == "system":
                name = f"system-{hashlib.sha256(text.encode()).hexdigest()[:12]}.md"
                (prompts / name).write_text(text + "\n", encoding="utf-8")
                parts.append(f"SYSTEM: 먼저 {name} 을 읽으세요.")
            else:
                parts.append(f"{kind.upper()}:\n{text}")
        wanted = "답: 설명 없이 글만."
        if schema:
            text = json.dumps(schema[0]["function"]["parameters"], ensure_ascii=False, indent=1)
            name = f"schema-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
            (prompts / name).write_text(text, encoding="utf-8")
            wanted = f"답: {name} 의 JSON 스키마에 맞는 JSON 객체 하나만. 모든 항목을 빠짐없이 적습니다."
        (prompts / f"{key}.md").write_text("\n\n".join([*parts, wanted]) + "\n", encoding="utf-8")

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **options: Any,
    ) -> ChatResult:
        message = AIMessage(content=self._reply(messages, options), response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **options: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        text = self._reply(messages, options)
        for start in range(0, len(text), PIECE):
            yield ChatGenerationChunk(message=AIMessageChunk(content=text[start : start + PIECE]))
        ended = AIMessageChunk(content="", response_metadata={"finish_reason": "stop"})
        yield ChatGenerationChunk(message=ended)


async def play(assistant: str, persons: Sequence[Person], folder: Path) -> tuple[list[dict[str, Any]], RecordedChat]:
    """Each person's turns as far as replies go: what was said and answered, with the calls it took."""
    from madang.bootstrap import open_runtime
    from madang.llm import Models
    from madang.runtime import TurnRequest
    from madang.settings import Settings

    chat = RecordedChat(folder=folder)
    played: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(data_dir=Path(place), db=f"sqlite:///{place}/talk.db", llm="", embeddings="")
        models = Models(chat=chat)
        async with open_runtime(settings, only=assistant, today=TODAY, models=models) as runtime:
            for person in persons:
                session = await runtime.sessions.create(assistant=assistant)
                for number, turn in enumerate(person["turns"]):
                    calls, chat.stopped = len(chat.used), False
                    run = await runtime.start(session.session_id, TurnRequest(text=turn["user"]))
                    outcome = await runtime.outcome(run.run_id)
                    if chat.stopped:
                        break
                    answer = str((outcome["response"] or {}).get("answer") or f"({outcome['status']})")
                    played.append(
                        {
                            "assistant": assistant, "person": person["id"], "turn": number, "who": person["who"],
                            "user": turn["user"], "helps": turn["helps"], "never": turn["never"], "answer": answer,
                            "hash": hash_of(answer), "calls": len(chat.used) - calls,
                        }
                    )  # fmt: skip
    return played, chat


def persons_of(assistant: str, name: str, only: str = "") -> list[Person]:
    """The persons of a round; `only` names some by their ids, with commas."""
    found = next(people for who, which, people in rounds() if (who, which) == (assistant, name))
    wanted = [one for one in only.split(",") if one]
    return [person for person in found if not wanted or person["id"] in wanted]


def stale(folder: Path, used: Sequence[str]) -> list[str]:
    """Replies that no prompt asks for any more."""
    return sorted(path.stem for path in (folder / "replies").glob("*.txt") if path.stem not in set(used))


def main(arguments: Sequence[str]) -> None:
    command, assistant, name, place, *rest = arguments
    if command != "play":
        raise SystemExit(f"unknown command {command!r}; use: play ASSISTANT ROUND FOLDER [IDS]")
    folder = Path(place)
    (folder / "replies").mkdir(parents=True, exist_ok=True)
    for old in (folder / "prompts").glob("*.md"):
        if not old.name.startswith("system-"):
            old.unlink()
    persons = persons_of(assistant, name, rest[0] if rest else "")
    played, chat = asyncio.run(play(assistant, persons, folder))
    with (folder / "answers.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({**one, "round": name}, ensure_ascii=False) + "\n" for one in played)
    turns = sum(len(person["turns"]) for person in persons)
    sys.stdout.write(
        f"{len(played)} of {turns} turns played, {len(set(chat.used))} replies used, "
        f"{len(stale(folder, chat.used))} stale, {len(set(chat.missing))} prompts wait in {folder / 'prompts'}:\n"
    )
    sys.stdout.writelines(f"  {key}\n" for key in dict.fromkeys(chat.missing))


def recorded() -> list[Row]:
    """Turns of the recorded rounds that are still played as they were recorded, and their verdicts."""
    verdicts = {(v["person"], v["turn"], v["hash"]): v for v in read_lines(RECORDED / "verdicts.jsonl")}
    return list(_rows(verdicts))


def _rows(verdicts: dict[Any, Any]) -> Iterator[Row]:
    names = {(one["assistant"], one["round"]) for one in read_lines(RECORDED / "answers.jsonl")}
    for assistant, name in sorted(names):
        ids = {one["person"] for one in read_lines(RECORDED / "answers.jsonl") if one["assistant"] == assistant}
        with tempfile.TemporaryDirectory() as place:
            persons = persons_of(assistant, name, ",".join(sorted(ids)))
            played, _ = asyncio.run(play(assistant, persons, Path(place)))
        judged = [v for one in played if (v := verdicts.get((one["person"], one["turn"], one["hash"])))]
        turns = sum(len(person["turns"]) for person in persons)
        helped = sum(v["helped"] == "yes" for v in judged) / max(len(judged), 1)
        note = f"{len(judged)} of {turns} turns judged as they are now, {turns - len(played)} stale"
        yield Row(measure=f"{assistant} {name}, recorded model: helped yes", value=round(helped, 3), note=note)


SUITES = {"eval-recorded": recorded}

if __name__ == "__main__":
    main(sys.argv[1:])
