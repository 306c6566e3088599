"""Writing the sample company into a DuckDB database."""

from datetime import date
from typing import Any

import numpy as np

from madang.assistants.works.data import load
from madang.assistants.works.data.sample.activity import MonthMaker, months_until
from madang.assistants.works.data.sample.masters import CUSTOMERS, Columns, make_masters
from madang.assistants.works.data.tables import DATE_COLUMN, create_tables

EPOCH = date(1970, 1, 1).toordinal()


def sample_version(as_of: date) -> str:
    """What tells one state of the sample data from another."""
    return f"sample-{load('company')['version']}-{as_of.isoformat()}"


def build_sample(
    connection: Any,
    as_of: date,
    *,
    company_id: str | None = None,
    seed: int | None = None,
    months: int | None = None,
    customers: int = CUSTOMERS,
) -> None:
    """Fill `connection` with the company's tables: whole months, the last one up to `as_of`."""
    config = load("company")
    company = company_id or config["company_id"]
    seed = config["seed"] if seed is None else seed
    masters = make_masters(seed, customers)
    maker = MonthMaker(seed, masters)
    made = {"reps": masters.reps, "products": masters.products, "customers": _known(masters.customers, as_of)}
    for month in months_until(as_of, months or config["months"]):
        for table, columns in maker.tables(month).items():
            _extend(made, table, _until(table, columns, as_of))
    for number in range(as_of.month + 1, 13):
        _extend(made, "targets", maker.targets((as_of.year, number)))
    create_tables(connection)
    for table, columns in made.items():
        _insert(connection, table, company, columns)
    connection.execute(
        "DELETE FROM attendees WHERE company_id = ? AND seminar_id NOT IN "
        "(SELECT seminar_id FROM seminars WHERE company_id = ?)",
        [company, company],
    )


def _known(customers: Columns, as_of: date) -> Columns:
    keep = [i for i, day in enumerate(customers["registered_on"]) if day <= as_of]
    return {name: [values[i] for i in keep] for name, values in customers.items()}


def _extend(made: dict[str, Columns], table: str, columns: Columns) -> None:
    """One insert of many months is much quicker than many of one."""
    if table not in made:
        made[table] = {name: list(values) for name, values in columns.items()}
        return
    for name, values in columns.items():
        made[table][name].extend(values)


def _until(table: str, columns: Columns, as_of: date) -> Columns:
    days = columns[DATE_COLUMN[table]] if table in DATE_COLUMN else []
    if not days or max(days) <= as_of:
        return columns
    keep = [i for i, day in enumerate(days) if day <= as_of]
    return {name: [values[i] for i in keep] for name, values in columns.items()}


def _insert(connection: Any, table: str, company_id: str, columns: Columns) -> None:
    arrays = {name: _array(values) for name, values in columns.items() if values}
    if not arrays:
        return
    names = ", ".join(arrays)
    connection.register("incoming", arrays)
    connection.execute(f"INSERT INTO {table} (company_id, {names}) SELECT ?, {names} FROM incoming", [company_id])  # noqa: S608
    connection.unregister("incoming")


def _array(values: list[Any]) -> Any:
    if isinstance(values[0], date):
        days = np.fromiter((day.toordinal() for day in values), dtype="int64", count=len(values)) - EPOCH
        return days.astype("datetime64[D]").astype("datetime64[s]")
    if isinstance(values[0], int):
        return np.asarray(values)
    return np.asarray(values, dtype=object)
