"""Who sells what to whom: reps, customers and products of the sample company."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from madang.assistants.works.data import load

Columns = dict[str, list[Any]]
EARLIEST = date(2021, 1, 1)
LATEST_DAYS = 15 * 365
CUSTOMERS = 2030
SETTLED = 0.6
GRADES = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Masters:
    """The tables that don't change from month to month. Customers register over the years."""

    reps: Columns
    customers: Columns
    products: Columns
    weights: list[float]


def make_masters(seed: int, customers: int = CUSTOMERS) -> Masters:
    """The masters of a company, always the same for the same seed."""
    rng = np.random.default_rng([seed, 1])
    reps = _reps()
    table, weights = _customers(reps, rng, customers)
    return Masters(reps, table, _products(rng), weights)


def _reps() -> Columns:
    rows = [
        (name, team["team"], team["branch"], team["regions"][i % len(team["regions"])])
        for team in load("company")["teams"]
        for i, name in enumerate(team["reps"])
    ]
    return {
        "rep_id": [f"R{i:03d}" for i in range(len(rows))],
        "rep": [row[0] for row in rows],
        "team": [row[1] for row in rows],
        "branch": [row[2] for row in rows],
        "region": [row[3] for row in rows],
    }


def _products(rng: Any) -> Columns:
    rows = [(name, group) for group, names in load("company")["classes"].items() for name in names]
    return {
        "product_id": [f"P{i:03d}" for i in range(len(rows))],
        "product": [row[0] for row in rows],
        "product_class": [row[1] for row in rows],
        "price": [int(price) * 100 for price in rng.integers(80, 600, len(rows))],
    }


def _customers(reps: Columns, rng: Any, count: int) -> tuple[Columns, list[float]]:
    config = load("company")
    kinds = config["customer_types"]
    shares = [kind["share"] for kind in kinds]
    weight_of = {kind["name"]: kind["weight"] for kind in kinds}
    types = [kinds[i]["name"] for i in rng.choice(len(kinds), count, p=shares)]
    owners = rng.integers(0, len(reps["rep_id"]), count)
    grades = [GRADES[i] for i in rng.choice(4, count, p=[0.15, 0.35, 0.35, 0.15])]
    specialties = [config["specialties"]["names"][i] for i in rng.integers(0, 12, count)]
    regions = [reps["region"][i] for i in owners]
    names = _names(types, specialties, regions, rng)
    boost = {"A": 2.2, "B": 1.0, "C": 0.6, "D": 0.3}
    table: Columns = {
        "customer_id": [f"C{i:05d}" for i in range(count)],
        "customer": names,
        "customer_type": types,
        "region": regions,
        "specialty": [None if t == "약국" else s for t, s in zip(types, specialties, strict=True)],
        "grade": grades,
        "rep_id": [reps["rep_id"][i] for i in owners],
        "registered_on": _registered(rng, count),
    }
    return table, [weight_of[t] * boost[g] for t, g in zip(types, grades, strict=True)]


def _registered(rng: Any, count: int) -> list[date]:
    settled = rng.random(count) < SETTLED
    later = rng.integers(0, LATEST_DAYS, count)
    earlier = rng.integers(0, 2000, count)
    return [
        EARLIEST - timedelta(days=int(before)) if old else EARLIEST + timedelta(days=int(after))
        for old, before, after in zip(settled, earlier, later, strict=True)
    ]


def _names(types: list[str], specialties: list[str], regions: list[str], rng: Any) -> list[str]:
    """Invented names, each once: a word, what it is, and the region where the bare name is taken."""
    prefixes = load("company")["customer_words"]["prefixes"]
    picks = rng.integers(0, len(prefixes), len(types))
    suffix = {"상급종합": "대학교병원", "종합병원": "종합병원", "병원": "병원", "약국": "약국"}
    seen: set[str] = set()
    names: list[str] = []
    for kind, specialty, region, pick in zip(types, specialties, regions, picks, strict=True):
        body = f"{specialty}의원" if kind == "의원" else suffix[kind]
        choices = (f"{prefixes[(pick + i) % len(prefixes)]}{body}" for i in range(3))
        name = next((c for c in choices if c not in seen), None)
        number = 0
        while name is None or name in seen:
            number += 1
            name = f"{region}{prefixes[(pick + number) % len(prefixes)]}{body}" + (
                str(number // len(prefixes) + 1) if number > len(prefixes) else ""
            )
        seen.add(name)
        names.append(name)
    return names
