import pytest

from webquarry.crawl.changes import compare, compare_all
from webquarry.crawl.copies import list_identities

TEXT = b"# Bread\n\nFlour, water, salt and time make a loaf that keeps for a week.\n"
URL = "https://example.com/bread"


def identities(url: str = URL, final: str | None = None, stated: str | None = None, text: bytes = TEXT) -> set[str]:
    return set(list_identities(url, final or url, stated, text))


@pytest.mark.parametrize(
    "other",
    [
        identities("https://example.com/old", final="https://example.com/bread?utm_source=x"),
        identities("https://example.com/bread?view=print", stated=URL, text=TEXT * 2),
        identities("https://example.com/other", text=TEXT.replace(b"\n\n", b"\n \n")),
    ],
)
def test_copy_shares_an_identity(other: set[str]) -> None:
    assert identities() & other


@pytest.mark.parametrize(
    "other",
    [
        identities("https://example.com/cake", text=TEXT * 2),
        identities("https://example.com/cake", stated="https://example.com/", text=TEXT * 2),
        identities("https://example.com/cake", stated="https://example.org/bread", text=TEXT * 2),
        identities("https://example.com/cake", stated="javascript:1", text=TEXT * 2),
    ],
)
def test_different_page_shares_no_identity(other: set[str]) -> None:
    assert not (identities() | identities("https://example.com/")) & {each for each in other if "sha" not in each}


def test_short_equal_pages_are_not_copies() -> None:
    assert not identities(text=b"No results.") & identities("https://example.com/b", text=b"No results.")


def test_changes_between_two_crawls_are_found() -> None:
    assert compare_all({"a": "1", "b": "1", "c": "1"}, {"b": "1", "c": "2", "d": "1"}) == {
        "b": "same",
        "c": "changed",
        "d": "new",
        "a": "gone",
    }
    with pytest.raises(ValueError, match="neither"):
        compare(None, None)
