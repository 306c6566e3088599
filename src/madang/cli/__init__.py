"""The command line. Commands load what they need when they run, so that `--help` stays quick."""

import sys
from typing import Annotated

import typer

from madang import __version__
from madang.errors import ConfigurationError, InvalidInput, MadangError

app = typer.Typer(
    name="madang",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    """Say which version this is and leave, if that is wanted."""
    if wanted:
        typer.echo(f"madang {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=show_version, is_eager=True, help="버전을 보여주고 끝냅니다.")
]


@app.callback()
def root(version: Version = False) -> None:
    """마당: LangGraph 위의 상태 계층과 세 도우미 (homes, works, travel)."""


def _register() -> None:
    from madang.cli import bench, data, db, mcp, models, serve, sessions, settings, state, turns, users, worker

    app.command("serve")(serve.serve)
    app.command("worker")(worker.worker)
    app.command("mcp")(mcp.mcp)
    app.command("ask")(turns.ask)
    app.command("chat")(turns.chat)
    app.command("config")(settings.config)
    app.command("bench", context_settings={"ignore_unknown_options": True})(bench.bench)
    app.add_typer(sessions.app, name="sessions", help="대화를 보고, 이름을 바꾸고, 지우고, 내보내고, 들여옵니다.")
    app.add_typer(state.app, name="state", help="대화의 상태를 들여다보고, 고치고, 갈라냅니다.")
    app.add_typer(db.app, name="db", help="데이터베이스를 갱신하고, 살피고, 정리합니다.")
    app.add_typer(data.app, name="data", help="법령, 시세, 판매 자료를 불러오고 살핍니다.")
    app.add_typer(models.app, name="models", help="모델을 살피고, 보내는 글을 읽고, 값 파일을 바꿉니다.")
    app.add_typer(users.app, name="users", help="사용자와 API 키를 관리합니다.")


def main() -> None:
    """Run a command. An error that was foreseen is one line on stderr: exit status 1, or 2 for wrong usage."""
    _register()
    try:
        app()
    except (InvalidInput, ConfigurationError) as error:
        fail(error, 2)
    except MadangError as error:
        fail(error, 1)


def fail(error: MadangError, status: int) -> None:
    """Say what went wrong and leave."""
    sys.stderr.write(f"madang: {error}\n")
    raise SystemExit(status)
