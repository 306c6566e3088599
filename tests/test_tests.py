"""The tests themselves: what they share lives in `tests/support`, and each can be read, moved and run alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(TESTS.rglob("*.py")):
        yield str(path.relative_to(TESTS)), ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_what_tests_share_lives_in_support() -> None:
    for name, tree in modules():
        for module in imported(tree):
            shared = module == "tests.support" or module.startswith("tests.support.")
            own = module.partition(".")[0] in ("", "tests", "conftest")
            assert shared or not own, f"{name} imports {module}: move what they share to tests/support"
            assert not module.rpartition(".")[2].startswith("test_"), f"{name} imports the test module {module}"


# Where there is no event to wait for.
POLLS = {
    "support/yard.py": "a gate that a test opens in the process of a server: files tell nobody that they are there",
    "support/cable.py": "a slow cable is slow",
    "e2e/test_page_haste.py": "Playwright runs a route's handler only while the page is waited for",
    "assistants/test_long_messages.py": "a beat of the event loop: it passes the turn on and waits for no time",
    "support/sdk_surface.py": "a client of the SDK is told of a cron's runs by asking for them",
    "runtime/test_hot_path.py": "Postgres tells nobody when it has counted what was read",
    "store/test_cutting_short.py": "Postgres tells nobody that a statement has begun to wait",
    "runtime/test_rehearsal.py": "a task in the background passes the turn on; nobody is told when it ends",
}


def test_nothing_sleeps() -> None:
    polling = set()
    for name, tree in modules():
        called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        if any(one.rpartition(".")[2] in ("sleep", "wait_for_timeout") for one in called):
            polling.add(name)
    assert polling == set(POLLS)
