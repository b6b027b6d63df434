"""URLs from untrusted input, normalized.

`normalise_url` and `host_of` accept the forms that a browser accepts, refuse confusing forms, and return the spelling
used for dialing, caching and display: lower-case A-label host, canonical IP literals, no default port, no fragment,
valid percent-encoding.
"""

import ipaddress
import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, urlsplit

import idna

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_URL = 4096
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"[^/?#.]*+\.[^/?#]*:\d")
"""Host and port that look like a URL with a scheme: `example.com:80`."""
_HOST_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_PATH_SAFE = "%/:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?[]"
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def _split_valid(text: str) -> tuple[SplitResult, int | None]:
    """Return the parts of a URL and its port. Raises ValueError as `normalise_url` does, except for an invalid host."""
    if len(text) > MAX_URL:
        raise ValueError(f"must have at most {MAX_URL} characters")
    if not _SCHEME.match(text) or _HOST_AND_PORT.match(text):
        raise ValueError(f"must start with http:// or https://{_suggest(text)}")
    if _FORBIDDEN.search(text):
        raise ValueError("must not contain spaces, backslashes or control characters; percent-encode them")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as exc:
        raise ValueError("is not a valid URL") from exc
    if parts.scheme.lower() not in DEFAULT_PORTS:
        raise ValueError(f"must be an http or https URL, not {parts.scheme.lower()}:")
    if "@" in parts.netloc:
        raise ValueError("must not contain credentials, because only public pages are fetched")
    if port == 0:
        raise ValueError("must not use port 0")
    return parts, port


def normalise_url(text: str) -> str:
    """Return the normalized spelling of an http or https URL.

    Raises ValueError with a readable sentence if it is invalid: no scheme, another scheme, no host, credentials, spaces
    or control characters, an invalid port, or more than 4,096 characters before or after normalization.
    """
    parts, port = _split_valid(text)
    scheme = parts.scheme.lower()
    host = normalise_host(parts.hostname or "")
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != DEFAULT_PORTS[scheme]:
        netloc += f":{port}"
    path = quote(parts.path, safe=_PATH_SAFE) or "/"
    query = f"?{quote(parts.query, safe=_QUERY_SAFE)}" if parts.query else ""
    url = _BARE_PERCENT.sub("%25", f"{scheme}://{netloc}{path}{query}")
    if len(url) > MAX_URL:
        raise ValueError(f"must have at most {MAX_URL} characters once percent-encoded")
    return url


@lru_cache(maxsize=1024)
def normalise_host(host: str) -> str:
    """Return the lower-case A-label form of a name, or the canonical literal of an address in any spelling.

    Hosts are read as browsers do: if the last label is a number, it is an IPv4 address (`0x7f.1`, `2130706433`). Raises
    ValueError if it is neither a name nor an address.
    """
    if not host:
        raise ValueError("must have a host")
    if ":" in host:
        if "%" in host:
            raise ValueError("must not contain an IPv6 zone")
        try:
            return ipaddress.IPv6Address(host).compressed
        except ValueError as exc:
            raise ValueError("must have a valid host") from exc
    name = _ascii(host).rstrip(".")
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    if len(name) > 253 or not all(_HOST_LABEL.fullmatch(label) for label in labels):
        raise ValueError("must have a valid host")
    return name


def host_of(text: str) -> str:
    """Return the host of a bare domain or a full URL. Raises ValueError if the text contains no host."""
    if "//" in text or _SCHEME.match(text):
        address = text if _SCHEME.match(text) and "//" in text else f"https://{text.lstrip('/')}"
        return urlsplit(normalise_url(address)).hostname or ""
    return urlsplit(normalise_url(f"https://{text}")).hostname or ""


def is_address(host: str) -> bool:
    """Return True for an IP literal in canonical form."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _suggest(text: str) -> str:
    """Return the end of an error sentence that suggests a URL for a text without a scheme, or "".

    Numbers give "", although parsers accept them as addresses (`1.5` for 1.0.0.5).
    """
    bare = text.lstrip("/:")
    try:
        host = urlsplit(normalise_url(f"https://{bare}")).hostname or ""
    except ValueError:
        return ""
    is_meant = bare.startswith((host, f"[{host}]")) if is_address(host) else "." in host
    return f", for example https://{bare[:60]}" if is_meant else ""


def _ascii(host: str) -> str:
    if host.isascii():
        return host.lower()
    try:
        return idna.encode(host, uts46=True, transitional=False).decode("ascii")
    except idna.IDNAError as exc:
        raise ValueError("must have a valid host") from exc


def _ipv4(labels: list[str]) -> str:
    """Parse one to four decimal, octal or hexadecimal numbers as an IPv4 address, according to WHATWG."""
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) for label in labels):
        raise ValueError("must have a valid host")
    try:
        numbers = [_number(label) for label in labels]
    except ValueError as exc:
        raise ValueError("must have a valid host") from exc
    *head, last = numbers
    if any(n > 255 for n in head) or last >= 256 ** (5 - len(numbers)):
        raise ValueError("must have a valid host")
    value = last + sum(n << (8 * (3 - i)) for i, n in enumerate(head))
    return str(ipaddress.IPv4Address(value))


def _number(label: str) -> int:
    if label[:2] in ("0x", "0X"):
        return int(label[2:] or "0", 16)
    return int(label, 8) if len(label) > 1 and label[0] == "0" else int(label)
