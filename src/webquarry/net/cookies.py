"""Cookies that a provider's site expects clients to send back. This process has one jar per provider."""

from collections.abc import Mapping, Sequence

from aiohttp import CookieJar
from yarl import URL

MAX_COOKIES = 200
"""Maximum number of cookies per jar. A jar that grows larger is emptied. No useful source sets this many cookies."""


class Jar:
    """A cookie jar that sends each cookie only to the site that set it (RFC 6265). Use it in an event loop."""

    def __init__(self) -> None:
        self._jar = CookieJar()

    def keep(self, url: str, lines: Sequence[str]) -> None:
        """Store cookies from the values of the `Set-Cookie` fields of a response from `url`."""
        if lines:
            self._jar.update_cookies_from_headers(lines, URL(url, encoded=True))
            if len(self._jar) > MAX_COOKIES:
                self._jar.clear()

    def of(self, url: str) -> dict[str, str]:
        """Return the cookies for a request to `url`, by name."""
        return {name: morsel.value for name, morsel in self._jar.filter_cookies(URL(url, encoded=True)).items()}

    def __len__(self) -> int:
        return len(self._jar)

    def clear(self) -> None:
        self._jar.clear()


def cookie_field(cookies: Mapping[str, str]) -> str:
    """Return the value of the `Cookie` field."""
    return "; ".join(f"{name}={value}" for name, value in cookies.items())
