"""`madang serve` as a user runs it: a real process."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MADANG = str(Path(sys.executable).parent / "madang")


@contextmanager
def served(folder: Path, app: str | None, **environment: str) -> Iterator[str]:
    """The address of a server with one assistant, or with all of ours, on a fresh database in `folder`."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [MADANG, "serve", "--port", "0", "--db", f"sqlite:///{folder}/served.db"]
    command += ["--only-app", "--app", app] if app is not None else []
    server = subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": path, **environment}, stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    lines: list[str] = []
    found = None
    for line in server.stderr:
        lines.append(line)
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found:
            break
    assert found, "".join(lines)
    # Nobody reads it any more, and a full pipe would hold the server up.
    reader = threading.Thread(target=server.stderr.read)
    reader.start()
    try:
        yield found[0]
    finally:
        server.terminate()
        assert server.wait(30) in (0, -15)
        reader.join()
        server.stderr.close()
