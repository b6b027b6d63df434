"""Interface for rendering pages, used by `Net.render`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from webquarry.core.types import Deadline


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered page.

    `html` is the document after its scripts have run, with open shadow trees and same-origin frames included. `url` is
    its address after redirects by HTTP or scripts. `status` and `headers` (lower-case names) come from its response.
    `fetched_at` is the time in UTC when the HTML was taken. `requests` counts all the page's requests, including
    blocked ones. `wire_bytes` counts the bytes of the page and its subresources. `settled` is False if the HTML was
    taken at the deadline, before the page settled.
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
        """Return the page at a normalized URL after its scripts have run, before the deadline.

        `account` is the account for which the page is rendered. Raises ProviderError: unavailable (no browser, too many
        pages, or the browser ended), timeout, down, refused (not a page, or endless redirects) or changed. Raises
        UnsafeTarget if the page or the target of a redirect may not be visited, and ConversionFailed (limits) if the
        page is too large.
        """
        ...
