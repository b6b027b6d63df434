"""The seam under `Net.render`: a page as a browser makes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from webquarry.core.types import Deadline


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as its reader would see it.

    html: the document once its scripts have run, with open shadow trees and frames of the same origin written out;
    url: its address, after redirects and those of scripts; status, headers (lower-case names): of the answer it was
    made from; fetched_at: when it was taken, UTC; requests: so many it asked for, those kept back included;
    wire_bytes: what it moved with all its parts; settled: whether it came to rest, or was taken as it stood when time
    was up.
    """

    html: str
    url: str
    status: int
    headers: Mapping[str, str]
    fetched_at: datetime
    requests: int
    wire_bytes: int
    settled: bool


class Renderer(Protocol):
    async def render(self, url: str, deadline: Deadline, account: str = "") -> Rendered:
        """The page at a normalised address, once its scripts have run, by the deadline. account: for whom.

        ProviderError: unavailable (no browser, too many pages, the browser ended), timeout, down, refused (not a page,
        endless redirects), changed; UnsafeTarget when the page itself, or one that it leads to, may not be visited;
        ConversionFailed (limits) when it is too large.
        """
        ...
