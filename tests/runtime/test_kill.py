"""kill -9 of a real process at random moments of a turn."""

import json
import subprocess
import sys

import pytest

from bench import CHECKOUT
from bench.kill import is_whole

pytestmark = pytest.mark.timeout(600)


@pytest.mark.parametrize("seed", [11])
def test_fifty_kills_lose_and_repeat_nothing(db_url: str, seed: int) -> None:
    count = 50 if db_url.startswith("sqlite") else 25
    done = subprocess.run(
        [sys.executable, "-m", "bench.kill", str(count), str(seed), db_url],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(trials) == count
    assert sum(trial["killed"] for trial in trials) > count * 0.8
    broken = [trial for trial in trials if not is_whole(trial)]
    assert broken == []
