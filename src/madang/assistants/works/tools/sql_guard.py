"""A last look at SQL before it runs: one SELECT, known tables only, each limited to one company."""

from __future__ import annotations

from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from madang.assistants.works.data.tables import ARCHIVED, COLUMNS
from madang.errors import AccessDenied

ALLOWED = frozenset({(None, name) for name in COLUMNS} | {("archive", name) for name in ARCHIVED})


@lru_cache(maxsize=512)
def check_select(sql: str) -> None:
    """Raise `AccessDenied` unless `sql` is one SELECT in which every table is limited to the company's own rows."""
    try:
        statements = sqlglot.parse(sql, dialect="duckdb")
    except SqlglotError as error:
        raise AccessDenied("SQL이 아닙니다") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise AccessDenied("하나의 SELECT만 실행할 수 있습니다")
    tree = statements[0]
    if any(not isinstance(node, exp.Query) for node in tree.find_all(exp.DML, exp.DDL, exp.Command, exp.Into)):
        raise AccessDenied("읽기만 할 수 있습니다")
    defined = {cte.alias for cte in tree.find_all(exp.CTE)}
    if defined & set(COLUMNS):
        raise AccessDenied("테이블 이름을 가릴 수 없습니다")
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            raise AccessDenied("테이블 함수는 쓸 수 없습니다")
        if table.name in defined and not table.db:
            continue
        if (table.db or None, table.name) not in ALLOWED or table.catalog:
            raise AccessDenied(f"읽을 수 없는 테이블입니다: {table.name}")
        _check_company(table)


def _check_company(table: exp.Table) -> None:
    select = table.find_ancestor(exp.Select)
    where = select.args.get("where") if select else None
    if where is None or not _limits_company(where.this) or (select is not None and select.args.get("joins")):
        raise AccessDenied("회사 제한이 없는 읽기입니다")


def _limits_company(condition: exp.Expr) -> bool:
    if isinstance(condition, exp.And):
        return _limits_company(condition.left) or _limits_company(condition.right)
    return (
        isinstance(condition, exp.EQ)
        and isinstance(condition.this, exp.Column)
        and condition.this.name == "company_id"
        and isinstance(condition.expression, exp.Placeholder)
        and condition.expression.this == "company"
    )
