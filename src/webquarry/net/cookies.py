"""Cookies that a provider's source wants to see again: one jar for each provider, in this process only."""

from collections.abc import Mapping, Sequence

from aiohttp import CookieJar
from yarl import URL

MAX_COOKIES = 200
"""In one jar. A source that sets more has its jar emptied: no source worth a visit does."""


class Jar:
    """By whom a cookie was set decides where it is sent (RFC 6265). Lives in an event loop."""

    def __init__(self) -> None:
        self._jar = CookieJar()

    def keep(self, url: str, lines: Sequence[str]) -> None:
        """The values of the `Set-Cookie` fields of an answer from `url`."""
        if lines:
            self._jar.update_cookies_from_headers(lines, URL(url, encoded=True))
            if len(self._jar) > MAX_COOKIES:
                self._jar.clear()

    def of(self, url: str) -> dict[str, str]:
        """What a request to `url` carries, by name."""
        return {name: morsel.value for name, morsel in self._jar.filter_cookies(URL(url, encoded=True)).items()}

    def __len__(self) -> int:
        return len(self._jar)

    def clear(self) -> None:
        self._jar.clear()


def cookie_field(cookies: Mapping[str, str]) -> str:
    """The value of `Cookie`."""
    return "; ".join(f"{name}={value}" for name, value in cookies.items())
