"""`madang data`: what the installed assistants can be given, and what is there."""

import inspect
from functools import cache, wraps
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from madang.cli.opening import print_json, progress_bar
from madang.cli.options import Json
from madang.errors import ConfigurationError, MissingExtra

if TYPE_CHECKING:
    from madang.graph.data_source import DataSource


@cache
def sources() -> "tuple[dict[str, DataSource], list[str]]":
    """Every kind of data by name; and in words, which packages' kinds can't be used for want of an extra."""
    from madang.runtime.loading import installed, load_entry

    found: dict[str, DataSource] = {}
    missing: list[str] = []
    for entry in installed("madang.data"):
        try:
            found |= load_entry(entry)
        except MissingExtra as error:
            missing.append(str(error))
    return found, missing


class Loads(TyperGroup):
    """A command for each kind of data that can be loaded, found when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - what click calls
        return [name for name, source in sources()[0].items() if source.load is not None]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found, missing = sources()
        if cmd_name in self.list_commands(ctx):
            return _command(cmd_name, found[cmd_name])
        if missing:
            raise ConfigurationError("; ".join(missing))
        return None


def _command(name: str, source: "DataSource") -> Any:
    assert source.load is not None
    load = source.load

    @wraps(load)
    def run(*, as_json: bool, **given: Any) -> None:
        from madang.bootstrap import deployment
        from madang.settings import Settings

        with progress_bar(source.title, quiet=as_json) as report:
            loaded = load(deployment(Settings()), report, **given)
        if as_json:
            print_json(loaded.figures)
        else:
            typer.echo(loaded.line)

    of_the_user = list(inspect.signature(load).parameters.values())[2:]
    asked = inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json)
    run.__signature__ = inspect.Signature([*of_the_user, asked])  # type: ignore[attr-defined]
    run.__annotations__ = {**load.__annotations__, "as_json": Json}
    alone = typer.Typer(add_completion=False)
    alone.command(name)(run)
    return typer.main.get_command(alone)


app = typer.Typer(no_args_is_help=True)
app.add_typer(typer.Typer(cls=Loads, no_args_is_help=True), name="load", help="법령, 거래, 판매 자료를 불러옵니다.")


@app.command("status")
def status(as_json: Json = False) -> None:
    """무엇이 불려 와 있는지, 어떤 실시간 자료가 켜져 있는지 보여줍니다."""
    from madang.bootstrap import deployment
    from madang.settings import Settings

    found, missing = sources()
    here = deployment(Settings())
    statuses = {name: source.status(here) for name, source in found.items()}
    if as_json:
        print_json(statuses)
        return
    for name, source in found.items():
        for line in source.lines(statuses[name]):
            typer.echo(line)
    for line in missing:
        typer.echo(line)
