"""`madang config`."""

import json
from typing import Annotated

import typer

from madang.cli.options import settings_with


def config(as_json: Annotated[bool, typer.Option("--json", help="JSON으로 출력")] = False) -> None:
    """적용된 설정을 보여줍니다. 비밀 값은 가립니다."""
    shown = settings_with().effective()
    if as_json:
        typer.echo(json.dumps(shown, ensure_ascii=False, indent=2))
        return
    width = max(map(len, shown))
    for name, value in shown.items():
        typer.echo(f"{name:<{width}}  {value}")
