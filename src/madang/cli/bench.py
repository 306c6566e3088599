"""`madang bench`: benchmarks and evaluations, as ratios, with a JSON file of the results."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from madang.cli.options import Json
from madang.errors import InvalidInput

RESULTS = Path("bench-results.json")


def bench(
    suites: Annotated[list[str] | None, typer.Argument(metavar="[SUITE]...", help="없으면 전부")] = None,
    as_json: Json = False,
) -> None:
    """성능과 품질을 잽니다. 결과는 같은 실행에서 잰 비교 대상과의 비율입니다."""
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from madang.bench import discover

    known = discover()
    unknown = sorted(set(suites or ()) - set(known))
    if unknown:
        raise InvalidInput(f"no suite {', '.join(unknown)}; there are {', '.join(known)}")
    results: dict[str, Any] = {}
    screen = Console(stderr=as_json)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("bench", total=len(suites or known))
        for name in suites or list(known):
            progress.update(task, description=name)
            results[name] = rows = [row.as_dict() for row in known[name]()]
            table = Table("measure", "value", "peer", "ratio", "goal", title=name, title_justify="left")
            for row in rows:
                peer = f"{row['peer']} {row['peer_value']:,.4g}" if row["peer_value"] is not None else ""
                ratio = f"{row['ratio']:.3g}" if row["ratio"] is not None else ""
                value = f"{row['value']:,.4g} {row['unit']}".strip()
                table.add_row(row["measure"], value, peer, ratio, " · ".join(filter(None, (row["goal"], row["note"]))))
            screen.print(table)
            progress.advance(task)
    RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=2), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(results, ensure_ascii=False))
