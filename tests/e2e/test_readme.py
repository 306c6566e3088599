"""README.md from `make run` to the first answers, as it stands: by the page, the terminal, curl and a socket."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsing import ask, browser, visited
from tests.support.served import ROOT

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(240)
README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "127.0.0.1:8000"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[tuple[str, list[str]]]:
    """Each command of the console blocks, with what the README says it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line:
            found[-1][1].append(line)
    return found


def says(printed: str, expected: str) -> bool:
    """Whether the pieces between the dots are there, in order."""
    pattern = ".*".join(re.escape(piece.strip()) for piece in expected.split("…"))
    return re.search(pattern, printed, re.DOTALL) is not None


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make run` needs of a clone, with this environment as its `.venv`: installing again would take minutes."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    (folder / "web").symlink_to(ROOT / "web")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    for stamp in (".created", ".installed"):
        (folder / ".venv" / stamp).touch()
    return folder


@pytest.fixture(scope="module")
def address(clone: Path) -> Iterator[str]:
    """Where `make run` serves; the port is the only thing that differs from the README."""
    environment = {**os.environ, "MADANG_PORT": "0", "MADANG_TODAY": "2026-11-16"}
    process = subprocess.Popen(
        ["make", "run"], cwd=clone, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"127\.0\.0\.1:\d+", line)
    assert found, line
    try:
        [expected] = commands()[0][1]
        assert line.strip() == expected.replace(ADDRESS, found[0])
        yield found[0]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.stderr.read()
        process.wait(100)
        process.stderr.close()


def test_the_first_command_is_the_one_that_serves() -> None:
    assert commands()[0][0] == "make run"


def test_in_the_browser(browser: Browser, address: str) -> None:
    with visited(browser, f"http://{address}") as page:
        page.locator(".pick", has_text="홈즈냥즈").click()
        ask(page, "전세금 5% 인상 가능해?")
        page.locator(".answer .cite").first.click()
        expect(page.locator(".source-body").first).to_contain_text("20분의 1")


def test_in_the_terminal(clone: Path) -> None:
    session = ""
    for command, expected in commands():
        if command == "make run":
            continue
        words = shlex.split(command.replace("SESSION", session), comments=True)
        done = subprocess.run(words, cwd=clone, capture_output=True, text=True, check=False, timeout=100)
        assert done.returncode == 0, done.stderr
        printed = done.stderr + done.stdout + done.stderr
        for line in expected:
            assert says(printed, line), (line, printed)
        session = done.stderr.splitlines()[-1].removeprefix("session ")


def test_by_curl_and_then_by_a_socket(address: str, tmp_path: Path) -> None:
    script = blocks("bash")[0].replace(ADDRESS, address).replace("curl -s", "curl -sS --fail-with-body")
    done = subprocess.run(["bash", "-eu"], input=script, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "주택임대차보호법 제7조" in done.stdout
    program = tmp_path / "ask.py"
    program.write_text(next(one for one in blocks("python") if "connect(" in one).replace(ADDRESS, address), "utf-8")
    said = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, timeout=100)
    assert said.returncode == 0, said.stderr
    assert "None connected" in said.stdout
    assert "response" in said.stdout
    assert "보증금" in said.stdout
