"""Untrusted heads, robots.txt files, cookies and heads of uploads: the run time grows linearly with their size."""

from collections.abc import Callable

import pytest
from python_multipart.multipart import parse_options_header

from convert_support.pumps import Pump, judge
from support.world import NOW
from webquarry.core.types import Wire
from webquarry.net import message, retry_after_s
from webquarry.net.cookies import Jar
from webquarry.net.robots import Rules

_UNITS = (
    *(
        '"',
        "\\",
        ";",
        " ",
        "=",
        "a",
        "a=b;",
        'a="',
        '"; a="',
        "; a",
        "*",
        "''",
        "%",
        ",",
        "\t",
        "-",
        "1",
        ": ",
        "[",
        "a:",
    ),
    *("; filename*=UTF-8''%", "#", "$", "\nAllow: /*a", "\nUser-agent: a", "Mon, ", "GMT ", "url=", "\n"),
)
_STARTS = ("", 'form-data; name="', "text/html; charset=", "a=b; path=", "User-agent: *\nDisallow: /")
URL = "http://a.example/"


def _of(value: str) -> Wire:
    return Wire(b"", URL, URL, 429, {"retry-after": value, "content-type": value}, NOW)


_READERS: dict[str, Callable[[str], object]] = {
    "options": lambda text: parse_options_header(text.encode()),
    "robots": lambda text: Rules.parse(text, "a").allows(URL + "a" * 500),
    "retry after": lambda text: retry_after_s(_of(text)),
    "media type": lambda text: _of(text).content_type,
    "head": lambda text: message.parse_answer(f"HTTP/1.1 200 OK\r\nA: {text}\r\n\r\n"),
}


def _assert_linear(name: str, read: Callable[[str], object]) -> None:
    def tried(text: str) -> None:
        try:
            read(text)
        except (ValueError, message.Malformed):  # refusal is a valid result
            return

    for pump in (Pump(start, unit, "x") for start in _STARTS for unit in _UNITS):

        def prepare(size: int, pump: Pump = pump) -> Callable[[], None]:
            text = pump.text(size)
            return lambda: tried(text)

        found = judge(prepare, f"{name}: {pump}", size=2_000, largest=16_000, longest_s=0.1)
        if found is not None:
            found = judge(prepare, found.pump, size=found.size, largest=4 * found.size)
        assert found is None


@pytest.mark.parametrize("name", _READERS)
def test_time_grows_linearly_with_a_field(name: str) -> None:
    _assert_linear(name, _READERS[name])


async def test_time_grows_linearly_with_a_cookie() -> None:
    jar = Jar()
    _assert_linear("cookie", lambda text: jar.keep(URL, [text]))
