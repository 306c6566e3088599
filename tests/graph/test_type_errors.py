"""The type checker sees through the declaration: each mistake in `typing/mistakes.py` is found, and nothing else."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MISTAKES = ROOT / "tests" / "graph" / "typing" / "mistakes.py"


@pytest.mark.timeout(400)
def test_mistakes_in_an_agent_are_type_errors() -> None:
    wanted = {
        number: line.split("# E: ")[1]
        for number, line in enumerate(MISTAKES.read_text(encoding="utf-8").splitlines(), 1)
        if "# E: " in line
    }
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(MISTAKES.relative_to(ROOT))],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found: dict[int, str] = {}
    for line in checked.stdout.splitlines():
        if match := re.match(r"\S+/mistakes\.py:(\d+): error: (.*)", line):
            found[int(match[1])] = found.get(int(match[1]), "") + match[2]
    assert found.keys() == wanted.keys(), checked.stdout
    for number, text in wanted.items():
        assert text in found[number]
