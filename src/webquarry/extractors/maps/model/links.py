"""URLs of places."""

from urllib.parse import parse_qs, urlsplit

from webquarry.core.urls import normalise_url
from webquarry.extractors.maps.model.map_ids import Cid

_REDIRECTS = ("/url", "/local_url")


def read_web_address(text: str | None) -> str | None:
    """Return an http or https URL, with the search engine's redirect removed, or None for any other text."""
    if not text:
        return None
    try:
        parts = urlsplit(text)
        is_redirect = parts.path in _REDIRECTS and (not parts.netloc or _is_google(parts.hostname or ""))
        query = parse_qs(parts.query, max_num_fields=50) if is_redirect else {}
        address = next((values[0] for name in ("q", "url") if (values := query.get(name))), text)
        normalise_url(address)
    except ValueError:
        return None
    return address


def map_address(cid: Cid) -> str:
    """Return the URL of the place on Google Maps."""
    return f"https://www.google.com/maps?cid={cid}"


def _is_google(host: str) -> bool:
    return host.startswith("www.google.") or host == "google.com"
