from collections.abc import Mapping

import pytest

from convert_support.responses import Received
from webquarry_convert.fetched import Converted, Fetched, Foreign, Moved
from webquarry_convert.verdict import BlockPage

URL = "https://example.com/a/b"
SHELL = b'<title>App</title><div id="root"></div><script src="/app.js"></script>'
LOGIN = b'<title>Log in</title><form><input type="text"><input type="password"><button>Log in</button></form>'


def fetched(
    body: bytes,
    content_type: str = "text/html",
    url: str = URL,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    rendered: bool = False,
) -> Fetched:
    fields = {"content-type": content_type, **(headers or {})}
    return Fetched(Received(body, url, status, fields, rendered))


def converted(body: bytes, content_type: str = "text/html", *, rendered: bool = False) -> Converted:
    made = fetched(body, content_type, rendered=rendered).convert()
    assert isinstance(made, Converted)
    return made


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/c", "https://example.com/c"),
        ("0;URL='c?x=1'", "https://example.com/a/c?x=1"),
        ("3, https://example.org/", "https://example.org/"),
        ("0.5;url=/c", "https://example.com/c"),
    ],
)
def test_page_with_a_redirect_is_reported_as_moved(content: str, target: str) -> None:
    body = f'<head><meta http-equiv="Refresh" content="{content}"></head><p>Wait'.encode()
    assert fetched(body).convert() == Moved(target)


@pytest.mark.parametrize(
    "content", ["30; url=/c", "0", "0; url=/a/b", "0; url=#top", "0; url=javascript:x()", "0; url=", "x; url=/c"]
)
def test_page_without_a_redirect_is_converted(content: str) -> None:
    body = f'<meta http-equiv="refresh" content="{content}"><p>A page that stays where it is.'.encode()
    assert converted(body).page.word_count == 7


def test_data_is_fenced_as_code() -> None:
    assert converted(b'{"a": "```"}', "application/json").page.markdown == '```json\n{"a": "```"}\n```\n'


def test_fence_is_longer_than_those_inside() -> None:
    assert converted(b"<a>\n````\n</a>", "text/xml").page.markdown == "`````xml\n<a>\n````\n</a>\n`````\n"


def test_text_is_unchanged() -> None:
    page = converted(b"1 < 2 * 3\n\n# no title\n[x](y)", "text/plain").page
    assert (page.markdown, page.head.title, page.links) == ("1 < 2 * 3\n\n# no title\n[x](y)\n", None, ())


def test_markdown_gets_absolute_targets_and_lists_of_links() -> None:
    page = converted(b"# The *title*\n\n[x](y)", "text/markdown").page
    assert page.markdown == "# The *title*\n\n[x](https://example.com/a/y)\n"
    assert page.head.title == "The title"
    assert page.links[0].url == "https://example.com/a/y"


def test_document_is_recognized_and_not_converted() -> None:
    assert fetched(b"%PDF-1.7").convert() == Foreign("a PDF document")


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/json", ""])
def test_empty_body_has_no_text(content_type: str) -> None:
    assert converted(b"", content_type).page.markdown == ""


def test_static_shell_is_reported_and_rendered_page_is_not() -> None:
    assert converted(SHELL).shell is not None
    assert converted(SHELL, rendered=True).shell is None
    assert converted(b"<p>A page that stands for itself, as most do.").shell is None


def test_rendered_page_ignores_its_redirect() -> None:
    body = b'<meta http-equiv="refresh" content="0; url=/c"><p>A page that its browser has stayed on.'
    assert converted(body, rendered=True).page.word_count == 8


def test_rendered_page_is_a_page_for_any_content() -> None:
    assert "words" in converted(b"<p>" + b"\x01" * 3000 + b"words", rendered=True).page.markdown


def test_block_page_is_distinguished_from_content() -> None:
    block_page = fetched(LOGIN).block_page(URL)
    assert isinstance(block_page, BlockPage)
    assert block_page.kind == "login"
    assert fetched(b"<p>A page with words on it.").block_page(URL) is None


def test_shell_is_a_block_page_only_after_rendering() -> None:
    assert fetched(SHELL).block_page(URL) is None
    assert getattr(fetched(SHELL, rendered=True).block_page(URL), "kind", None) == "shell"


@pytest.mark.parametrize("content_type", ["text/plain", "application/json"])
def test_block_message_need_not_be_html(content_type: str) -> None:
    note = fetched(b'{"errors": [{"message": "Rate limit exceeded"}]}', content_type, status=429)
    assert getattr(note.block_page(URL), "kind", None) == "denied"


@pytest.mark.parametrize("content_type", ["text/plain", "application/json"])
def test_long_non_html_response_is_a_block_page_only_by_its_headers(content_type: str) -> None:
    body = b'{"message": "Rate limit exceeded", "data": "%s"}' % (b"0" * 2000)
    assert fetched(body, content_type).block_page(URL) is None
    guarded = fetched(body, content_type, status=403, headers={"cf-mitigated": "challenge"})
    assert getattr(guarded.block_page(URL), "vendor", None) == "Cloudflare"
