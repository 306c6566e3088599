"""How a cell's text is read as a date, a whole number or a text, as SQL. What can't be read is null."""

from collections.abc import Iterator

from madang.assistants.works.data.tables import COLUMNS
from madang.assistants.works.tools.sales_data.mapping import UNITS, Source

_YEAR = r"(199\d|20\d\d)"
_CLOCK = r"[ T]+(오전|오후|AM|PM)?\s*\d{1,2}:\d{2}.*$"
_ERROR = r"#(N/A|REF!|VALUE!|DIV/0!|NAME\?|NULL!|NUM!)"
_NUMBER = r"[-+]?(\d{1,3}(,\d{3})+|\d{1,15})(\.\d{1,9})?"
_MONTH = rf"{_YEAR}-?\d{{1,2}}"


def typed(source: Source, cells: str, more: str = "") -> str:
    """A SELECT over `cells` (`p`, `line`, `r_COLUMN`): of each column the value `v_`, the words `w_` of a cell that is
    not empty and has none, `f_` what rounding added to a number, `m_` whether a date names only its month.
    """
    kinds = {column: COLUMNS[source.table][column] for column in source.columns}
    plain = "".join(f', {_plain(source, c)} AS "s_{c}"' for c, kind in kinds.items() if kind != "VARCHAR")
    exact = "".join(f', {_exact(source, c)} AS "x_{c}"' for c, kind in kinds.items() if kind == "BIGINT")
    values = "".join(f', {_value(source, c)} AS "v_{c}"' for c in kinds)
    kept = ", ".join(text for c in kinds for text in _kept(c, kinds[c]))
    return (
        f"SELECT p, line{more}, {kept} FROM (SELECT *{values} FROM (SELECT *{exact} FROM (SELECT *{plain} "  # noqa: S608
        f"FROM ({cells}))))"
    )


def _kept(column: str, kind: str) -> Iterator[str]:
    yield f'"v_{column}"'
    yield f'CASE WHEN "v_{column}" IS NULL THEN "r_{column}" END AS "w_{column}"'
    if kind == "BIGINT":
        yield f'CASE WHEN "x_{column}" <> "v_{column}" THEN "v_{column}" - "x_{column}" END AS "f_{column}"'
    if kind == "DATE":
        yield f'regexp_full_match("s_{column}", \'{_MONTH}\') AS "m_{column}"'


def _plain(source: Source, column: str) -> str:
    """A number without its unit and with its sign before it, a date with dashes between its parts."""
    text = f'"r_{column}"'
    if COLUMNS[source.table][column] == "DATE":
        day = f"CASE WHEN contains({text}, ':') THEN regexp_replace({text}, '{_CLOCK}', '') ELSE {text} END"
        return f"trim(regexp_replace({day}, '\\s*[./년월일-]\\s*', '-', 'g'), '- ')"
    unitless = f"regexp_replace({text}, '\\s|원$|개$|(?i:EA$|KRW)|^[₩￦\\\\]', '', 'g')"
    return f"regexp_replace({unitless}, '^(?:\\((.+)\\)|△(.+)|(.+)-)$', '-\\1\\2\\3')"


def _exact(source: Source, column: str) -> str:
    """A number before it is rounded, in won or pieces: 1,200 · 1,200원 · ₩1,200 · (1,200) · △1,200 · 1,200-."""
    number = f"CASE WHEN regexp_full_match(\"s_{column}\", '{_NUMBER}') THEN replace(\"s_{column}\", ',', '') END"
    factor = UNITS[source.units.get(column, "원")]
    return f"(CAST({number} AS DECIMAL(26, 9)) * CAST({factor} AS DECIMAL(9, 0)))"


def _value(source: Source, column: str) -> str:
    kind = COLUMNS[source.table][column]
    if kind == "BIGINT":
        return f'TRY_CAST(round("x_{column}") AS BIGINT)'
    if kind == "DATE":
        return _date(source, column)
    return f'CASE WHEN NOT regexp_full_match("r_{column}", \'{_ERROR}\') THEN nfc_normalize("r_{column}") END'


def _date(source: Source, column: str) -> str:
    if form := source.formats.get(column):
        day = f"try_strptime(\"r_{column}\", '{form.replace(chr(39), chr(39) * 2)}')::DATE"
        return f"CASE WHEN year({day}) BETWEEN 1990 AND 2099 THEN {day} END"
    text = f'"s_{column}"'
    readings = {
        rf"{_YEAR}-\d{{1,2}}-\d{{1,2}}": f"TRY_CAST({text} AS DATE)",
        rf"{_YEAR}\d{{4}}": f"try_strptime({text}, '%Y%m%d')::DATE",
        r"\d{2}-\d{1,2}-\d{1,2}": f"TRY_CAST('20' || {text} AS DATE)",
        rf"{_YEAR}-\d{{1,2}}": f"TRY_CAST({text} || '-1' AS DATE)",
        rf"{_YEAR}\d{{2}}": f"try_strptime({text} || '01', '%Y%m%d')::DATE",
        r"[3-6]\d{4}": f"DATE '1899-12-30' + TRY_CAST({text} AS INTEGER)",
    }
    cases = " ".join(f"WHEN regexp_full_match({text}, '{form}') THEN {reading}" for form, reading in readings.items())
    return f"CASE {cases} END"
