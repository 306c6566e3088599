"""What the page's tests with our own assistants share: they take long to load, so one server does for all of them."""

from collections.abc import Iterator

import pytest

from tests.support.served import served


@pytest.fixture(scope="session")
def assistants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with all of ours, on a fixed day."""
    with served(tmp_path_factory.mktemp("assistants"), None, MADANG_TODAY="2026-11-16") as found:
        yield found
