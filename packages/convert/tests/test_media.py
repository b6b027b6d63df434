import pytest

from convert_support.effort import effort
from webquarry_convert.media import Form, identify_media

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
ZIP = b"PK\x03\x04\x14\0\x06\0"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
HTML = b"<!DOCTYPE html><html><body>Hi"


@pytest.mark.parametrize(
    ("body", "declared", "path", "form"),
    [
        (HTML, "text/html", "/", "html"),
        (HTML, "", "/", "html"),
        (HTML, "application/octet-stream", "/", "html"),
        (b"  <!-- x --> <html>", "", "/", "html"),
        (HTML.decode().encode("utf-16"), "text/html", "/", "html"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xhtml+xml", "/", "html"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xml", "/", "html"),
        (b"BMW and other makers", "text/html", "/", "html"),
        (PDF, "text/html", "/", "other"),
        (PDF, "", "/x.html", "other"),
        (ZIP, "text/plain", "/", "other"),
        (PNG, "text/html", "/", "other"),
        (b"\0\1\2\3\4\5" * 50, "", "/", "other"),
        (b"GIF89a", "image/gif", "/", "other"),
        (b"....ftypavif", "", "/", "other"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "/", "other"),
        (b"# Title", "text/markdown", "/", "markdown"),
        (b"# Title", "text/plain", "/README.md", "markdown"),
        (b"# Title", "text/plain", "/notes", "text"),
        (b"a,b\n1,2", "text/csv", "/", "other"),
        (b"words", "", "/", "text"),
        (b"<?xml version='1.0'?><rss>", "application/rss+xml", "/", "code"),
        (b'{"a": 1}', "application/ld+json", "/", "code"),
        (b'{"a": 1}', "application/octet-stream", "/", "code"),
        (b"body{}", "text/css", "/", "code"),
    ],
)
def test_media_type_is_detected_from_the_bytes(body: bytes, declared: str, path: str, form: Form) -> None:
    assert identify_media(body, declared, path).form == form


def test_many_comments_before_a_text_take_little_time() -> None:
    assert effort(lambda: identify_media(b"<!---->" * 290 + b"x", "")) < 0.1
    assert identify_media(b"<!---->" * 100 + b"<p>x", "").form == "html"
