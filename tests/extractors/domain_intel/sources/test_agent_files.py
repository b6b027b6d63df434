"""The rules that distinguish a file from other content that sites serve in its place."""

from datetime import UTC, datetime

import pytest

from webquarry.core.errors import ProviderError, UnsafeTarget
from webquarry.core.types import Domain, Wire
from webquarry.extractors.domain_intel.sources.agent_files import (
    Probe,
    Probes,
    find_page_fault,
    find_text_fault,
    find_twin,
    needs_control,
    read_block_page,
    read_head,
)

MARKDOWN = "text/markdown; charset=utf-8"
HTML = "text/html; charset=utf-8"
GUIDE = b"# Example\n\n> A shop.\n"


def wire(body: bytes, content_type: str = "text/plain", status: int = 200, **headers: str) -> Wire:
    url = "https://example.com/llms.txt"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Wire(
        body=body,
        url=url,
        requested_url=url,
        status=status,
        headers={"content-type": content_type} | named,
        fetched_at=datetime(2026, 11, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (GUIDE, "text/plain"),
        (GUIDE, MARKDOWN),
        (GUIDE, ""),
        (GUIDE, "application/octet-stream"),
        (GUIDE, HTML),
        (b"> A shop without a title.\n", HTML),
        (b"\n\n  # After blanks\n", HTML),
        (b"\xef\xbb\xbf# After a byte order mark\n", HTML),
        ("# Wide\n".encode("utf-16"), "text/plain"),
        (b"Plain words, no heading.\n", "text/plain"),
        (b"# Links\n\n<https://example.com/a>\n", "text/plain"),
        ("# Größen und Maße\n".encode("latin-1"), "text/plain"),
        (b"# " + "ü".encode() * 4096, "text/plain"),
        (b"# Tabs\tand a form feed\f\n", "text/plain"),
        (b"# Title\n" + b"word " * 200 + b"\n<html> is explained here\n", "text/plain"),
    ],
)
def test_text_of_any_media_type_is_a_file(body: bytes, content_type: str) -> None:
    assert find_text_fault(wire(body, content_type)) is None


def test_partial_content_is_a_file() -> None:
    assert find_text_fault(wire(GUIDE, status=206)) is None


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<!DOCTYPE html><html><body>Not found</body></html>", HTML),
        (b"<!doctype HTML>\n<title>App</title>", "text/plain"),
        (b"\n\n <HTML lang=en>", "text/plain"),
        (b"<head><title>x</title>", "text/markdown"),
        (b"<body>gone</body>", "text/plain"),
        (b"<script>location='/'</script>", "text/plain"),
        (b"<!-- build 7 --><!DOCTYPE html><html>", "text/plain"),
        (b"\xef\xbb\xbf<!doctype html>", "text/plain"),
        ("<!doctype html>".encode("utf-16"), "text/plain"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xhtml+xml"),
        (b"Sorry, nothing here.", HTML),
        (b"<p>Sorry</p>", HTML),
        (b"# Title\n<div id=app></div>", HTML),
    ],
)
def test_an_html_page_is_not_a_file(body: bytes, content_type: str) -> None:
    assert find_text_fault(wire(body, content_type)) == "html_page"


@pytest.mark.parametrize("body", [b"", b"  \r\n\t ", b"\xef\xbb\xbf", "\u00a0\n".encode()])
def test_a_blank_body_is_not_a_file(body: bytes) -> None:
    assert find_text_fault(wire(body)) == "empty"


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"# Title\n\0",
        b"\x1f\x8b\x08\x08\x01\x02\x03\x04\x05",
        bytes(range(1, 32)) * 20,
    ],
)
def test_binary_data_is_not_text(body: bytes) -> None:
    assert find_text_fault(wire(body)) == "not_text"


@pytest.mark.parametrize("status", [201, 204, 301, 304, 400, 404, 410, 451])
def test_an_error_status_is_not_a_file(status: int) -> None:
    assert find_page_fault(wire(GUIDE, status=status)) == "http_status"


def test_a_page_served_at_every_url_is_not_a_file() -> None:
    assert find_text_fault(wire(b"OK"), catch_all=b"OK") == "catch_all"
    assert find_text_fault(wire(GUIDE), catch_all=b"OK") is None


@pytest.mark.parametrize(
    "answer",
    [
        wire(b"", status=401),
        wire(b"AccessDenied", status=403),
        wire(b"", status=429),
        wire(b"<title>Just a moment...</title>", HTML, 503),
        wire(b"<form id='challenge-form'>", HTML, 503),
        wire(b"", status=503, cf_mitigated="challenge"),
        wire(b"", status=202, x_amzn_waf_action="challenge"),
    ],
)
def test_a_block_page_is_blocked(answer: Wire) -> None:
    failure = read_block_page(answer)
    assert failure is not None
    assert failure.reason == "blocked"


@pytest.mark.parametrize("status", [500, 502, 503, 504, 521])
def test_a_server_error_is_refused(status: int) -> None:
    failure = read_block_page(wire(b"<h1>Service Unavailable</h1>", HTML, status))
    assert failure is not None
    assert failure.reason == "refused"


@pytest.mark.parametrize("status", [200, 206, 301, 400, 404, 410])
def test_other_responses_are_not_block_pages(status: int) -> None:
    assert read_block_page(wire(b"About captcha", status=status)) is None


def test_head_accepts_a_character_cut_in_half() -> None:
    assert set(read_head("é".encode() * 5000 + b"x")) == {"é"}
    assert set(read_head(b" \n" * 9000 + b"a" + "é".encode() * 5000)) == {"a", "é"}


@pytest.mark.parametrize(
    ("host", "twin"),
    [
        ("example.com", "www.example.com"),
        ("www.example.com", "example.com"),
        ("shop.example.co.uk", "www.shop.example.co.uk"),
        ("www.com", "www.www.com"),
    ],
)
def test_twin_differs_by_www(host: str, twin: str) -> None:
    assert find_twin(Domain.parse(host)) == twin


def probes(llms_txt: Wire | None, agents_md: Wire | None, ucp: Wire | None = None) -> Probes:
    def probe(answer: Wire | None) -> Probe:
        if answer is None:
            return Probe("https://example.com/x", failure=ProviderError("It did not answer.", reason="timeout"))
        return Probe("https://example.com/x", answer, read_block_page(answer))

    return Probes(probe(llms_txt), probe(agents_md), probe(ucp))


@pytest.mark.parametrize("other", [wire(b"", status=404), wire(b"<html>", HTML), wire(b"# Other\n")])
def test_two_different_answers_need_no_control(other: Wire) -> None:
    assert not needs_control(probes(wire(GUIDE), other))
    assert not needs_control(probes(other, wire(GUIDE)))


@pytest.mark.parametrize("other", [wire(GUIDE), wire(b"", status=403), wire(b"", status=500), None])
def test_one_answer_needs_a_control(other: Wire | None) -> None:
    assert needs_control(probes(wire(GUIDE), other))
    assert needs_control(probes(other, wire(GUIDE)))


def test_absence_needs_no_control() -> None:
    page = wire(b"<!doctype html>", HTML)
    assert not needs_control(probes(page, page))
    assert not needs_control(probes(None, None))


def test_most_serious_failure_is_reported() -> None:
    block_page, fault = wire(b"", status=403), wire(b"", status=500)
    assert probes(wire(b"", status=404), None).failure is None
    assert [
        failure.reason
        for found in (probes(None, block_page, fault), probes(None, fault), probes(None, None))
        if (failure := found.failure)
    ] == ["blocked", "refused", "timeout"]


def test_unsafe_target_is_reported_if_nothing_else_is_known() -> None:
    unsafe = Probe("https://example.com/x", failure=UnsafeTarget())
    assert isinstance(Probes(unsafe, unsafe, unsafe).failure, UnsafeTarget)
