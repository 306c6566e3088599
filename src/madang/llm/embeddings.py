"""The embedding model, if one is set: vectors for search and memory."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from madang.errors import ConfigurationError, ServiceUnavailable
from madang.llm.models import OLLAMA_URL, missing_package
from madang.llm.requests import redacted

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


@dataclass(frozen=True, kw_only=True)
class EmbeddingSettings:
    """`embeddings` is `provider:name` (`MADANG_EMBEDDINGS`), empty for none; `base_url` an OpenAI-compatible server."""

    embeddings: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)


class Embedder:
    """Texts to vectors. Blocking: call it from a thread when on an event loop. Texts are redacted before they leave."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.settings = settings
        self._model: Embeddings | None = None
        self._http: Any = None

    @property
    def name(self) -> str:
        return self.settings.embeddings

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text. Raises `ServiceUnavailable`, or `ConfigurationError` if the model can't be built."""
        model = self._model = self._model or self._build()
        try:
            return model.embed_documents([redacted(text) for text in texts])
        # Every provider has errors of its own; to a caller they all mean that there are no vectors now.
        except Exception as error:
            raise ServiceUnavailable(f"embeddings by {self.name} failed: {type(error).__name__}") from error

    def close(self) -> None:
        http, self._http, self._model = self._http, None, None
        if http is not None:
            http.close()

    def _build(self) -> "Embeddings":
        provider, _, name = self.settings.embeddings.partition(":")
        provider = "google_genai" if provider == "google" else provider
        options: dict[str, Any] = {}
        try:
            from langchain.embeddings import init_embeddings

            if provider in ("openai", "ollama"):
                options = self._openai_options(OLLAMA_URL if provider == "ollama" else "")
                provider = "openai"
            elif self.settings.base_url:
                options["base_url"] = self.settings.base_url
            return init_embeddings(name, provider=provider, **options)
        except ImportError as error:
            raise missing_package(f"MADANG_EMBEDDINGS={self.settings.embeddings}", provider) from error
        except Exception as error:
            message = f"MADANG_EMBEDDINGS={self.settings.embeddings} can't be used: {error}"
            raise ConfigurationError(message, setting="MADANG_EMBEDDINGS") from error

    def _openai_options(self, default_url: str) -> dict[str, Any]:
        from openai import DefaultHttpxClient

        self._http = DefaultHttpxClient()
        # Lengths are checked with a tokenizer file that would have to be downloaded.
        options: dict[str, Any] = {"http_client": self._http, "check_embedding_ctx_length": False, "max_retries": 1}
        if base_url := self.settings.base_url or default_url:
            options["base_url"] = base_url
        if self.settings.api_key or (base_url and not os.environ.get("OPENAI_API_KEY")):
            options["api_key"] = self.settings.api_key or "none"
        return options


def embedder(settings: EmbeddingSettings) -> Embedder | None:
    """The embedder that `settings` name, or `None`. Nothing is imported or connected before its first use."""
    return Embedder(settings) if settings.embeddings.strip() else None
