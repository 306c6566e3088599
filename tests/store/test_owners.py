"""Owners of runs: alive while their lock is held, dead when it was let go, unknown elsewhere."""

import subprocess
import sys
from pathlib import Path

from madang.store.owners import Locks, Owner

HOLDER = """
import sys
from pathlib import Path
from madang.store.owners import Locks, Owner
Locks(Path(sys.argv[1])).hold(Owner("other"))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_process_is_dead_when_its_lock_was_let_go(tmp_path: Path) -> None:
    locks = Locks(tmp_path)
    locks.hold(Owner("mine"))
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert locks.dead(["mine", "other", "elsewhere", "../other"]) == []
        holder.kill()
    assert locks.dead(["mine", "other", "elsewhere"]) == ["other"]


def test_a_process_that_ended_well_is_not_there_any_more(tmp_path: Path) -> None:
    locks, owner = Locks(tmp_path), Owner()
    locks.hold(owner)
    locks.release(owner)
    assert Locks(tmp_path).dead([owner.id]) == []
    assert list(tmp_path.iterdir()) == []
