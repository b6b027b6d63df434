"""Pages of other origins: kept out, unless the operator lets them in."""

from collections.abc import Iterator

import pytest

from support.client import Client, Reply, line_to
from support.sandbox import Sandbox, running_sandbox
from webquarry.registry import load
from webquarry.snippets import example_path

ORIGIN = "https://app.example"
TARGET = example_path(load().by_name["domain_registration"])
PREFLIGHT = (f"Origin: {ORIGIN}", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: authorization")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """A sandbox that the pages of one other origin may call."""
    with running_sandbox(tmp_path_factory.mktemp("opened"), cors_origins=ORIGIN) as sandbox:
        yield sandbox


def ask(sandbox: Sandbox, *fields: str, method: str = "GET") -> Reply:
    lines = [f"{method} {TARGET} HTTP/1.1", "Host: somewhere.example", "Connection: close", *fields, "", ""]
    with line_to(sandbox.url) as line:
        line.send("\r\n".join(lines).encode())
        reply = line.reply(to=method)
    assert reply is not None
    return reply


def test_other_origins_are_kept_out_by_default(client: Client) -> None:
    reply = client.ask(TARGET, f"Origin: {ORIGIN}")
    assert not [name for name in reply.headers if name.startswith("access-control-")]
    assert client.ask(TARGET, *PREFLIGHT, "Content-Length: 0", method="OPTIONS", key=None).status == 405


def test_a_page_of_an_origin_that_is_let_in_may_ask_and_read(opened: Sandbox) -> None:
    asked = ask(opened, *PREFLIGHT, method="OPTIONS")
    assert (asked.status, asked.headers["access-control-allow-origin"]) == (200, ORIGIN)
    assert "authorization" in asked.headers["access-control-allow-headers"].lower()
    reply = ask(opened, f"Origin: {ORIGIN}", f"x-api-key: {opened.key}")
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, ORIGIN)
    assert "access-control-allow-credentials" not in reply.headers
    shown = {name.strip().lower() for name in reply.headers["access-control-expose-headers"].split(",")}
    assert shown >= {
        name for name in reply.headers if name.startswith(("x-credits", "x-cache", "x-conv", "x-r", "ratelimit", "age"))
    }


def test_a_page_that_is_let_in_reads_errors_too(opened: Sandbox) -> None:
    reply = ask(opened, f"Origin: {ORIGIN}")
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (401, ORIGIN)


def test_other_pages_stay_kept_out(opened: Sandbox) -> None:
    reply = ask(opened, "Origin: https://evil.example", f"x-api-key: {opened.key}")
    assert "access-control-allow-origin" not in reply.headers
