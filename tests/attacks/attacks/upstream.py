"""Sites whose responses never end."""

from collections.abc import Callable, Iterator, Mapping

from attacks.attack import CLEAR, Answers, Attack
from attacks.markup import html
from webquarry.doctor.responses import Delays, Drips, Repeats, Response, Sends, answer, lead_to, write_head

_HTML = "Content-Type: text/html; charset=utf-8"
_REFUSED = frozenset({"provider_error", "conversion_failed"})


def _lead_to(to: str) -> Response:
    return lead_to(to)


def _refresh_to(to: str) -> Response:
    return Sends(answer(f'<meta http-equiv="refresh" content="0;url={to}">'.encode(), _HTML), then="keep")


_SAYS: dict[str, tuple[str, Callable[[], Mapping[str, Response]]]] = {
    "interim answers without end": (
        "The site says again and again that it goes on.",
        lambda: {"/": Drips(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 50, 0.001)},
    ),
    "interim answers at once": (
        "Tens of megabytes say that it goes on.",
        lambda: {"/": Repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 64)},
    ),
    "head without end": ("A head has no end.", lambda: {"/": Repeats(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n", 64)}),
    "field without end": ("A field has no end.", lambda: {"/": Repeats(b"HTTP/1.1 200 OK\r\nX-A: ", b"a" * 64, 64)}),
    "head, drop by drop": (
        "A head comes drop by drop.",
        lambda: {"/": Drips(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n", 0.05)},
    ),
    "body, drop by drop": ("A page comes drop by drop.", lambda: {"/": Drips(write_head(_HTML) + html(), b"a", 0.02)}),
    "body in chunks of one": (
        "A page of 9 MB comes in chunks of one byte.",
        lambda: {"/": Repeats(write_head(_HTML, "Transfer-Encoding: chunked"), b"1\r\na\r\n", 56, b"0\r\n\r\n")},
    ),
    "body without end": ("A page has no end.", lambda: {"/": Repeats(write_head(_HTML), b"<p>Some words.</p>", 64)}),
    "silence": ("The site takes a request and is silent.", lambda: {"/": Sends(b"", then="hang")}),
    "silence in a body": (
        "The site is silent within a page.",
        lambda: {"/": Sends(write_head(_HTML, "Content-Length: 99999") + html(), then="hang")},
    ),
    "late": (
        "A large page comes at the last moment.",
        lambda: {"/": Delays(50.0, Sends(answer(html("<p>a" * 2_000_000), _HTML)))},
    ),
    "pages that lead on": (
        "Each page redirects to the next with an element.",
        lambda: {"/": _refresh_to("/a")} | {f"/{'a' * at}": _refresh_to(f"/{'a' * (at + 1)}") for at in range(1, 30)},
    ),
    "addresses that lead on": (
        "Each URL redirects to a longer one.",
        lambda: {"/": _lead_to("/a")} | {f"/{'a' * at}": _lead_to(f"/{'a' * (at + 1)}") for at in range(1, 30)},
    ),
    "head of cookies": (
        "A page sets a thousand cookies.",
        lambda: {"/": Sends(answer(html(), _HTML, *(f"Set-Cookie: a{at}=b" for at in range(1000))), then="keep")},
    ),
}
_ANY = frozenset({"interim answers at once", "head of cookies", "late"})


def attacks() -> Iterator[Attack]:
    for what, (tries, make_responses) in _SAYS.items():
        holds = CLEAR if what in _ANY else _REFUSED
        yield Attack(f"upstream: {what}", tries, Answers(make_responses), aim="late", holds=holds)
