"""The tables that a company's data is kept in. Every one has `company_id`."""

from typing import Any

COLUMNS: dict[str, dict[str, str]] = {
    "reps": {
        "company_id": "VARCHAR", "rep_id": "VARCHAR", "rep": "VARCHAR", "team": "VARCHAR", "branch": "VARCHAR",
        "region": "VARCHAR",
    },
    "customers": {
        "company_id": "VARCHAR", "customer_id": "VARCHAR", "customer": "VARCHAR", "customer_type": "VARCHAR",
        "region": "VARCHAR", "specialty": "VARCHAR", "grade": "VARCHAR", "rep_id": "VARCHAR", "registered_on": "DATE",
    },
    "products": {
        "company_id": "VARCHAR", "product_id": "VARCHAR", "product": "VARCHAR", "product_class": "VARCHAR",
        "price": "BIGINT",
    },
    "sales": {
        "company_id": "VARCHAR", "sale_id": "VARCHAR", "date": "DATE", "customer_id": "VARCHAR",
        "product_id": "VARCHAR", "rep_id": "VARCHAR", "quantity": "BIGINT", "amount": "BIGINT",
    },
    "targets": {
        "company_id": "VARCHAR", "date": "DATE", "rep_id": "VARCHAR", "product_id": "VARCHAR", "amount": "BIGINT",
    },
    "visits": {
        "company_id": "VARCHAR", "visit_id": "VARCHAR", "date": "DATE", "rep_id": "VARCHAR", "customer_id": "VARCHAR",
        "purpose": "VARCHAR", "note": "VARCHAR",
    },
    "seminars": {
        "company_id": "VARCHAR", "seminar_id": "VARCHAR", "date": "DATE", "rep_id": "VARCHAR",
        "customer_id": "VARCHAR", "product_id": "VARCHAR", "title": "VARCHAR", "place": "VARCHAR",
        "attendee_count": "BIGINT", "cost": "BIGINT",
    },
    "attendees": {
        "company_id": "VARCHAR", "seminar_id": "VARCHAR", "customer_id": "VARCHAR", "name": "VARCHAR",
    },
    "benefits": {
        "company_id": "VARCHAR", "benefit_id": "VARCHAR", "date": "DATE", "rep_id": "VARCHAR",
        "customer_id": "VARCHAR", "recipient": "VARCHAR", "kind": "VARCHAR", "amount": "BIGINT", "people": "BIGINT",
        "seminar_id": "VARCHAR",
    },
}  # fmt: skip

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
