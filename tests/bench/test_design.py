"""`madang bench design`: several runs of a measure become one row, with every figure and how often the goal was met."""

from bench import Row, discover, is_long
from bench.design import GOALS, ONCE, REPEATED, Goal, compared

RUN = "turn graph"


def run(value: float, peer: float) -> dict[str, list[Row]]:
    other = Row(measure=RUN, value=99.0, peer="another", peer_value=1.0)
    return {"turn": [other, Row(measure=RUN, value=value, unit="ms", peer="by hand", peer_value=peer)]}


def test_runs_become_one_row_with_its_spread() -> None:
    row = compared(Goal("turn", RUN, 1.25, peer="by hand"), [run(10, 10), run(14, 10), run(12, 10)])
    assert row is not None
    assert (row.value, row.peer_value, row.ratio) == (12, 10, 1.2)
    assert (row.goal, row.note) == ("≤ 1.25", "1 1.4 1.2: holds in 2 of 3")


def test_a_goal_may_be_the_least_or_about_the_value_itself() -> None:
    least = compared(Goal("turn", RUN, 1.25, peer="by hand", least=True), [run(10, 10), run(14, 10)])
    own = compared(Goal("turn", RUN, 12, peer="by hand", own=True), [run(10, 10), run(14, 10)])
    assert least is not None
    assert own is not None
    assert (least.goal, least.note) == ("≥ 1.25", "1 1.4: holds in 1 of 2")
    assert (own.goal, own.note) == ("≤ 12", "10 14: holds in 1 of 2")


def test_what_no_run_has_is_left_out() -> None:
    assert compared(Goal("turn", "another", 1), [run(1, 1), {}]) is None


def test_every_goal_is_of_a_suite_that_is_run() -> None:
    assert {goal.suite for goal in GOALS} <= {*REPEATED, *ONCE} <= set(discover())
    assert is_long("design")
