"""A cable between two programs: it can be cut, plugged in again, be slow, lead elsewhere, and lose what one says."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self


class Cable:
    """Carries bytes to the server at `address`. Use it as a context manager."""

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._threads: list[threading.Thread] = []
        self._plugged = True
        self.swallows = False
        # Seconds that each piece of what is said takes.
        self.lag = 0.0
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._go(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def cut(self) -> None:
        """End every connection, and refuse new ones."""
        with self._lock:
            self._plugged = False
            for pair in self._pairs:
                _end(*pair)
            self._pairs.clear()

    def plug(self) -> None:
        """Carry again."""
        self.swallows = False
        self._plugged = True

    def lead_to(self, port: int) -> None:
        """Lead new connections to another port."""
        self._target = (self._target[0], port)

    @property
    def port(self) -> int:
        """Where to plug in."""
        return int(self._listener.getsockname()[1])

    def _go(self, work: Callable[..., None], *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                far = self._reach()
                if far is None:
                    near.close()
                    continue
                self._pairs.append((near, far))
            self._go(self._carry, near, far, True)
            self._go(self._carry, far, near, False)

    def _reach(self) -> socket.socket | None:
        """A connection to the server, if the cable is plugged in and the server there."""
        if not self._plugged:
            return None
        try:
            return socket.create_connection(self._target)
        except OSError:
            return None

    def _carry(self, source: socket.socket, target: socket.socket, outward: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self.lag:
                    time.sleep(self.lag)
                if not (outward and self.swallows):
                    target.sendall(data)
        _end(source, target)
        source.close()


def _end(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
