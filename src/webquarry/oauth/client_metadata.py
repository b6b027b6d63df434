"""Fetcher for apps' metadata documents: guarded, limited in size and time, without retries."""

from collections.abc import Awaitable, Callable

from webquarry.core.clock import Clock
from webquarry.core.errors import ExtractionError, UnsafeTarget
from webquarry.core.types import Deadline, Politeness, Provider
from webquarry.net import Door
from webquarry.oauth import OAuthError
from webquarry.oauth.clients import DOCUMENT_BYTES

WITHIN_S = 5.0
APPS = Provider(
    name="client_documents",
    title="Metadata documents of apps that request access",
    politeness=Politeness(concurrency=2),
    callers_choose=True,
)


def make_fetcher(door: Door, clock: Clock) -> Callable[[str], Awaitable[bytes]]:
    """Return a function that fetches the document at a URL without following redirects.

    It raises OAuthError, without details of the response, if the fetch fails.
    """

    async def fetch(url: str) -> bytes:
        try:
            with door.net(APPS, Deadline.after(WITHIN_S, clock)) as net:
                wire = await net.get(
                    url,
                    accept="application/json",
                    absent_on=(),
                    max_wire_bytes=DOCUMENT_BYTES,
                    max_bytes=DOCUMENT_BYTES,
                    follow=False,
                )
        except (ExtractionError, UnsafeTarget) as exc:
            raise OAuthError("invalid_client", "The client's metadata document can't be fetched.") from exc
        return wire.body

    return fetch
