"""Large responses of sources, which a child reads exactly like this process."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from support.made import MadeParams, MadeResult
from webquarry.core.clock import SystemClock
from webquarry.core.errors import Absent, ConversionFailed, EmptyResult, ProviderError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Provider, Wire
from webquarry.endpoints.declare import name_of
from webquarry.endpoints.reading import Readers
from webquarry.endpoints.registry import load
from webquarry.net import Door
from webquarry.net.player import Player
from webquarry.read import at, counting
from webquarry.workers.limits import Limits
from webquarry.workers.workers import Workers

pytestmark = pytest.mark.asyncio(loop_scope="module")
CLOCK = SystemClock()
PROVIDER = Provider(name="made", title="Made")
MOMENT = datetime(2026, 11, 1, 12, tzinfo=UTC)


class Unwell(ProviderError):
    """A reader's own kind of error, created from other values."""

    def __init__(self, degrees: int) -> None:
        super().__init__(f"It has {degrees} degrees.", reason="blocked", retry_after_s=7.5)


def reader(wire: Wire, params: MadeParams) -> MadeResult:
    """Behave as the key specifies."""
    at(wire, "a.b", int)
    match params.key:
        case "absent":
            raise Absent("It is not there.")
        case "empty":
            raise EmptyResult("It is empty.")
        case "own":
            raise Unwell(40)
        case "invalid":
            return MadeResult.model_validate({"key": 3})
        case "endless":
            while True:
                pass
    return MadeResult(key=f"{params.key} {len(wire.body)} {wire.fetched_at:%Y} {wire.headers['x-a']}")


def wire(size: int = 100_000) -> Wire:
    return Wire(b'{"c": 1}' + b" " * size, "https://a.example/", "https://a.example/", 200, {"x-a": "\udcff"}, MOMENT)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def workers() -> AsyncIterator[Workers]:
    made = Workers(CLOCK, ("webquarry.endpoints.reading",), size=1, queue=100)
    yield made
    await made.close()


@pytest.fixture(scope="module")
def read(workers: Workers) -> Callable[..., Any]:
    door = Door(Settings(), CLOCK, Player([]), reading=Readers(workers))

    async def asked(key: str) -> MadeResult:
        made = door.net(PROVIDER, Deadline.after(180, CLOCK))
        return await made.read(reader, wire(), MadeParams(key=key))

    return asked


async def test_result_and_losses_are_returned(read: Callable[..., Any]) -> None:
    with counting() as losses:
        assert await read("a") == MadeResult(key="a 100008 2026 ?")
    assert losses == {"a.b": 1}


@pytest.mark.parametrize(
    ("key", "kind", "message", "reason", "wait_s"),
    [
        ("absent", Absent, "It is not there.", None, None),
        ("empty", EmptyResult, "It is empty.", None, None),
        ("own", Unwell, "It has 40 degrees.", "blocked", 7.5),
        ("invalid", ProviderError, "The provider's response has changed its format.", "changed", None),
    ],
)
async def test_errors_are_returned_unchanged(
    read: Callable[..., Any], key: str, kind: type[Exception], message: str, reason: str | None, wait_s: float | None
) -> None:
    with pytest.raises(kind) as caught:
        await read(key)
    error: Any = caught.value
    assert (type(error), str(error), error.message, error.reason) == (kind, message, message, reason)
    assert getattr(error, "retry_after_s", None) == wait_s
    if isinstance(error, ProviderError):  # raised as if all sources had failed
        assert error.with_message("In other words.").reason == reason


async def test_endless_reader_is_ended() -> None:
    workers = Workers(CLOCK, quick=Limits(cpu_s=1), size=1, spares=0)
    door = Door(Settings(), CLOCK, Player([]), reading=Readers(workers))
    try:
        with pytest.raises(ConversionFailed) as caught:
            await door.net(PROVIDER, Deadline.after(180, CLOCK)).read(reader, wire(), MadeParams(key="endless"))
    finally:
        await workers.close()
    assert caught.value.reason == "limits"


async def test_refused_result_names_its_fields_in_the_log(read: Callable[..., Any]) -> None:
    with capture_logs() as caught, pytest.raises(ProviderError):
        await read("invalid")
    assert [row["faults"] for row in caught if row["event"] == "result.invalid"] == [["MadeResult.key: string_type"]]


async def test_small_wires_are_read_in_place() -> None:
    async def never(
        reader: Callable[..., Any], wire: Wire, params: tuple[Any, ...], deadline: Deadline, account: str
    ) -> Any:
        raise AssertionError

    door = Door(Settings(), CLOCK, Player([]), reading=never)
    made = door.net(PROVIDER, Deadline.after(60, CLOCK))
    assert (await made.read(reader, wire(100), MadeParams(key="a"))).key.startswith("a 108")


async def test_readers_and_renderers_can_be_named() -> None:
    for extractor in load():
        for source in extractor.sources:
            if source.fetch is not None:
                assert name_of(source.read)
        assert name_of(extractor.render)


async def test_reader_that_another_process_cannot_import_is_refused() -> None:
    with pytest.raises(ValueError, match="must be a function in a module"):
        name_of(lambda _: None)
