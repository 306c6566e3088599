"""The tables that a company's data is kept in. Every one has `company_id`."""

from typing import Any

_TABLES = {
    "reps": "rep_id rep team branch region",
    "customers": "customer_id customer customer_type region specialty grade rep_id registered_on",
    "products": "product_id product product_class price",
    "sales": "sale_id date customer_id product_id rep_id quantity amount",
    "targets": "date rep_id product_id amount",
    "visits": "visit_id date rep_id customer_id purpose note",
    "seminars": "seminar_id date rep_id customer_id product_id title place attendee_count cost",
    "attendees": "seminar_id customer_id name",
    "benefits": "benefit_id date rep_id customer_id recipient kind amount people seminar_id",
}
_TYPES = {
    **dict.fromkeys(("date", "registered_on"), "DATE"),
    **dict.fromkeys(("price", "quantity", "amount", "attendee_count", "cost", "people"), "BIGINT"),
}
COLUMNS = {
    table: {name: _TYPES.get(name, "VARCHAR") for name in ("company_id", *names.split())}
    for table, names in _TABLES.items()
}
"""The columns of each table, with their types."""

KEYS = {
    "reps": "rep_id", "customers": "customer_id", "products": "product_id", "sales": "sale_id", "visits": "visit_id",
    "seminars": "seminar_id", "benefits": "benefit_id",
}  # fmt: skip
REFERENCES = {"rep_id": "reps", "customer_id": "customers", "product_id": "products"}
DATE_COLUMN = dict.fromkeys(("sales", "targets", "visits", "seminars", "benefits"), "date")
ARCHIVED = ("visits", "seminars", "attendees", "benefits")


def create_tables(connection: Any, names: tuple[str, ...] | None = None) -> None:
    """Create the tables that aren't there yet."""
    for table in names or tuple(COLUMNS):
        columns = ", ".join(f'"{name}" {kind}' for name, kind in COLUMNS[table].items())
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
