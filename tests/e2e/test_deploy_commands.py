"""The commands, probes and signals of `deploy/kubernetes.yaml` as plain processes over a real Postgres."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.support.ports import free_port

ROOT = Path(__file__).parent.parent.parent
APP = ("--only-app", "--app", "bench.nemesis.assistant:assistant")


def containers() -> dict[str, dict[str, Any]]:
    text = (ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")
    templates = [one["spec"].get("template") for one in yaml.safe_load_all(text) if "spec" in one]
    return {one["name"]: one for each in templates if each for one in each["spec"]["containers"]}


class Process:
    """A container's command; only its address and the assistant are of the test."""

    def __init__(self, container: dict[str, Any], folder: Path, url: str) -> None:
        program, *words = container["command"]
        self.address, self._container = f"http://127.0.0.1:{free_port()}", container
        if "--port" in words:
            words[words.index("--port") + 1] = self.address.rpartition(":")[2]
            words[words.index("--host") + 1] = "127.0.0.1"
            words += APP
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "MADANG_DB": url,
            "MADANG_DATA_DIR": str(folder),
            "NEMESIS_DIARY": str(folder / "diary"),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", program, *words], env=environment, cwd=folder, stdin=subprocess.DEVNULL
        )

    def probe(self, name: str) -> None:
        """Ask as the kubelet does, as often as it would before it gives up."""
        probe = self._container[name]
        until = time.monotonic() + probe.get("failureThreshold", 3) * probe["periodSeconds"]
        while time.monotonic() < until:
            assert self._process.poll() is None
            try:
                if httpx.get(self.address + probe["httpGet"]["path"], timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                continue
        pytest.fail(f"{name} of {self._container['name']}")

    def end(self, number: int = signal.SIGTERM) -> int:
        self._process.send_signal(number)
        return self._process.wait(60)

    def wait(self) -> int:
        return self._process.wait(120)


@contextmanager
def started(name: str, folder: Path, url: str) -> Iterator[Process]:
    process = Process(containers()[name], folder, url)
    try:
        yield process
    finally:
        if process._process.poll() is None:
            process.end(signal.SIGKILL)


@pytest.mark.timeout(300)
def test_the_deployment_as_plain_processes(empty_postgres_url: str, tmp_path: Path) -> None:
    with started("upgrade", tmp_path, empty_postgres_url) as upgrade:
        assert upgrade.wait() == 0
    with (
        started("server", tmp_path, empty_postgres_url) as server,
        started("worker", tmp_path, empty_postgres_url) as worker,
    ):
        for process in (server, worker):
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                process.probe(probe)
        session = httpx.post(server.address + "/api/v1/sessions", json={"assistant": "fan"}, timeout=30).json()
        where = f"{server.address}/api/v1/sessions/{session['session_id']}/messages?wait=true"
        answer = httpx.post(where, json={"query": "T000001"}, timeout=60).json()
        assert answer["status"] == "completed"
        assert "madang_turns_total" in httpx.get(worker.address + "/metrics", timeout=10).text
        # uvicorn puts its work in order first, then ends by the signal that it was sent.
        assert worker.end() in (0, -signal.SIGTERM)
        assert server.end() in (0, -signal.SIGTERM)
