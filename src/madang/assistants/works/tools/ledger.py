"""What a customer was given before, from the benefits ledger and from what was filed since."""

from datetime import date

from madang.assistants.works.tools.compliance import LedgerEntry
from madang.assistants.works.tools.warehouse import Warehouse

_SOURCE = "SELECT date, customer_id, kind, amount, people FROM {table} WHERE company_id = $company"
_QUERY = (
    "SELECT b.date, b.kind, b.amount, b.people FROM ({source}) AS b "
    "JOIN (SELECT customer_id, customer FROM customers WHERE company_id = $company) AS c "
    "ON c.customer_id = b.customer_id WHERE c.customer = $customer AND b.date >= $since"
)


def ledger_of(warehouse: Warehouse, company_id: str, customer: str | None, today: date) -> list[LedgerEntry]:
    """The benefits that `customer` got this year; none for a customer that isn't named."""
    if not customer:
        return []
    source = " UNION ALL ".join(_SOURCE.format(table=table) for table in warehouse.archive.tables("benefits"))
    parameters = {"customer": customer, "since": date(today.year, 1, 1)}
    table = warehouse.run(company_id, today, _QUERY.format(source=source), parameters)
    return [LedgerEntry(customer, kind, int(amount), day, int(people or 1)) for day, kind, amount, people in table.rows]
