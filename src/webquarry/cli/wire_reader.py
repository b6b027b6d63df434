"""Running of a provider's reader on one recorded response."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from webquarry.cli.local import describe_failure
from webquarry.core import log
from webquarry.core.errors import InvalidParams, ServiceError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.endpoints.run import report_changes


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded response: its body, URL, Content-Type ("" if unknown) and time."""

    body: bytes = field(repr=False)
    url: str
    content_type: str
    fetched_at: datetime


def read_wire(
    name: str, provider: str, recording: Recording, query: Sequence[tuple[str, str]], *, markdown: bool
) -> bytes:
    """Parse a recorded response with the provider's reader.

    Return the data as JSON, or its markdown. Raises Failure.
    """
    log.set_up("warning")
    extractor = load().by_name[name]
    wire = Wire(
        body=recording.body,
        url=recording.url,
        requested_url=recording.url,
        status=200,
        headers={"content-type": recording.content_type} if recording.content_type else {},
        fetched_at=recording.fetched_at,
    )
    try:
        with report_changes(name, provider):
            result = find_reader(extractor, provider)(wire, parse(extractor.params, query))
            return extractor.render(result).encode() if markdown else result.model_dump_json(indent=2).encode()
    except ServiceError as error:
        raise describe_failure(error) from error


def find_reader(extractor: Extractor, provider: str) -> Callable[[Wire, Any], Result]:
    """Return the provider's reader. Raises InvalidParams if the endpoint's result needs several responses."""
    read = {source.provider.name: source.read for source in extractor.sources}.get(provider, extractor.read)
    if read is None:
        raise InvalidParams(f"{extractor.name} needs several responses. Use `webquarry get` with --sandbox.")
    return read
