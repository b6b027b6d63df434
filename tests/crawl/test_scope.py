import pytest

from convert_support.effort import effort
from webquarry.crawl.files import is_page
from webquarry.crawl.globs import Glob
from webquarry.crawl.scope import Scope
from webquarry.crawl.site import Site


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/docs/*", "/docs/a/b", True),
        ("/docs/*", "/docs", False),
        ("/docs/*", "/en/docs/a", False),
        ("*/docs/*", "/en/docs/a", True),
        ("*.pdf", "/files/a.pdf", True),
        ("*.pdf", "/files/a.pdf?x=1", True),
        ("*.pdf", "/files/a.pdfx", False),
        ("/shop?page=*", "/shop?page=2", True),
        ("/shop?page=*", "/shop", False),
        ("/a*a", "/a", False),
        ("/a*b*c", "/a-c-b-c", True),
        ("/ä*", "/%C3%A4/x", True),
        ("*", "/", True),
        ("/", "/", True),
        ("/", "/a", False),
    ],
)
def test_glob_matches_path_and_query(pattern: str, path: str, matches: bool) -> None:
    assert Glob.parse(pattern).matches(f"https://example.com{path}") == matches


@pytest.mark.parametrize(
    "text", ["^/docs/.*$", "/docs/.*", "/a|b", r"/\d+", "docs/*", "", "/a b", "/(a)+", "/" + "a" * 600]
)
def test_regular_expression_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        Glob.parse(text)


def test_hostile_glob_takes_linear_time() -> None:
    glob = Glob.parse("/" + "*a" * 200 + "b")
    assert effort(lambda: [glob.matches("https://example.com/" + "a" * 4000) for _ in range(100)]) < 1


SCOPE = Scope(
    Site.of(["https://example.com/"]), depth=2, include=(Glob("/docs/*"), Glob("/blog*")), exclude=(Glob("*/draft/*"),)
)


@pytest.mark.parametrize(
    ("address", "depth", "reason"),
    [
        ("https://example.com/docs/a", 2, None),
        ("https://www.example.com/blog", 1, None),
        ("https://example.com/docs/a", 3, "depth"),
        ("https://example.org/docs/a", 1, "site"),
        ("https://example.com/docs/a.png", 1, "file"),
        ("https://example.com/docs/draft/a", 1, "excluded"),
        ("https://example.com/shop", 1, "not_included"),
    ],
)
def test_scope_judges_addresses(address: str, depth: int, reason: str | None) -> None:
    assert SCOPE.judge(address, depth) == reason


@pytest.mark.parametrize(
    ("path", "page"),
    [("/", True), ("/a.html", True), ("/a.pdf", True), ("/v1.2", True), ("/a.JPG", False), ("/a.tar.gz?x=1", False)],
)
def test_files_are_not_pages(path: str, page: bool) -> None:
    assert is_page(f"https://example.com{path}") == page
