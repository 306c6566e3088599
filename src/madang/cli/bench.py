"""`madang bench`: benchmarks and evaluations, which lie beside the package in a checkout and in no wheel."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from madang.cli.options import Json
from madang.errors import ConfigurationError

CHECKOUT = Path(__file__).parents[3]


def bench(
    suites: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SUITE]...", help="없으면 전부. 뒤에 그 잣대의 옵션 (faults --events 60)"),
    ] = None,
    as_json: Json = False,
) -> None:
    """성능과 품질을 잽니다. 결과는 같은 실행에서 잰 비교 대상과의 비율입니다. 저장소를 내려받은 곳에서만 됩니다."""
    if not (CHECKOUT / "bench" / "__init__.py").is_file():
        raise ConfigurationError("bench runs in a checkout of the repository; an installed package has no benchmarks")
    sys.path.insert(0, str(CHECKOUT))
    import_module("bench._report").report(suites or (), as_json=as_json)
