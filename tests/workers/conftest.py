import socket
from collections.abc import Iterator

import pytest


@pytest.fixture
def listening() -> Iterator[int]:
    """A port of this machine that accepts connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
