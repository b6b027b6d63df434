"""Names of accounts as people paste them: with an @, as an address of the platform, with what follows it there."""

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
    """What an address of the platform says: its host, lower case, the segments of its path, and its query."""

    host: str
    segments: tuple[str, ...]
    query: str

    def field(self, name: str) -> str | None:
        """The first value of a field of the query."""
        try:
            fields = parse_qs(self.query, max_num_fields=_MAX_FIELDS)
        except ValueError:  # more fields than anybody's address has
            return None
        return next(iter(fields.get(name, [])), None)


def find_address(text: str, *domains: str) -> Address | None:
    """The address of one of the domains, or below it, that the text is, with a scheme or without; None for a text that
    is no address. ValueError for an address of another site."""
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
    """A name without the @ before it and the slash behind it."""
    return text.strip().removeprefix("@").rstrip("/")
