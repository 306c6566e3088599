"""The command line in a terminal: Ctrl-C, narrow windows, pipes, settings that can't be read."""

import asyncio
import os
import pty
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.support.served import MADANG

# Each process has a limit of its own; several in a row take long on a busy machine.
pytestmark = pytest.mark.timeout(400)


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [MADANG, *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize(
    ("name", "value"), [("MADANG_PORT", "abc"), ("MADANG_TODAY", "어제"), ("MADANG_LOG_FORMAT", "xml")]
)
def test_a_setting_that_cannot_be_read_is_named(tmp_path: Path, name: str, value: str) -> None:
    done = run(tmp_path, "config", **{name: value})
    assert done.returncode == 2
    assert done.stderr.startswith(f"madang: {name}: ")
    assert "Traceback" not in done.stderr


def test_the_version(tmp_path: Path) -> None:
    done = run(tmp_path, "--version")
    assert done.returncode == 0
    assert re.fullmatch(r"madang \d+\.\d+\S*\n", done.stdout)


def test_a_user_who_is_not_there_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, "ask", "travel", "안녕", "--user", "99")
    assert done.returncode == 1
    assert done.stderr == "madang: no user 99\n"


@pytest.mark.parametrize("columns", ["40", "80"])
def test_ids_are_never_cut(tmp_path: Path, columns: str) -> None:
    asked = run(tmp_path, "ask", "travel", "오사카")
    session = asked.stderr.splitlines()[-1].removeprefix("session ")
    listed = run(tmp_path, "sessions", "list", COLUMNS=columns)
    assert session in listed.stdout
    assert "오사카" in listed.stdout or "며칠" in listed.stdout
    history = run(tmp_path, "state", "history", session, COLUMNS=columns)
    newest = run(tmp_path, "state", "history", session, "--json", "--limit", "1").stdout
    found = re.search(r'"checkpoint_id": "([^"]+)"', newest)
    assert found
    assert found[1] in history.stdout


def test_a_pipe_that_closes_is_no_error(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {MADANG} --help | head -1; {MADANG} config --json | head -c 1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert "Traceback" not in done.stderr


async def interrupted(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A turn at which Ctrl-C is pressed while a step runs, and the next turn in the same session."""
    from madang.bootstrap import open_runtime
    from madang.cli.turns import session_for, turn
    from madang.settings import Settings
    from tests.support.yard import assistant

    class PressedAtStep:
        def show(self, frame: dict[str, Any]) -> None:
            if any(step["status"] == "in_progress" for step in frame.get("execution_steps") or ()):
                os.kill(os.getpid(), signal.SIGINT)

    said = StringIO()
    settings = Settings(db=f"sqlite:///{tmp_path}/turns.db")
    async with open_runtime(settings, apps={"yard": assistant}, installed=False) as runtime:
        session = await session_for(runtime, "yard", None, None)
        first = await turn(runtime, session, "전세", show=said, live=PressedAtStep())
        second = await turn(runtime, session, "전세", show=said, live=PressedAtStep())
        assert (first["status"], second["status"]) == ("cancelled", "cancelled")
        (tmp_path / "gate").touch()
        return first, await turn(runtime, session, "전세", show=said), said.getvalue()


def test_ctrl_c_cancels_the_turn_again_and_again_and_keeps_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MADANG_TEST_GATE", str(tmp_path / "gate"))
    first, last, said = asyncio.run(interrupted(tmp_path))
    assert first["session_id"] == last["session_id"]
    assert last["status"] == "completed"
    assert said.count("취소했습니다. 대화는 그대로 있습니다.") == 2


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._own, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [MADANG, *words],
            cwd=folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509  no other thread is in the way yet
        )
        os.close(theirs)
        self._text = ""
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._own, 4096)
            except OSError:
                return
            if not data:
                return
            with self._more:
                self._text += data.decode("utf-8", "replace")
                self._more.notify_all()

    def wait_for(self, words: str, seconds: float = 60) -> None:
        """Wait until the words are on the screen, after those waited for before."""
        with self._more:
            assert self._more.wait_for(lambda: words in self._text, seconds), self._text
            self._text = self._text.partition(words)[2]

    def type(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        os.close(self._own)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(folder: Path, *words: str) -> Iterator[Terminal]:
    opened = Terminal(folder, *words)
    try:
        yield opened
    finally:
        opened.close()


def pressed_until_it_ends(screen: Terminal, key: str) -> int:
    """The exit status. A Ctrl-C between the prompt and the reading of a key is lost in any program: press again."""
    for _ in range(30):
        screen.type(key)
        try:
            return screen.process.wait(1)
        except subprocess.TimeoutExpired:
            continue
    return screen.process.wait(1)


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_a_chat_ends_at_its_prompt(tmp_path: Path, key: str) -> None:
    with terminal(tmp_path, "chat", "travel", "--today", "2026-11-16") as screen:
        screen.wait_for("> ")
        screen.type("오사카\n")
        screen.wait_for("몇 박 며칠")
        screen.wait_for("> ")
        assert pressed_until_it_ends(screen, key) == 0
    listed = run(tmp_path, "sessions", "list")
    assert "travel" in listed.stdout
