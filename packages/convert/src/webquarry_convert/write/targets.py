"""Targets of links and images, as written in markdown.

Most URLs on a page have a simple form and are resolved by their first character. Only the others are parsed, which is
slower.
"""

import re
from urllib.parse import urldefrag, urljoin, urlsplit

MAX_ADDRESS = 4096
_READER_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
# Matches URLs that need neither parsing nor escaping. A segment that begins with a dot needs parsing, as does `&…;`,
# which is an entity.
_SIGN = r"[\w\-~!*'$,;:@%+=]"
_PATH = rf"(?:/(?:{_SIGN}[\w\-~!*'$,;:@%+=.]*)?)*"
_REST = r"(?:\?[\w\-~!*'$,:@%+=./?&]*)?(?:#[\w\-~!*'$,:@%+=./?&]*)?"
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?"
_WHOLE = re.compile(rf"https?://{_HOST}{_PATH}{_REST}")
_FROM_SCHEME = re.compile(rf"//{_HOST}{_PATH}{_REST}")
_FROM_HOST = re.compile(rf"/(?!/)(?:{_SIGN}[\w\-~!*'$,;:@%+=.]*)?{_PATH}{_REST}")
_FROM_FOLDER = re.compile(rf"[\w\-~][\w\-~%+=.]*{_PATH}{_REST}")
_FROM_PAGE = re.compile(r"#[\w\-~!*'$,:@%+=./?&]+")
_ESCAPED = {
    " ": "%20", "<": "%3C", ">": "%3E", "\\": "%5C", "`": "%60", "\n": "", "\r": "", "\t": "",
    **{chr(code): "" for code in [*range(0x20), 0x7F]},
}  # fmt: skip
_ESCAPES = str.maketrans(_ESCAPED)
_SPACES = re.compile(r"\s")
_ENTITY = re.compile(r"&(?=#?[0-9A-Za-z]+;)")
_PARENTHESES = str.maketrans({"(": "%28", ")": "%29"})


class Targets:
    """The targets on one page. Each is resolved only once. base: URL for resolving relative targets, or None."""

    def __init__(self, base: str | None) -> None:
        self._base = base
        self._page = self._host = self._folder = ""
        self._known: dict[str, str | None] = {}
        if base is not None:
            try:
                parts = urlsplit(base)
            except ValueError:
                self._base = None
            else:
                self._page = _escape_target(urldefrag(base).url)
                if parts.scheme in ("http", "https") and parts.netloc and _WHOLE.fullmatch(self._page):
                    self._host = f"{parts.scheme}://{parts.netloc}"
                    self._folder = self._page.partition("?")[0]
                    self._folder = self._folder[: self._folder.rindex("/") + 1] if parts.path else f"{self._host}/"

    def of(self, address: str | None) -> str | None:
        """Return the target for a URL as written on the page, or None if readers cannot follow it."""
        if not address:
            return None
        known = self._known
        if address in known:
            return known[address]
        target = known[address] = self._joined(address.strip())
        return target

    def is_page(self, target: str) -> bool:
        """Return whether a target is the page itself, regardless of its fragment."""
        return bool(self._page) and target.partition("#")[0] == self._page

    def find_fragment(self, address: str | None) -> str | None:
        """Return the fragment of a URL that refers to a position on the same page, or None for other URLs."""
        if not address or "#" not in address:
            return None
        if address[0] == "#":
            return address[1:]
        target = self.of(address)
        if target is not None and self._page and target.startswith(f"{self._page}#"):
            return target[len(self._page) + 1 :]
        return None

    def _joined(self, address: str) -> str | None:
        if not address or len(address) > MAX_ADDRESS:
            return None
        if _WHOLE.fullmatch(address):
            return address
        if self._host:
            if address[0] == "#" and _FROM_PAGE.fullmatch(address):
                return self._page + address
            if _FROM_SCHEME.fullmatch(address):
                return f"{self._host.partition(':')[0]}:{address}"
            if _FROM_HOST.fullmatch(address):
                return self._host + address
            if _FROM_FOLDER.fullmatch(address):
                return self._folder + address
        return self._parse_address(address)

    def _parse_address(self, address: str) -> str | None:
        try:
            joined = urljoin(self._base, address) if self._base else address
            parts = urlsplit(joined)
        except ValueError:
            return None
        scheme = parts.scheme.lower()
        if scheme and scheme not in _READER_SCHEMES:
            return None
        if scheme in ("http", "https") and not parts.netloc.strip(".:@"):
            return None
        return _escape_target(joined) or None


def _escape_target(address: str) -> str:
    """Return a URL as a link target, without white space and angle brackets, and with balanced parentheses."""
    address = _SPACES.sub("%20", address.strip()).translate(_ESCAPES)
    if "&" in address:
        address = _ENTITY.sub("&amp;", address)
    if ("(" in address or ")" in address) and not _has_pairs(address):
        address = address.translate(_PARENTHESES)
    return address


def _has_pairs(address: str) -> bool:
    depth = 0
    for sign in re.findall(r"[()]", address):
        depth += 1 if sign == "(" else -1
        if depth not in (0, 1):
            return False
    return depth == 0
