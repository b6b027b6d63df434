"""Servers that the tests of `webquarry get` share: a request to one takes a tenth of a local request's time."""

from collections.abc import Iterator

import pytest

from support.sandbox import Sandbox, running_sandbox


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with running_sandbox(tmp_path_factory.mktemp("sandbox")) as sandbox:
        yield sandbox
