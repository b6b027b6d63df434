import pytest

from webquarry.crawl.site import Site


@pytest.mark.parametrize(
    ("start", "address", "own", "with_subdomains"),
    [
        ("https://example.com/a", "http://www.example.com/b", True, True),
        ("https://www.example.com/a", "https://example.com/b", True, True),
        ("https://example.com/", "https://docs.example.com/", False, True),
        ("https://docs.example.com/", "https://shop.eu.example.com/", False, True),
        ("https://example.com/", "https://notexample.com/", False, False),
        ("https://example.com/", "https://example.com.evil.net/", False, False),
        ("https://shop.example.co.uk/", "https://other.co.uk/", False, False),
        ("https://example.com:8443/", "https://example.com/", False, True),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/a", True, True),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8081/a", False, False),
        ("http://[2001:db8::1]/", "http://[2001:db8::2]/", False, False),
        ("https://co.uk/", "https://example.co.uk/", False, False),
    ],
)
def test_site_includes_its_addresses(start: str, address: str, own: bool, with_subdomains: bool) -> None:
    assert Site.of([start]).has(address) == own
    assert Site.of([start], subdomains=True).has(address) == with_subdomains


def test_site_includes_the_host_that_it_redirects_to() -> None:
    site = Site.of(["https://example.com/", "https://example.org/home"])
    assert site.has("https://example.org/a")
    assert site.has("https://example.com/a")
