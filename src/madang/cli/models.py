"""`madang models`: which model is set and whether it answers, what is sent to it, and what it costs."""

import asyncio
import json
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from madang.cli.options import Json, Today, parse_today, settings_with
from madang.errors import ConfigurationError, InvalidInput

app = typer.Typer(no_args_is_help=True)
Call = Literal["understand", "explore", "answer"]


@app.command("check")
def check(as_json: Json = False) -> None:
    """모델이 설정됐는지, 만들 수 있는지, 답하는지 살핍니다."""
    report = asyncio.run(_check())
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False))
    else:
        for name, value in report.items():
            typer.echo(f"{name}: {value}")
    raise typer.Exit(0 if report["reachable"] in (True, None) else 1)


async def _check() -> dict[str, Any]:
    from madang.bootstrap import models_of
    from madang.llm.checks import check_model

    models = models_of(settings_with())
    try:
        return dict(await check_model(models))
    finally:
        await models.aclose()


@app.command("prompt")
def prompt(
    call: Annotated[Call, typer.Argument(help="understand, explore 또는 answer")],
    assistant: Annotated[str, typer.Argument(metavar="ASSISTANT", help="homes, works, travel …")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="사용자의 메시지")],
    reading: Annotated[
        Path | None,
        typer.Option("--reading", help="explore와 answer에 쓸 이해 결과(JSON)", exists=True, dir_okay=False),
    ] = None,
    today: Today = None,
) -> None:
    """모델에게 보내는 글과 답의 형식을 그대로 보여줍니다. 모델은 부르지 않습니다."""
    given = reading.read_text(encoding="utf-8") if reading is not None else None
    asyncio.run(_prompt(call, assistant, text, given, today))


async def _prompt(call: Call, assistant: str, text: str, reading: str | None, today: str | None) -> None:
    from madang.bootstrap import open_runtime
    from madang.cli.turns import check_assistant
    from madang.llm import Models
    from madang.llm.printing import PrintingChat
    from madang.runtime import TurnRequest

    check_assistant(assistant)
    if call != "understand" and reading is None:
        raise InvalidInput(
            f"--reading: the prompt of {call} follows from a reading; write one from `understand`'s schema"
        )
    chat = PrintingChat(reading=reading or "")
    settings = settings_with()
    async with open_runtime(settings, only=assistant, today=parse_today(today), models=Models(chat=chat)) as runtime:
        session = await runtime.sessions.create(assistant=assistant)
        run = await runtime.start(session.session_id, TurnRequest(text=text))
        await runtime.outcome(run.run_id)
        await runtime.sessions.delete(session.session_id)
    sent = [one for one in chat.sent if one["call"] == call]
    if not sent:
        raise InvalidInput("TEXT: this message needs no such call")
    sys.stdout.write(sent[0]["text"])


@app.command("prices")
def prices(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="쓸 값 파일(TOML)", exists=True, dir_okay=False)
    ] = None,
) -> None:
    """값 파일을 보여주거나, FILE로 바꿉니다(자료 폴더에 두고 MADANG_LLM_PRICES로 가리킵니다)."""
    from madang.llm import read_prices

    settings = settings_with()
    if file is not None:
        read_prices(file)
        place = settings.data_dir / "prices.toml"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
        typer.echo(f"MADANG_LLM_PRICES={place}")
        return
    table = read_prices(Path(settings.llm_prices) if settings.llm_prices else None)
    if not table.models:
        raise ConfigurationError("the price file names no model")
    typer.echo(f"as_of {table.as_of} (USD per million tokens: prompt, completion)")
    for name, price in table.models.items():
        typer.echo(f"{name}  {price.prompt}  {price.completion}")
