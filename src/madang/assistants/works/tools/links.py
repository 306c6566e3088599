"""Which rep a user is: `madang users link USER --rep NAME` writes it, "내" and "우리 팀" read it."""

from datetime import date
from pathlib import Path

import orjson

from madang.assistants.works.tools.warehouse import Warehouse
from madang.errors import NotFound

_FILE = "links.json"
_REP = (
    "SELECT r.rep, r.team, r.branch FROM (SELECT rep, team, branch FROM reps WHERE company_id = $company) AS r "
    "WHERE r.rep = $rep LIMIT 1"
)


def link_user(
    warehouse: Warehouse, folder: Path, company_id: str, user_id: str, rep: str, today: date
) -> dict[str, str]:
    """Link a user to a rep of the company's data. Raises `NotFound` for a name that is not there."""
    found = rep_of(warehouse, company_id, rep, today)
    if found is None:
        raise NotFound(f"{rep} 담당자가 {company_id} 회사의 자료에 없습니다")
    links = _read(folder)
    links.setdefault(company_id, {})[user_id] = rep
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{_FILE}"
    part.write_bytes(orjson.dumps(links))
    part.replace(folder / _FILE)
    return found


def linked_rep(warehouse: Warehouse, folder: Path, company_id: str, user_id: str, today: date) -> dict[str, str] | None:
    """The rep that a user is, with team and branch; None for a user who is linked to none."""
    rep = _read(folder).get(company_id, {}).get(user_id)
    return rep_of(warehouse, company_id, rep, today) if rep else None


def _read(folder: Path) -> dict[str, dict[str, str]]:
    path = folder / _FILE
    found: dict[str, dict[str, str]] = orjson.loads(path.read_bytes()) if path.is_file() else {}
    return found


def teams_of(warehouse: Warehouse, company_id: str, today: date) -> dict[str, str]:
    """The team of each rep."""
    sql = "SELECT r.rep, r.team FROM (SELECT rep, team FROM reps WHERE company_id = $company) AS r"
    return {str(rep): str(team) for rep, team in warehouse.run(company_id, today, sql, {}).rows if rep and team}


def branches_of(warehouse: Warehouse, company_id: str, today: date) -> dict[str, str]:
    """The branch of each rep."""
    sql = "SELECT r.rep, r.branch FROM (SELECT rep, branch FROM reps WHERE company_id = $company) AS r"
    return {str(rep): str(branch) for rep, branch in warehouse.run(company_id, today, sql, {}).rows if rep and branch}


def rep_of(warehouse: Warehouse, company_id: str, rep: str, today: date) -> dict[str, str] | None:
    rows = warehouse.run(company_id, today, _REP, {"rep": rep}).rows
    return dict(zip(("rep", "team", "branch"), map(str, rows[0]), strict=True)) if rows else None
