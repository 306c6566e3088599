"""`madang serve` as a user runs it: a real process, that can be killed and started again."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_port

ROOT = Path(__file__).parent.parent.parent
MADANG = str(Path(sys.executable).parent / "madang")


class Server:
    """A server with one assistant, or with all of ours, on a database in `folder`; the same port after a restart."""

    def __init__(self, folder: Path, app: str | None, **environment: str) -> None:
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self._folder = folder
        self._environment = {**os.environ, "PYTHONPATH": path, "MADANG_REHEARSE": "false", **environment}
        self._only = ["--only-app", "--app", app] if app is not None else []
        self._port = str(free_port())
        self._said: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.address = ""

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        command = [MADANG, "serve", "--port", self._port, "--db", f"sqlite:///{self._folder}/served.db", *self._only]
        process = subprocess.Popen(
            command,
            cwd=self._folder,
            env=self._environment,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        assert process.stderr is not None
        found = None
        for line in process.stderr:
            self._said.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                break
        assert found, "".join(self._said)
        self.address = found[0]
        # Nobody else reads it, and a full pipe would hold the server up.
        self._reader = threading.Thread(target=self._said.extend, args=(process.stderr,))
        self._reader.start()
        self._process = process

    def kill(self) -> None:
        """End it without a chance to say anything."""
        assert self._process is not None
        self._process.kill()
        self._gone(-9)

    def stop(self) -> None:
        """Ask it to end, if it runs."""
        if self._process is not None:
            self._process.terminate()
            self._gone(0, -15)

    def _gone(self, *statuses: int) -> None:
        assert self._process is not None
        assert self._reader is not None
        assert self._process.stderr is not None
        status = self._process.wait(100)
        self._reader.join()
        self._process.stderr.close()
        self._process = None
        assert status in statuses, "".join(self._said)


@contextmanager
def served(folder: Path, app: str | None, **environment: str) -> Iterator[str]:
    """The address of a server on a fresh database in `folder`."""
    server = Server(folder, app, **environment)
    server.start()
    try:
        yield server.address
    finally:
        server.stop()
