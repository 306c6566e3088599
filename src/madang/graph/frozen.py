"""Read-only values: what an agent is handed can't be changed, at any depth."""

from typing import Any, NoReturn


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
