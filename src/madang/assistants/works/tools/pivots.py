"""A long table of two names and one figure, turned so that the times stand beside each other."""

from collections.abc import Sequence

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import Column, Row

MOST_TIMES = 13


def pivoted(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """The table with a column for each month (day, quarter …) and one for the sum, if it has such names and one
    figure that can be added up; otherwise as it is."""
    layer = semantics()
    times = [one for one in columns if one["name"] in layer.dimensions and layer.dimensions[one["name"]].time]
    names = [one for one in columns if not one["unit"] and one not in times]
    figures = [one for one in columns if one["unit"]]
    metric = layer.metrics.get(figures[0]["name"]) if figures else None
    if len(times) != 1 or not names or len(figures) != 1 or metric is None or not metric.additive:
        return list(columns), list(rows)
    time, figure = times[0]["name"], figures[0]
    shown = sorted({str(row[time]) for row in rows})
    if len(shown) > MOST_TIMES:
        return list(columns), list(rows)
    made: dict[tuple[str, ...], Row] = {}
    for row in rows:
        key = tuple(str(row[one["name"]]) for one in names)
        line = made.setdefault(key, {one["name"]: row[one["name"]] for one in names} | dict.fromkeys(shown, 0))
        line[str(row[time])] = row[figure["name"]]
    for line in made.values():
        line["sum"] = sum(value for at in shown if isinstance(value := line[at], int | float))
    heads = [Column(name=one, label=one, unit=figure["unit"]) for one in shown]
    return [*names, *heads, Column(name="sum", label="합계", unit=figure["unit"])], list(made.values())
