"""The examples of docs/server.md, run as they stand against a real server."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.served import MADANG, ROOT, served

DOCUMENT = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("docs"), f"{ROOT}/examples/packing.py:assistant") as found:
        yield found


def test_the_examples_run(address: str, tmp_path: Path) -> None:
    commands = blocks("bash").replace("http://127.0.0.1:8000", address).replace("curl -s", "curl -sS --fail-with-body")
    done = subprocess.run(["bash", "-eu"], input=commands, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "제주: 신분증, 셔츠" in done.stdout
    assert "event: response" in done.stdout
    assert '"session_id":"my-trip","assistant":"packing","turns"' in done.stdout
    program = tmp_path / "example.py"
    program.write_text(blocks("python").replace("ws://127.0.0.1:8000", address.replace("http", "ws")), encoding="utf-8")
    said = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, timeout=100)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("connected\n")
    assert said.stdout.strip().endswith("response 서울: 신분증, 코트")


def test_every_route_is_named() -> None:
    from madang.server.app import create_app

    routes = create_app(lambda: None).openapi()["paths"]  # type: ignore[arg-type,return-value]
    named = {re.sub(r"\{[^}]*\}", "{}", path.split("/")[-1] or "/") for path in routes if path.startswith("/api/v1/")}
    mentioned = {"documents", "runs", "cancel", "diff", "{}"}
    for part in named - mentioned:
        assert part in DOCUMENT, part


def serve(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run(
        [MADANG, "serve", "--port", "0", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_it_refuses_to_be_reached_from_elsewhere_without_credentials(tmp_path: Path) -> None:
    refused = serve("--host", "0.0.0.0", folder=tmp_path)
    assert refused.returncode == 2
    assert "madang users add" in refused.stderr
    required = serve(folder=tmp_path, MADANG_AUTH="required")
    assert required.returncode == 2
    half = serve(folder=tmp_path, MADANG_AUTH_ISSUER="https://id.example")
    assert half.returncode == 2
    assert "MADANG_AUTH_JWKS" in half.stderr
    open_to_all = serve(folder=tmp_path, MADANG_CORS_ORIGINS="*")
    assert open_to_all.returncode == 2


def test_a_port_that_is_taken_is_said_plainly(address: str, tmp_path: Path) -> None:
    port = address.rpartition(":")[2]
    refused = serve("--port", port, "--only-app", "--app", f"{ROOT}/examples/packing.py:assistant", folder=tmp_path)
    assert refused.returncode == 2
    assert f"can't serve on 127.0.0.1:{port}" in refused.stderr
