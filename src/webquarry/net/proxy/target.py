"""Target of a proxied request. Only the proxy parses it."""

import re
from dataclasses import dataclass

from webquarry.core.urls import normalise_host
from webquarry.net.message import Malformed, RequestHead

_AUTHORITY = r"(\[[0-9A-Fa-f:.]+\]|[^:/?#@\\\[\]]+)"
_ABSOLUTE = re.compile(rf"http://{_AUTHORITY}(?::([0-9]{{1,5}})?)?((?:[/?][^#\\]*)?)", re.IGNORECASE)
_TUNNEL = re.compile(rf"{_AUTHORITY}:([0-9]{{1,5}})")


@dataclass(frozen=True, slots=True)
class Target:
    """Host, port and path of a request.

    `host` is normalized. `path` includes the query, in its original spelling; it is empty for a tunnel.
    """

    host: str
    port: int
    path: str

    @classmethod
    def of(cls, request: RequestHead) -> "Target":
        """Parse the target of a request.

        Raises Malformed unless it is `CONNECT host:port` or an absolute http:// URL.
        """
        if request.method == "CONNECT":
            found = _TUNNEL.fullmatch(request.target)
            if found is None:
                raise Malformed("no host and port")
            return cls(_host(found[1]), _port(found[2]), "")
        found = _ABSOLUTE.fullmatch(request.target)
        if found is None:
            raise Malformed("not an absolute http URL, which a proxy requires")
        path = found[3] if found[3].startswith("/") else f"/{found[3]}"
        return cls(_host(found[1]), _port(found[2] or "80"), path)

    def is_same_site(self, other: "Target") -> bool:
        return (self.host, self.port) == (other.host, other.port)

    @property
    def authority(self) -> str:
        """The value of the `Host` field."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 80 else f"{host}:{self.port}"


def _host(text: str) -> str:
    try:
        return normalise_host(text.removeprefix("[").removesuffix("]"))
    except ValueError as exc:
        raise Malformed("no host") from exc


def _port(text: str) -> int:
    if not 0 < int(text) < 65536:
        raise Malformed("no port")
    return int(text)
