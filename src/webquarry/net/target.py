"""Rule for the hosts and ports that may be visited. It is checked before any name is resolved."""

from functools import lru_cache

from webquarry.core.errors import UnsafeTarget
from webquarry.core.settings import PREFIX, Settings, SettingsError
from webquarry.core.urls import is_address, normalise_host
from webquarry.net.address import is_public

USUAL_PORTS = frozenset({80, 443, 8080, 8443})
_LOCAL_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa")
"""Names that never belong to a public site (RFC 6761, RFC 8375)."""


class TargetRule:
    """Checks targets against `settings.egress_ports`. `settings.egress_allow` is the only way to add exceptions.

    Raises SettingsError if an entry of `egress_allow` is not `host:port`.
    """

    def __init__(self, settings: Settings) -> None:
        self._ports = USUAL_PORTS | frozenset(settings.egress_ports)
        self._opened = frozenset(_target(entry) for entry in settings.egress_allow)

    def is_opened(self, host: str, port: int) -> bool:
        """Return whether the operator allowed this target, judged by the host in the URL, whatever that host resolves
        to.
        """
        return (host, port) in self._opened

    def check(self, host: str, port: int) -> None:
        """Raise UnsafeTarget unless the normalized host may be looked up and dialed at this port."""
        if (host, port) in self._opened:
            return
        if port not in self._ports or not _may_be_public(host):
            raise UnsafeTarget


@lru_cache(maxsize=8192)
def _may_be_public(host: str) -> bool:
    """Return False for a private literal address or a local name. Other names are checked when they are dialed."""
    if is_address(host):
        return is_public(host)
    return not any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)


def _target(entry: str) -> tuple[str, int]:
    host, _, port = entry.rpartition(":")
    try:
        number = int(port)
        if not 0 < number < 65536:
            raise ValueError("no such port")
        return normalise_host(host.removeprefix("[").removesuffix("]")), number
    except ValueError as exc:
        raise SettingsError(f"{PREFIX}EGRESS_ALLOW: {entry!r} must have the form host:port") from exc
