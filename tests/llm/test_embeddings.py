"""Vectors over HTTP from the scripted server."""

import pytest

from madang.errors import ConfigurationError, ServiceUnavailable
from madang.llm import EmbeddingSettings, embedder
from madang.llm.testing import ScriptedServer


def test_without_a_setting_there_is_none() -> None:
    assert embedder(EmbeddingSettings()) is None


def test_texts_become_vectors_and_leave_redacted() -> None:
    with ScriptedServer([]) as server:
        embed = embedder(EmbeddingSettings(embeddings="openai:small", base_url=server.base_url, api_key="test"))
        assert embed is not None
        vectors = embed(["보증금", "월세", "보증금", "주민번호 900101-1234567"])
        embed.close()
        sent = server.sent_text()
    assert vectors[0] == vectors[2] != vectors[1]
    assert "보증금" in sent
    assert "900101-1" not in sent


def test_a_service_that_is_gone_is_named() -> None:
    with ScriptedServer([]) as server:
        embed = embedder(EmbeddingSettings(embeddings="openai:small", base_url=server.base_url, api_key="test"))
    assert embed is not None
    with pytest.raises(ServiceUnavailable, match="openai:small"):
        embed(["보증금"])
    embed.close()


def test_a_provider_that_is_not_installed_is_named() -> None:
    embed = embedder(EmbeddingSettings(embeddings="cohere:embed"))
    assert embed is not None
    with pytest.raises(ConfigurationError, match="cohere"):
        embed(["보증금"])
