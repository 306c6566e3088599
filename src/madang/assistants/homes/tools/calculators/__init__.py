"""Calculators, one a file: each takes plain sums, rates and dates and answers a `Calculation`."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from madang.assistants.homes.tools.calculators.spec import Calculator, Input
from madang.errors import InvalidInput


@cache
def calculators() -> Mapping[str, Calculator]:
    """Every calculator that a module of this package declares as `CALCULATOR`, by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    declared = (getattr(module, "CALCULATOR", None) for module in modules)
    return {found.name: found for found in declared if found is not None}


def calculator(name: str) -> Calculator:
    """The calculator of that name. Raises `InvalidInput` if there is none."""
    if name not in calculators():
        raise InvalidInput(f"no calculator is called {name!r}")
    return calculators()[name]


@cache
def inputs_by_name() -> Mapping[str, Input]:
    """Every input of the calculators by name; inputs of one name are read in the same way."""
    return {item.name: item for one in calculators().values() for item in one.inputs}
