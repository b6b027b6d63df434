import pytest

from webquarry.convert.fetched import Converted, Moved, convert_fetched
from webquarry.errors import ConversionFailed

URL = "https://example.com/a/b"


def converted(body: bytes, content_type: str = "text/html", url: str = URL) -> Converted:
    made = convert_fetched(body, content_type, url)
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
def test_page_that_leads_elsewhere_has_moved(content: str, target: str) -> None:
    body = f'<head><meta http-equiv="Refresh" content="{content}"></head><p>Wait'.encode()
    assert convert_fetched(body, "text/html", URL) == Moved(target)


@pytest.mark.parametrize(
    "content", ["30; url=/c", "0", "0; url=/a/b", "0; url=#top", "0; url=javascript:x()", "0; url=", "x; url=/c"]
)
def test_page_that_stays_is_converted(content: str) -> None:
    body = f'<meta http-equiv="refresh" content="{content}"><p>A page that stays where it is.'.encode()
    assert converted(body).page.word_count == 7


def test_data_is_fenced_as_code() -> None:
    assert converted(b'{"a": "```"}', "application/json").page.markdown == '```json\n{"a": "```"}\n```\n'


def test_fence_is_longer_than_those_inside() -> None:
    assert converted(b"<a>\n````\n</a>", "text/xml").page.markdown == "`````xml\n<a>\n````\n</a>\n`````\n"


def test_text_stays_as_it_is() -> None:
    page = converted(b"1 < 2 * 3\n\n# no title\n[x](y)", "text/plain").page
    assert (page.markdown, page.title, page.links) == ("1 < 2 * 3\n\n# no title\n[x](y)\n", None, ())


def test_markdown_is_made_absolute_and_listed() -> None:
    page = converted(b"# The *title*\n\n[x](y)", "text/markdown").page
    assert page.markdown == "# The *title*\n\n[x](https://example.com/a/y)\n"
    assert page.title == "The title"
    assert page.links[0].url == "https://example.com/a/y"


def test_document_is_an_unsupported_type() -> None:
    with pytest.raises(ConversionFailed, match="PDF document") as caught:
        convert_fetched(b"%PDF-1.7", "text/html", URL)
    assert caught.value.reason == "unsupported_type"


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/json", ""])
def test_empty_body_has_no_text(content_type: str) -> None:
    assert converted(b"", content_type).page.markdown == ""
