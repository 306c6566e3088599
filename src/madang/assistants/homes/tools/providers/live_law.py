"""Statutes from the law centre: by the names people use, with their decrees and rules, or just those that are cited."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from madang.assistants.homes.tools.law_files import KINDS, Statute, as_stored, from_stored
from madang.assistants.homes.tools.providers.law_centre import LawCentreApi, LawEntry
from madang.assistants.homes.tools.providers.live import LiveService
from madang.errors import NotFound, UnreadableData
from madang.text.laws import law_titles

_LASTS = 7 * 24 * 3600.0
_SPACES = re.compile(r"[\s·ㆍ・]+")
Report = Callable[[int, int], None]


class LiveLaw(LiveService[LawCentreApi]):
    """Texts of statutes in force, kept for a week."""

    prefix = "law-"
    budget = 15.0
    services = ("law",)

    async def statutes(self, names: Iterable[str]) -> tuple[dict[str, Statute], str | None]:
        """The statutes of just those names, as far as they can be had in time, and a line if some can't be now."""
        wanted = list(dict.fromkeys(names))
        async with self._in_time(self.services):
            await asyncio.gather(
                *(self._keep("law", _key(name), partial(self._fetch, name), _LASTS) for name in wanted)
            )
        found = {name: statute for name in wanted if (statute := self._kept(name)) is not None}
        failed = self._outages["law"].current
        lost = failed is not None and len(found) < len(wanted)
        return found, f"법령 원문을 지금 받을 수 없습니다: {failed.message}." if failed and lost else None

    async def _fetch(self, name: str) -> dict[str, Any] | None:
        try:
            entry = next((e for e in await self._provider.find(name) if _same(e.name, name)), None)
            return as_stored(await self._provider.statute(entry.serial)) if entry is not None else None
        except NotFound:
            return None

    def _kept(self, name: str) -> Statute | None:
        stored = self._cache.get(_key(name))
        try:
            return from_stored(stored) if stored is not None else None
        except UnreadableData:
            return None


async def fetch_law(
    provider: LawCentreApi, names: Sequence[str], report: Report = lambda _done, _all: None
) -> list[Statute]:
    """Each law by the name people use, with its decree and rule. All or nothing.

    Raises `NotFound` naming every law that isn't there with names that are near, and as the provider does.
    """
    async with provider.connected():
        entries: list[LawEntry] = []
        problems: list[str] = []
        for name in dict.fromkeys(official_name(name) for name in names):
            found = await provider.find(name)
            family = {_squeezed(name), *(_squeezed(f"{name}{kind}") for kind in KINDS[1:])}
            of_it = [entry for entry in found if _squeezed(entry.name) in family]
            entries += of_it
            if not of_it:
                near = ", ".join(entry.name for entry in found[:3])
                problems.append(f"{name}{f' (비슷한 이름: {near})' if near else ''}")
        if problems:
            raise NotFound(f"국가법령정보센터에서 찾지 못했습니다: {'; '.join(problems)}", names=problems)
        statutes: list[Statute] = []
        for number, entry in enumerate(entries):
            report(number, len(entries))
            statutes.append(await provider.statute(entry.serial))
        report(len(entries), len(entries))
    empty = [statute.name for statute in statutes if not statute.articles]
    if empty:
        raise UnreadableData(f"조문이 없는 법령이 있습니다: {', '.join(empty)}")
    return statutes


def official_name(name: str) -> str:
    """A law's full name for a short one (주임법, 주임법 시행령), or the name as it is."""
    squeezed = _squeezed(name)
    for kind in ("", *KINDS[1:]):
        title = law_titles().get(squeezed.removesuffix(kind)) if squeezed.endswith(kind) else None
        if title is not None:
            return f"{title} {kind}".strip()
    return name.strip()


def _same(one: str, other: str) -> bool:
    return _squeezed(one) == _squeezed(other)


def _squeezed(name: str) -> str:
    return _SPACES.sub("", name)


def _key(name: str) -> str:
    return f"law-{hashlib.sha256(_squeezed(name).encode()).hexdigest()[:16]}"
