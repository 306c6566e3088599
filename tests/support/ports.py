"""Ports for servers that are stopped and started again."""

import random
import socket
from contextlib import suppress

# Below what systems give to outgoing connections: nobody takes the port while its server is away.
RANGE = range(12_000, 32_000)


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens."""
    for _ in range(100):
        port = random.choice(RANGE)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise RuntimeError("no free port found")
