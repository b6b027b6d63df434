"""Account names as people paste them: with @, or as an address of the platform, with or without trailing parts."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, unquote

_ADDRESS: Final = re.compile(
    r"(?P<scheme>(?:https?:)?//)?(?P<host>[^/?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?.*", re.S
)
_MAX_FIELDS: Final = 50


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an address: host in lower case, path segments, and query."""

    host: str
    segments: tuple[str, ...]
    query: str

    def field(self, name: str) -> str | None:
        """Return the first value of a query field."""
        try:
            fields = parse_qs(self.query, max_num_fields=_MAX_FIELDS)
        except ValueError:  # the address has more query fields than any normal address
            return None
        return next(iter(fields.get(name, [])), None)


def find_address(text: str, *domains: str) -> Address | None:
    """Parse an address on one of the domains or their subdomains, with or without a scheme.

    Returns None for other text. Raises ValueError for an address of another site.
    """
    parts = _ADDRESS.fullmatch(text.strip())
    if parts is None:
        return None
    host = parts["host"].lower().removesuffix(":443").removesuffix(":80").rstrip(".")
    if not any(host == domain or host.endswith(f".{domain}") for domain in domains) or "@" in host:
        if parts["scheme"]:
            raise ValueError
        return None
    segments = tuple(segment for segment in map(unquote, parts["path"].split("/")) if segment)
    return Address(host, segments, parts["query"] or "")


def read_bare_handle(text: str) -> str:
    """Return a name without a leading @ or a trailing slash."""
    return text.strip().removeprefix("@").rstrip("/")
