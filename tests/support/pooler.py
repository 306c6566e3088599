"""A real pgbouncer in front of a Postgres: each transaction gets a connection of its few, whoever asks."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.support.ports import free_port
from tests.support.postgres import unprivileged_user

# Debian keeps it where only root's path leads.
PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])
CONNECTIONS = 3


def find_pgbouncer() -> str | None:
    """The program, where it is installed."""
    return shutil.which("pgbouncer", path=PATH)


@contextmanager
def pooled(url: str) -> Iterator[str]:
    """The same database through a transaction pooler with three connections."""
    direct, port, program = urlsplit(url), free_port(), find_pgbouncer()
    assert program is not None
    with tempfile.TemporaryDirectory(prefix="madang-pooler-") as folder:
        Path(folder).chmod(0o755)
        config = Path(folder, "pgbouncer.ini")
        config.write_text(
            f"[databases]\n* = host={direct.hostname} port={direct.port} user={direct.username}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            f"pool_mode = transaction\ndefault_pool_size = {CONNECTIONS}\nmax_client_conn = 200\n"
        )
        user = unprivileged_user()
        with Path(folder, "log").open("wb") as log:
            process = subprocess.Popen(
                [program, str(config)],
                user=user,
                group=user,
                extra_groups=[] if user else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            through = direct._replace(netloc=f"{direct.username}@127.0.0.1:{port}").geturl()
            _wait_for(process, through, Path(folder, "log"))
            yield through
        finally:
            # At once: a client that is still there would hold a gentle end up.
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _wait_for(process: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
        else:
            return
