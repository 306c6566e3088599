"""Read-only values: what an agent is handed can't be changed, at any depth."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from madang.errors import UndeclaredRead


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("this value is read-only: return what you write instead of changing what you read")


class FrozenDict(dict[str, Any]):
    """A dict that refuses changes; still a dict for JSON and for `isinstance`."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = clear = pop = popitem = setdefault = _refuse


class FrozenList(list[Any]):
    """A list that refuses changes; still a list for JSON and for `isinstance`."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse


def freeze(value: Any) -> Any:
    """A read-only copy of `value`, containers replaced at every depth."""
    if isinstance(value, dict):
        return FrozenDict({k: freeze(v) for k, v in value.items()})
    if isinstance(value, list):
        return FrozenList([freeze(v) for v in value])
    return value


def thaw(value: Any) -> Any:
    """Plain containers again: what an agent returns may hold parts of what it was handed."""
    if isinstance(value, dict):
        return {k: thaw(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [thaw(v) for v in value]
    return value


class View(Mapping[str, Any]):
    """The fields an agent declared to read, by name or as attributes.

    Anything else raises `UndeclaredRead`, naming the agent and the field. A declared field that the state does not
    hold yet reads as None.
    """

    __slots__ = ("_agent", "_values")

    def __init__(self, agent: str, values: Mapping[str, Any]) -> None:
        self._agent = agent
        self._values = {name: freeze(value) for name, value in values.items()}

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise UndeclaredRead(
                f"agent {self._agent!r} reads {name!r}, which it did not declare",
                agent=self._agent,
                field=name,
            ) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def get(self, name: str, default: Any = None) -> Any:
        value = self[name]
        return default if value is None else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
