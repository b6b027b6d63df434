"""Redirects: determines the next request and the headers that it keeps."""

from urllib.parse import SplitResult, quote, urljoin, urlsplit

from webquarry.core.errors import ProviderError, UnsafeTarget
from webquarry.core.urls import DEFAULT_PORTS, normalise_url
from webquarry.net.transport import Request, Response

STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_HOPS = 10
_BECOMES_GET = frozenset({301, 302, 303})
_CROSSES_ORIGINS = frozenset({"user-agent", "accept", "accept-language", "content-type"})
"""Names of headers that are sent to other origins too. Any other header may be a credential, except the headers with
which a provider resembles a browser, which are public.
"""


def origin(url: str) -> str:
    """Return scheme, host and port of a normalized URL."""
    return origin_of(urlsplit(url))


def origin_of(parts: SplitResult) -> str:
    """Return scheme, host and port of a split URL."""
    return f"{parts.scheme}://{parts.netloc}"


def next_request(request: Request, response: Response, public_headers: frozenset[str]) -> Request:
    """Return the request that follows a redirect.

    `public_headers` are lower-case names of headers that are sent to other origins too, in addition to the common ones.
    Raises UnsafeTarget if the redirect leaves http(s), and ProviderError (refused) if the redirect has no target.
    """
    url = _target(request.url, response)
    headers = request.headers
    if origin(url) != origin(request.url):
        kept = _CROSSES_ORIGINS | public_headers
        headers = {name: value for name, value in headers.items() if name.lower() in kept}
    if request.method == "POST" and response.status in _BECOMES_GET:
        headers = {name: value for name, value in headers.items() if name.lower() != "content-type"}
        return Request("GET", url, headers)
    return Request(request.method, url, headers, request.body)


def _target(base: str, response: Response) -> str:
    host = urlsplit(base).hostname
    location = response.headers.get("location", "").strip()
    if not location:
        raise ProviderError(f"{host} redirects (status {response.status}) without a location.", reason="refused")
    try:
        joined = urljoin(base, _legal(location))
        scheme = urlsplit(joined).scheme
        if scheme not in DEFAULT_PORTS:
            raise UnsafeTarget
        return normalise_url(joined)
    except ValueError as exc:
        raise ProviderError(f"{host} redirects to an invalid URL.", reason="refused") from exc


def _legal(location: str) -> str:
    """Percent-encode spaces and bytes that are not UTF-8, as browsers do."""
    undecoded = "".join(c if not "\udc80" <= c <= "\udcff" else quote(bytes([ord(c) - 0xDC00])) for c in location)
    return undecoded.replace(" ", "%20")
