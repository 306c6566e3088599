"""`madang serve` that can't start says why in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

MADANG = str(Path(sys.executable).with_name("madang"))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:////proc/nowhere/a.db", "/proc/nowhere/a.db can't be used"),
        ("postgresql://nobody@127.0.0.1:1/none", "Postgres can't be reached"),
        ("mysql://x", "starts with sqlite:// or postgresql://"),
    ],
)
def test_a_database_that_cannot_be_opened(url: str, said: str) -> None:
    done = subprocess.run(
        [MADANG, "serve", "--port", "0", "--db", url], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "마당: http" not in done.stderr
