"""A `langgraph.json`: what of it is honoured, and a word about what isn't. Nothing in it is ignored in silence."""

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from madang.errors import ConfigurationError
from madang.runtime.loading import load_object, search_in, set_environment

# What is said of the image that LangGraph builds, and of editors: nothing of it concerns a server that runs.
OF_IMAGES = frozenset(
    {"$schema", "python_version", "node_version", "image_distro", "base_image", "dockerfile_lines", "api_version"}
    | {"pip_config_file", "pip_installer", "keep_pkg_tools"}
)
KNOWN: dict[str, frozenset[str]] = {
    "": OF_IMAGES | {"graphs", "dependencies", "env", "auth", "http", "store", "checkpointer", "priority"},
    "auth": frozenset({"path", "openapi"}),
    "http": frozenset({"app"}),
    "priority": frozenset({"path"}),
    "store": frozenset({"index", "ttl"}),
    "store.index": frozenset({"embed", "dims", "fields"}),
    "store.ttl": frozenset({"refresh_on_read", "default_ttl", "sweep_interval_minutes"}),
    "checkpointer": frozenset({"ttl", "serde"}),
    "checkpointer.ttl": frozenset({"strategy", "default_ttl", "sweep_interval_minutes"}),
    "checkpointer.serde": frozenset({"allowed_msgpack_modules"}),
}


@dataclass(frozen=True)
class Project:
    """What a `langgraph.json` names: graphs, and how they are served. `thread_ttl` is in minutes."""

    graphs: Mapping[str, Any]
    descriptions: Mapping[str, str] = field(default_factory=dict)
    auth: Any = None
    http_app: Any = None
    store_index: Any = None
    store_ttl: Any = None
    thread_ttl: Mapping[str, Any] | None = None
    assign_priority: Any = None
    allowed: tuple[tuple[str, ...], ...] = ()


def load_project(path: Path) -> Project:
    """The project; its environment is set where it isn't yet. Raises `ConfigurationError`, naming what isn't taken."""
    given = _read(path)
    folder = path.resolve().parent
    set_environment(given.get("env"), folder)
    for dependency in given.get("dependencies") or ():
        if isinstance(dependency, str) and dependency.startswith(".") and (folder / dependency).is_dir():
            search_in((folder / dependency).resolve())
    graphs = given["graphs"]
    store, checkpointer = _part(given, "store"), _part(given, "checkpointer")
    return Project(
        graphs={str(name): load_object(_place(name, where, folder)) for name, where in graphs.items()},
        descriptions={
            str(name): str(where["description"])
            for name, where in graphs.items()
            if isinstance(where, Mapping) and where.get("description")
        },
        auth=_auth(_part(given, "auth"), folder),
        http_app=_object("http.app", _part(given, "http").get("app"), folder),
        store_index=_index(_part(store, "index", "store.index"), folder),
        store_ttl=_part(store, "ttl", "store.ttl") or None,
        thread_ttl=_thread_ttl(_part(checkpointer, "ttl", "checkpointer.ttl")),
        assign_priority=_assign_priority(_part(given, "priority"), folder),
        allowed=_allowed(_part(checkpointer, "serde", "checkpointer.serde")),
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"can't read {str(path)!r}: {error}") from error
    if not isinstance(given, dict) or not isinstance(given.get("graphs"), dict) or not given["graphs"]:
        raise ConfigurationError(f'{str(path)!r} names no graphs: "graphs" should be {{name: "./file.py:graph"}}')
    _check(given, "")
    return given


def _check(given: Mapping[str, Any], where: str) -> None:
    for key in sorted(set(given) - KNOWN[where]):
        named = f"{where}.{key}" if where else key
        raise ConfigurationError(f"langgraph.json: {named!r} is not offered; take it out, or serve without it")


def _part(given: Mapping[str, Any], name: str, where: str | None = None) -> Mapping[str, Any]:
    """An object in it, checked; empty if it isn't there."""
    part = given.get(name)
    if part is None:
        return {}
    if not isinstance(part, dict):
        raise ConfigurationError(f"langgraph.json: {where or name!r} should be an object")
    _check(part, where or name)
    return part


def _place(name: str, where: Any, folder: Path) -> str:
    place = where.get("path") if isinstance(where, dict) else where
    if not isinstance(place, str) or ":" not in place:
        raise ConfigurationError(f'graph {name!r}: {where!r} should be "./file.py:graph" or "module:graph"')
    for key in sorted(set(where) - {"path", "description"}) if isinstance(where, dict) else ():
        raise ConfigurationError(f"langgraph.json: 'graphs.{name}.{key}' is not offered")
    file, _, attribute = place.rpartition(":")
    return f"{folder / file}:{attribute}" if file.endswith(".py") else place


def _object(what: str, where: Any, folder: Path) -> Any:
    return None if where is None else load_object(_place(what, where, folder))


def _auth(given: Mapping[str, Any], folder: Path) -> Any:
    """LangGraph's `Auth`, of which who asks is taken; rules about resources are ours, by owner."""
    auth = _object("auth", given.get("path"), folder)
    if auth is None:
        return None
    if getattr(auth, "_authenticate_handler", None) is None:
        raise ConfigurationError("langgraph.json: auth.path names no Auth with an @auth.authenticate handler")
    if getattr(auth, "_handlers", None) or getattr(auth, "_global_handlers", None):
        raise ConfigurationError(
            "langgraph.json: @auth.on handlers are not offered: what is whose is decided by its owner"
        )
    return auth


def _assign_priority(given: Mapping[str, Any], folder: Path) -> Any:
    """The function behind LangGraph's `Priority`, which gives a thread its priority."""
    priority = _object("priority", given.get("path"), folder)
    assign = getattr(priority, "_assign_handler", None)
    if priority is not None and assign is None:
        raise ConfigurationError("langgraph.json: priority.path names no Priority with an @priority.assign handler")
    return assign


def _index(given: Mapping[str, Any], folder: Path) -> Any:
    if not given:
        return None
    embed = given.get("embed")
    if not isinstance(embed, str) or not isinstance(given.get("dims"), int):
        raise ConfigurationError("langgraph.json: store.index needs embed (a model, or file.py:function) and dims")
    found = _object("store.index.embed", embed, folder) if embed.partition(":")[0].endswith(".py") else embed
    return {**given, "embed": found}


def _thread_ttl(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    minutes = given.get("default_ttl")
    if minutes is None:
        return None
    strategy = given.get("strategy", "delete")
    if not isinstance(minutes, int | float) or minutes <= 0 or strategy not in ("delete", "keep_latest"):
        raise ConfigurationError(
            "langgraph.json: checkpointer.ttl needs default_ttl in minutes, strategy delete or keep_latest"
        )
    return {"ttl": float(minutes), "strategy": strategy}


def _allowed(given: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    for named in given.get("allowed_msgpack_modules") or ():
        try:
            module, name = named
            getattr(importlib.import_module(module), name)
            found.append((module, name))
        except (ImportError, AttributeError, ValueError, TypeError) as error:
            raise ConfigurationError(
                f"langgraph.json: checkpointer.serde: {named!r} can't be found: {error}"
            ) from error
    return tuple(found)
