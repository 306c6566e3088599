"""How the turns of a session follow each other. Most follow the one before; a branch follows another, or none.

A turn is one run, or several where one took over from another (`continues`); its first run names it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from madang.errors import NotFound

FIRST = ""
"""What a branch follows that begins the conversation again."""


@dataclass
class TurnPlace:
    """One turn among the others: its runs, oldest first, and the turn it follows."""

    runs: list[str]
    request_id: str | None
    after: str | None
    statuses: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.runs[0]


class Branches:
    """The turns of one session as a tree. `rows` are its runs, oldest first."""

    def __init__(self, rows: Sequence[Mapping[str, str | None]]) -> None:
        self._turns: dict[str, TurnPlace] = {}
        self._of_run: dict[str, str] = {}
        newest: str | None = None
        for row in rows:
            run_id, continued = str(row["run_id"]), row["continues"]
            if continued in self._of_run:
                turn = self._turns[self._of_run[str(continued)]]
                turn.runs.append(run_id)
            else:
                branch = row["branch_of"]
                after = newest if branch is None else self._of_run.get(branch)
                turn = self._turns[run_id] = TurnPlace([run_id], row["request_id"], after)
                newest = run_id
            turn.statuses.append(str(row["status"]))
            self._of_run[run_id] = turn.name
        self._newest = newest

    def turn(self, run_id: str) -> TurnPlace:
        """The turn of a run. Raises `NotFound`."""
        if run_id not in self._of_run:
            raise NotFound(f"no run {run_id!r} in this session", run_id=run_id)
        return self._turns[self._of_run[run_id]]

    def path(self, through: str | None = None) -> list[TurnPlace]:
        """The turns of one branch, oldest first: that of the newest turn, or the newest one through a run.

        Raises `NotFound` for a run that isn't of this session.
        """
        name = self._newest if through is None else self._leaf(self.turn(through).name)
        found: list[TurnPlace] = []
        while name is not None:
            found.append(self._turns[name])
            name = self._turns[name].after
        return found[::-1]

    def siblings(self, turn: TurnPlace) -> list[str]:
        """The turns that stand where this one does, by their last runs, oldest first; none if it is the only one."""
        found = [one.runs[-1] for one in self._turns.values() if one.after == turn.after]
        return found if len(found) > 1 else []

    def _leaf(self, name: str) -> str:
        """The newest turn that builds on this one, or itself."""
        reached = {name}
        for one in self._turns.values():
            if one.after in reached:
                reached.add(one.name)
                name = one.name
        return name
