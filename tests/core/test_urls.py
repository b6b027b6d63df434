import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.core.parsed_text import Url
from webquarry.core.types import Domain
from webquarry.core.urls import MAX_URL, normalise_url


@pytest.mark.parametrize(
    ("written", "one"),
    [
        ("HTTP://EXAMPLE.com:80/A?b=C#d", "http://example.com/A?b=C"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com:8443/x", "https://example.com:8443/x"),
        ("https://bücher.example/ä?ö=%C3%BC", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC"),
        ("https://example.com./", "https://example.com/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://①②⑦.0.0.1/", "http://127.0.0.1/"),
        ("http://[0:0:0:0:0:ffff:7f00:1]/", "http://[::ffff:7f00:1]/"),
        ("https://example.com/100%/%zz", "https://example.com/100%25/%25zz"),
        ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
    ],
)
def test_address_is_normalized(written: str, one: str) -> None:
    assert Url.parse(written) == one
    assert Url.parse(one) == one


@pytest.mark.parametrize(
    "text",
    [
        "example.com",
        "example.com:8080/x",
        "//example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:1",
        "data:text/html,x",
        "http://",
        "http:///x",
        "http://user:pass@example.com/",
        "http://example.com\\@evil.com/",
        "http://exa mple.com/",
        "http://example.com/\r\nX: y",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://example.com:port/",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://0x/",
        "http://-a.example/",
        f"http://{'a' * 64}.example/",
        f"http://example.com/{'a' * 4096}",
        f"http://example.com/{'é' * 1000}",
        f"http://example.com/?{'%' * 2000}",
    ],
)
def test_an_invalid_address_is_refused_with_a_sentence(text: str) -> None:
    if text == "http://0x/":  # browsers read it as 0.0.0.0, and the address rule refuses that
        assert normalise_url(text) == "http://0.0.0.0/"
        return
    with pytest.raises(ValueError, match=r"must|is not"):
        Url.parse(text)


def test_missing_scheme_gets_a_hint() -> None:
    with pytest.raises(ValueError, match=r"https://example\.com/x"):
        Url.parse("example.com/x")


@given(st.text(max_size=200))
def test_any_text_is_normalized_or_refused(text: str) -> None:
    for written in (text, f"http://{text}", f"https://example.com/{text}"):
        try:
            one = normalise_url(written)
        except ValueError:
            continue
        assert one.isascii()
        assert normalise_url(one) == one


@given(st.text(alphabet="aé%2 ?#/.:@[]", max_size=20), st.integers(1, MAX_URL))
def test_normalizing_a_normalized_address_changes_nothing(piece: str, times: int) -> None:
    try:
        one = normalise_url(f"https://example.com/{(piece * times)[:MAX_URL]}")
    except ValueError:
        return
    assert len(one) <= MAX_URL
    assert normalise_url(one) == one


@pytest.mark.parametrize(
    ("written", "host", "registrable", "suffix"),
    [
        ("example.com", "example.com", "example.com", "com"),
        ("https://www.bbc.co.uk/news?x", "www.bbc.co.uk", "bbc.co.uk", "co.uk"),
        ("WWW.Example.COM.", "www.example.com", "example.com", "com"),
        ("münchen.de", "xn--mnchen-3ya.de", "xn--mnchen-3ya.de", "de"),
        ("someone.github.io", "someone.github.io", "github.io", "io"),
        ("example.com:8080/path", "example.com", "example.com", "com"),
    ],
)
def test_domain_has_its_registrable_part(written: str, host: str, registrable: str, suffix: str) -> None:
    assert Domain.parse(written) == Domain(host, registrable, suffix)


@pytest.mark.parametrize(
    "text", ["not a domain", "localhost", "10.0.0.1", "[::1]", "co.uk", "com", "a_b.com", "http://"]
)
def test_an_invalid_domain_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        Domain.parse(text)
