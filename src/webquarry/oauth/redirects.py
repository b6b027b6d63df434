"""Redirect URIs: which URIs clients may register, and whether a request's URI is registered."""

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
"""Schemes of known apps, in addition to schemes with a dot (RFC 8252 section 7.1), which identify their owner.

A list of dangerous schemes could never be complete.
"""
_TEXT = re.compile(r"[!#-;=?-\[\]_a-z~]+")
"""Characters that a URI may contain (RFC 3986)."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,60}")
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]")


def find_fault(uri: str) -> str | None:
    """Return a few words on why a client may not register this URI, or None if it may."""
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
    """Return whether the URI is registered: exactly, or on loopback with any port (RFC 8252 section 7.3)."""
    if uri in registered:
        return True
    if find_fault(uri) is not None:
        return False
    without_port = _drop_loopback_port(uri)
    return without_port is not None and any(without_port == _drop_loopback_port(each) for each in registered)


def form_target(uri: str) -> str:
    """Return the URI's source expression for a Content Security Policy: its origin or its scheme.

    The scheme is returned for apps' schemes and for IPv6 addresses, because a policy cannot express their hosts.
    """
    parts = urlsplit(uri)
    has_origin = parts.scheme in ("http", "https") and "[" not in parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if has_origin else f"{parts.scheme}:"


def describe(uri: str) -> str:
    """Return a description of the URI's target for people."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https"):
        return f"the app on this device that opens {parts.scheme}: links"
    return "a program on this device" if is_loopback(parts) else parts.netloc


def add_query(uri: str, **values: str) -> str:
    """Return the URI with these parameters appended."""
    return f"{uri}{'&' if '?' in uri else '?'}{urlencode(values)}"


def is_loopback(parts: SplitResult) -> bool:
    return _host_of(parts) in LOOPBACK


def _host_of(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return f"[{host}]" if ":" in host else host


def _drop_loopback_port(uri: str) -> tuple[str, str, str] | None:
    """Return the (host, path, query) of a loopback URI, or None for any other URI."""
    parts = _split(uri)
    if parts is None or parts.scheme != "http" or not is_loopback(parts):
        return None
    return _host_of(parts), parts.path or "/", parts.query


def _split(uri: str) -> SplitResult | None:
    """Split an absolute URI. Return None if it is invalid or its host is not a plain name or address."""
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
