"""Redirect addresses: which a client may register, and whether a request names one of them."""

import re
from collections.abc import Sequence
from urllib.parse import SplitResult, urlencode, urlsplit

MAX_CHARACTERS = 2000
LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
APP_SCHEMES = frozenset(
    {
        *("claude", "claude-desktop", "cursor", "goose", "jetbrains", "kiro", "lmstudio", "raycast", "trae", "vscode"),
        *("vscode-insiders", "vscodium", "warp", "windsurf", "windsurf-next", "zed"),
    }
)
"""Schemes of known apps beside those that contain a dot (RFC 8252 section 7.1), which name who owns them. A list of
those that are dangerous would never be whole."""
_TEXT = re.compile(r"[!#-;=?-\[\]_a-z~]+")
"""What a URI consists of (RFC 3986)."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,60}")
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]")


def find_fault(uri: str) -> str | None:
    """Why a client may not register this address, in a few words; None when it may."""
    if len(uri) > MAX_CHARACTERS or not _TEXT.fullmatch(uri):
        return f"must be a URI of at most {MAX_CHARACTERS} ASCII characters"
    parts = _split(uri)
    if parts is None:
        return "must be an absolute URI"
    if "#" in uri:
        return "must not have a fragment"
    if "@" in parts.netloc:
        return "must not have a user name"
    if parts.scheme == "https":
        return None if parts.hostname else "must have a host"
    if parts.scheme == "http":
        return None if is_loopback(parts) else "may use http only on 127.0.0.1, [::1] and localhost"
    if parts.scheme in APP_SCHEMES or "." in parts.scheme:
        return None
    return "must use https, http on loopback, or an app's own scheme that contains a dot"


def match(uri: str, registered: Sequence[str]) -> bool:
    """Whether the address is a registered one: letter by letter, on loopback with any port (RFC 8252 section 7.3)."""
    if uri in registered:
        return True
    if find_fault(uri) is not None:
        return False
    without_port = _drop_loopback_port(uri)
    return without_port is not None and any(without_port == _drop_loopback_port(each) for each in registered)


def form_target(uri: str) -> str:
    """What a page's policy calls the place that the address leads to: its origin, or its scheme, since a policy knows
    neither hosts of an app's own scheme nor addresses of IPv6."""
    parts = urlsplit(uri)
    has_origin = parts.scheme in ("http", "https") and "[" not in parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if has_origin else f"{parts.scheme}:"


def describe(uri: str) -> str:
    """Where the address leads, for people."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https"):
        return f"the app on this device that opens {parts.scheme}: links"
    return "a program on this device" if is_loopback(parts) else parts.netloc


def add_query(uri: str, **values: str) -> str:
    """The address with these parameters behind its own."""
    return f"{uri}{'&' if '?' in uri else '?'}{urlencode(values)}"


def is_loopback(parts: SplitResult) -> bool:
    return _host_of(parts) in LOOPBACK


def _host_of(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return f"[{host}]" if ":" in host else host


def _drop_loopback_port(uri: str) -> tuple[str, str, str] | None:
    """(host, path, query) of an address on loopback; None of others."""
    parts = _split(uri)
    if parts is None or parts.scheme != "http" or not is_loopback(parts):
        return None
    return _host_of(parts), parts.path or "/", parts.query


def _split(uri: str) -> SplitResult | None:
    """The parts of an absolute URI whose host, where it has one, is a plain name or address."""
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    if not _SCHEME.fullmatch(parts.scheme) or not (parts.netloc or parts.path):
        return None
    if parts.scheme in ("http", "https") and not _HOST.fullmatch(_host_of(parts)):
        return None
    return parts
