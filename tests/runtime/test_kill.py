"""kill -9 of a real process at random moments of a turn."""

import json
import subprocess
import sys

from madang.bench.kill import is_whole


def test_fifty_kills_lose_and_repeat_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "madang.bench.kill", "50", "11"], capture_output=True, text=True, check=True
    )
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(trials) == 50
    assert sum(trial["killed"] for trial in trials) > 40
    broken = [trial for trial in trials if not is_whole(trial)]
    assert broken == []
