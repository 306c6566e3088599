"""`madang bench`: which suites run unasked, what is written, and what is said of a busy machine."""

from pathlib import Path

from bench import Row, discover, is_long
from bench._machine import TOO_BUSY, Quiet, described, listen
from bench._page import update


def test_long_suites_run_only_by_name() -> None:
    unasked = {name for name in discover() if not is_long(name)}
    assert {"storage", "concurrency", "server", "turn", "startup"} <= unasked
    assert not unasked & {"growth", "soak", "faults", "kill", "memory", "eval-homes"}


def test_a_run_replaces_its_own_part_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    old = [Row(measure="turn graph", value=2.0, unit="ms", peer="by hand", peer_value=1.0, goal="≤ 1.25").as_dict()]
    new = [Row(measure="turn graph", value=1.2, unit="ms", peer="by hand", peer_value=1.0).as_dict()]
    alone = [Row(measure="kills | held", value=200).as_dict()]
    update(page, {"turn": old, "kill": alone}, {"turn": "Monday", "kill": "Monday"})
    update(page, {"turn": new}, {"turn": "Tuesday"})
    text = page.read_text(encoding="utf-8")
    assert text.count("# Benchmarks") == 1
    assert text.index("## kill\n\nMonday") < text.index("## turn\n\nTuesday")
    assert "| turn graph | 1.2 ms | by hand 1 | 1.2 |  |" in text
    assert "| kills / held | 200 |  |  |  |" in text
    assert "≤ 1.25" not in text


def test_a_busy_machine_is_named() -> None:
    assert "TOO BUSY" in Quiet(TOO_BUSY + 0.1, 2.0).said()
    assert "TOO BUSY" not in Quiet(1.0, 0.1).said()
    # Nobody can work longer than time passes, but for the clocks' own grain.
    assert listen().delay > 0.9
    assert "Python" in described()
