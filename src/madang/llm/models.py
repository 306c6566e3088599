"""The chat-model port: which model is set, built when it is first needed, with its circuit breaker."""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from madang.errors import ConfigurationError, MissingExtra
from madang.llm.breaker import Breakers
from madang.llm.prices import Prices, read_prices

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

log = logging.getLogger(__name__)

# Providers whose packages come with an extra of ours; LangChain knows more.
EXTRAS = ("openai", "ollama", "anthropic", "google")
REASONING_TOKENS = {"minimal": 1_000, "low": 4_000, "medium": 8_000, "high": 16_000}
OLLAMA_URL = "http://localhost:11434/v1"


def missing_package(setting: str, provider: str) -> ConfigurationError:
    """What to say when a setting names a provider whose package isn't installed."""
    extra = provider.removesuffix("_genai")
    if extra in EXTRAS:
        return MissingExtra(setting, extra)
    return ConfigurationError(f"{setting} needs: pip install langchain-{provider.replace('_', '-')}")


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The settings values that concern chat models; all empty means: no model.

    `llm` is `provider:name` (`MADANG_LLM`); `base_url` an OpenAI-compatible server (`MADANG_LLM_BASE_URL`), which also
    works alone for servers that serve one model. `retries` are the provider client's own, within a call's timeout.
    """

    llm: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    temperature: float | None = 0.0
    retries: int = 0
    breaker_threshold: int = 5
    breaker_cooldown: float = 30.0
    timeout: float = 60.0
    turn_seconds: float = 90.0
    reasoning_effort: str = ""
    """low, medium or high for models that reason: they take no temperature and get room for it."""
    by_call: Mapping[str, str] = field(default_factory=dict)
    """`understand` or `answer` → another `provider:name` for that call."""
    price_file: str = ""

    @property
    def reasoning_tokens(self) -> int:
        """What a model that reasons may spend on it beside its answer."""
        return REASONING_TOKENS.get(self.reasoning_effort, 0)

    @property
    def configured(self) -> bool:
        return bool(self.llm.strip() or self.base_url.strip())

    @property
    def provider(self) -> str:
        """The provider's name; a bare model name with a base URL is an OpenAI-compatible one."""
        head, colon, _ = self.llm.strip().partition(":")
        named = head.lower().replace("-", "_") if colon else "openai"
        return "google_genai" if named == "google" else named

    @property
    def model(self) -> str:
        head, colon, tail = self.llm.strip().partition(":")
        return (tail if colon else head).strip() or "default"

    @property
    def name(self) -> str:
        """`provider:model`, the name under which calls are counted and priced."""
        return f"{self.provider}:{self.model}" if self.configured else ""


class Models:
    """The chat model of this process. Nothing is imported or connected before the first call.

    `chat` is a ready LangChain model to use instead of building one from the settings; `clock` (seconds) drives breaker
    and latency, `now` the times written into state.
    """

    def __init__(
        self,
        settings: ModelSettings | None = None,
        *,
        chat: "BaseChatModel | None" = None,
        prices: Prices | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.settings = settings or ModelSettings()
        self.clock = clock
        self.now = now
        self.breaker = Breakers(clock, self.settings.breaker_threshold, self.settings.breaker_cooldown)
        self.native_schema = True
        self._prices = prices
        self._given = chat
        self._chat: BaseChatModel | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._http: Any = None
        self._by_call = {
            name: Models(replace(self.settings, llm=llm, by_call={}), prices=prices, clock=clock, now=now)
            for name, llm in (() if chat else self.settings.by_call.items())
            if llm.strip()
        }

    def for_call(self, point: str) -> "Models":
        """The model of a call point: that of its last name (`understand`, `answer`), or this one."""
        return self._by_call.get(point.rsplit(".", 1)[-1], self)

    @classmethod
    def from_settings(cls, llm: str, *, base_url: str = "", api_key: str = "") -> Self:
        """The port for the values of `MADANG_LLM`, `MADANG_LLM_BASE_URL` and the key; empty ones mean: no model."""
        return cls(ModelSettings(llm=llm.strip(), base_url=base_url.strip(), api_key=api_key))

    @property
    def configured(self) -> bool:
        return self._given is not None or self.settings.configured

    @property
    def name(self) -> str:
        """`provider:model`, under which calls are counted and priced."""
        return self.settings.name or (f"given:{type(self._given).__name__}" if self._given else "")

    @property
    def prices(self) -> Prices:
        if self._prices is None:
            self._prices = read_prices(Path(self.settings.price_file) if self.settings.price_file else None)
        return self._prices

    @property
    def speaks_openai(self) -> bool:
        """Whether requests go by the OpenAI protocol, directly or to a compatible server."""
        provider = self.settings.provider
        if self._given is not None:
            return False
        return provider in ("openai", "ollama")

    def chat(self) -> "BaseChatModel":
        """The LangChain model, for the running event loop. Raises `ConfigurationError` if it can't be built."""
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        if self._chat is None or self._loop is not loop:
            self._chat, self._loop = self._build(), loop
        return self._chat

    def check(self) -> None:
        """Build the model's client without calling it. Raises `ConfigurationError` saying what is missing."""
        if self._given is None and self.configured:
            self._build()
        for other in self._by_call.values():
            other.check()

    async def aclose(self) -> None:
        """Close the connections to the model's server."""
        for other in self._by_call.values():
            await other.aclose()
        http, self._http, self._chat, self._loop = self._http, None, None, None
        if http is not None:
            await http.aclose()

    def _build(self) -> "BaseChatModel":
        settings = self.settings
        provider = settings.provider
        options: dict[str, Any] = {"max_retries": settings.retries}
        if settings.reasoning_effort:
            options["reasoning_effort"] = settings.reasoning_effort
        elif settings.temperature is not None:
            options["temperature"] = settings.temperature
        if settings.base_url:
            options["base_url"] = settings.base_url
        if settings.api_key:
            options["api_key"] = settings.api_key
        try:
            from langchain.chat_models import init_chat_model

            if self.speaks_openai:
                provider = "openai"
                options |= self._openai_options()
            model: BaseChatModel = init_chat_model(settings.model, model_provider=provider, **options)
        except ImportError as error:
            raise missing_package(f"MADANG_LLM={settings.llm}", provider) from error
        # Each provider's client has its own errors for a missing key or an unknown option.
        except Exception as error:
            raise ConfigurationError(
                f"MADANG_LLM={settings.llm} can't be used: {error}", setting="MADANG_LLM"
            ) from error
        log.info("chat model ready", extra={"model": settings.name})
        return model

    def _openai_options(self) -> dict[str, Any]:
        from openai import DefaultAsyncHttpxClient

        # Our own connection pool: the default one is shared by the process and outlives its event loop.
        self._http = DefaultAsyncHttpxClient()
        # Its chunk timeout goes through asyncio.wait_for, which loses cancellations on Python 3.11; we have our own.
        options: dict[str, Any] = {
            "http_async_client": self._http,
            "stream_usage": True,
            "stream_chunk_timeout": None,
        }
        if self.settings.provider == "ollama" and not self.settings.base_url:
            options["base_url"] = OLLAMA_URL
        needs_no_key = "base_url" in options or bool(self.settings.base_url)
        if needs_no_key and not self.settings.api_key and not os.environ.get("OPENAI_API_KEY"):
            options["api_key"] = "none"
        return options
