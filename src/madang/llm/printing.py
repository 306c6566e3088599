"""A chat model that answers nothing and keeps what it was sent, for people who want to read it."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable

from madang.llm.failures import ModelFailure


class PrintingChat(BaseChatModel):
    """`sent` holds each call as a text; a `reading` that is given answers the call that understands."""

    reading: str = ""
    sent: list[dict[str, str]] = []

    @property
    def _llm_type(self) -> str:
        return "printing"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=list(tools), **kwargs)

    def _keep(self, messages: list[BaseMessage], options: dict[str, Any]) -> None:
        schema = options.get("tools")
        parts = [f"### {message.type}\n\n{message.text}\n" for message in messages]
        if schema:
            form = json.dumps(schema[0]["function"]["parameters"], ensure_ascii=False, indent=1)
            parts.append(f"### schema\n\n{form}\n")
        self.sent.append({"call": _call_of(schema), "text": "\n".join(parts)})

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **options: Any,
    ) -> ChatResult:
        self._keep(messages, options)
        if not self.reading or _call_of(options.get("tools")) != "understand":
            raise ModelFailure("refusal", "only printed")
        message = AIMessage(content=self.reading, response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **options: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        self._keep(messages, options)
        raise ModelFailure("refusal", "only printed")
        yield ChatGenerationChunk(message=AIMessage(""))  # type: ignore[unreachable]


def _call_of(schema: Any) -> str:
    """Which call asks for this form: `understand` for a reading, `explore` for a round of a loop."""
    if not schema:
        return "answer"
    return "explore" if schema[0]["function"]["name"] == "Round" else "understand"
