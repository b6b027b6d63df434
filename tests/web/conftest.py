"""Templates, which are compiled once for all sites that tests create."""

from collections.abc import Iterator
from functools import partial

import pytest
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket


class _Compiled(BytecodeCache):
    """Compiled templates by name and content."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if (code := self._kept.get((bucket.key, bucket.checksum))) is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webquarry.web.site.Environment", partial(Environment, bytecode_cache=_Compiled()))
        yield
