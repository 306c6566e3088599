"""Options that several commands share."""

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from madang.errors import ConfigurationError, InvalidInput

if TYPE_CHECKING:
    from madang.settings import Settings

Db = Annotated[str | None, typer.Option("--db", help="sqlite:///경로 또는 postgresql://…", metavar="URL")]
Json = Annotated[bool, typer.Option("--json", help="JSON 하나만 표준 출력에 씁니다")]
Today = Annotated[str | None, typer.Option("--today", help="오늘 날짜 (YYYY-MM-DD)", metavar="DATE")]
Allow = Annotated[
    list[str] | None, typer.Option("--allow", help="읽어도 되는 타입 (여러 번 가능)", metavar="MODULE:NAME")
]
SessionId = Annotated[str, typer.Argument(metavar="SESSION", help="대화 id")]


def settings_with(db: str | None = None) -> "Settings":
    """The settings, with another database if one is named. Raises `ConfigurationError` for one that can't be read."""
    from pydantic import ValidationError

    from madang.settings import Settings

    try:
        return Settings(db=db) if db else Settings()
    except ValidationError as problem:
        wrong = [f"MADANG_{'.'.join(map(str, one['loc'])).upper()}: {one['msg']}" for one in problem.errors()]
        raise ConfigurationError("; ".join(wrong)) from None


def parse_today(text: str | None) -> date | None:
    """The date given, or None. Raises `InvalidInput`."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"--today: {text!r} is not a date (YYYY-MM-DD)") from None


def parse_allow(names: list[str] | None) -> list[tuple[str, str]]:
    """The types named, as (module, name). Raises `InvalidInput`."""
    pairs = [name.partition(":") for name in names or ()]
    wrong = [f"{module}{colon}{name}" for module, colon, name in pairs if not (module and name)]
    if wrong:
        raise InvalidInput(f"--allow: {wrong[0]!r} is not module:Name")
    return [(module, name) for module, _, name in pairs]
