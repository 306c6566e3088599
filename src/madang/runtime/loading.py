"""Finding what to serve: objects named as `module:name` or `file.py:name`."""

import importlib
import importlib.util
import os
import sys
import zlib
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from packaging.requirements import Requirement

from madang.errors import ConfigurationError, MissingExtra

ASSISTANTS = "madang.assistants"


def installed(group: str = ASSISTANTS) -> list[EntryPoint]:
    """What the installed packages offer as assistants, or under another group's name: ours and anyone's alike."""
    return sorted(entry_points(group=group), key=lambda entry: entry.name)


def load_entry(entry: EntryPoint) -> Any:
    """The object that an entry point names. Where its package has an extra of the entry's name, it needs that.

    Raises `MissingExtra` if a package of the extra isn't installed, `ConfigurationError` if it can't be loaded.
    """
    if entry.dist is not None and _lacks(entry.dist, entry.name):
        raise MissingExtra(entry.name, entry.name, entry.dist.name)
    try:
        return entry.load()
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"can't load {entry.name} ({entry.value}): {error}") from error


def _lacks(offered: Distribution, extra: str) -> bool:
    """Whether a package that the extra asks for isn't there."""
    for requirement in map(Requirement, offered.requires or ()):
        if requirement.marker is None or not requirement.marker.evaluate({"extra": extra}):
            continue
        if requirement.name == offered.name:
            if any(_lacks(offered, other) for other in requirement.extras):
                return True
            continue
        try:
            distribution(requirement.name)
        except PackageNotFoundError:
            return True
    return False


def load_object(where: str) -> Any:
    """The object at `module:name` or `path/to/file.py:name`. Raises `ConfigurationError`."""
    place, _, attribute = where.rpartition(":")
    if not place or not attribute:
        raise ConfigurationError(f"{where!r} should be module:name")
    try:
        module = _from_file(Path(place)) if place.endswith(".py") else _from_path(place)
        found: Any = module
        for name in attribute.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError, OSError, SyntaxError) as error:
        raise ConfigurationError(f"can't load {where!r}: {error}") from error
    return found


def _from_path(name: str) -> ModuleType:
    search_in(Path.cwd())
    return importlib.import_module(name)


def _from_file(path: Path) -> ModuleType:
    file = path.resolve()
    name = file.stem
    known = sys.modules.get(name)
    if known is not None:
        if getattr(known, "__file__", None) == str(file):
            return known
        # Files of the same name in different folders are different modules.
        name = f"{name}_{zlib.crc32(str(file).encode()):08x}"
        if name in sys.modules:
            return sys.modules[name]
    search_in(file.parent)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def search_in(folder: Path) -> None:
    """Let modules be found in a folder."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def set_environment(given: Any, folder: Path) -> None:
    """Set what an environment says, an object or the name of a file, where it isn't set yet."""
    values: dict[str, str | None] = {}
    if isinstance(given, dict):
        values = {str(name): str(value) for name, value in given.items()}
    elif isinstance(given, str):
        from dotenv import dotenv_values

        values = dict(dotenv_values(folder / given))
    for name, value in values.items():
        if value is not None:
            os.environ.setdefault(name, value)
