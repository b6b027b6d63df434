import random
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from webquarry.core.urls import normalise_url
from webquarry.crawl.addresses import DROPPED, canonical, clean

SIGNS = st.text(st.characters(min_codepoint=33, max_codepoint=0x24FF, exclude_characters="#?\\\x7f"), max_size=12)
NAMES = st.text("abcxyz._-~%2f7eé+[]", min_size=1, max_size=6).map(lambda name: f"q{name}")
PAIRS = st.lists(st.tuples(NAMES, SIGNS.map(lambda value: value.replace("&", ""))), max_size=5)


@st.composite
def addresses(draw: st.DrawFn) -> str:
    host = draw(st.sampled_from(["example.com", "EXAMPLE.com", "bücher.example", "192.0.2.1", "[2001:DB8::1]"]))
    port = draw(st.sampled_from(["", ":443", ":8443"]))
    path = "/".join(draw(st.lists(st.one_of(SIGNS, st.sampled_from([".", "..", "", "%2e", "a;b=1"])), max_size=5)))
    query = "&".join(f"{name}={value}" for name, value in draw(PAIRS))
    return f"https://{host}{port}/{path}" + (f"?{query}" if query else "")


@given(addresses())
def test_canonicalizing_a_canonical_form_changes_nothing(url: str) -> None:
    assert canonical(canonical(url)) == canonical(url)
    assert clean(clean(url)) == clean(url)
    assert canonical(clean(url)) == canonical(url)


@given(addresses())
def test_canonical_form_keeps_scheme_host_and_port(url: str) -> None:
    assert urlsplit(canonical(url))[:2] == urlsplit(normalise_url(url))[:2]


@given(
    st.from_regex(
        r"https?://([a-z0-9-]{1,5}\.){1,3}[a-z0-9]{2,4}(:[0-9]{2,4})?(/[A-Za-z0-9_~.;-]{0,4}){1,4}(\?[a-z.]{1,3}=[0-9a-z+]*)?",
        fullmatch=True,
    )
)
def test_shortcuts_give_the_same_result(url: str) -> None:
    try:
        slow = canonicalize_url(clean(f"{url}{'&' if '?' in url else '?'}utm_source=slow"))
    except ValueError:
        with pytest.raises(ValueError, match="must"):
            normalise_url(url)
    else:
        assert canonical(url) == slow


@given(addresses(), st.randoms(), st.sampled_from(["utm_source=a", "UTM_Medium=b%20c", "gclid=1", "PHPSESSID=ab12"]))
def test_one_page_has_one_canonical_form(url: str, chance: random.Random, dropped: str) -> None:
    start, mark, query = url.partition("?")
    pairs = query.split("&") if mark else []
    pairs.insert(chance.randint(0, len(pairs)), dropped)
    chance.shuffle(pairs)
    assert canonical(f"{start}?{'&'.join(pairs)}#part") == canonical(url)


@given(addresses(), PAIRS)
def test_different_parameters_have_different_canonical_forms(url: str, pairs: list[tuple[str, str]]) -> None:
    start = url.partition("?")[0]
    kept = {canonical(f"{start}?n={number}") for number in range(5)}
    assert len(kept) == 5


@pytest.mark.parametrize(
    ("written", "one"),
    [
        ("https://example.com", "https://example.com/"),
        ("https://EXAMPLE.com:443/a/./b/../c#d", "https://example.com/a/c"),
        ("http://example.com:80/%7Euser/%2fx", "http://example.com/~user/%2Fx"),
        ("https://example.com:8443/?", "https://example.com:8443/"),
        ("https://example.com/a?b=2&a=1&&utm_campaign=x", "https://example.com/a?a=1&b=2"),
        ("https://example.com/a;jsessionid=AB12.n1/b?x=1", "https://example.com/a/b?x=1"),
        ("https://example.com/t?sid=0123456789abcdef0123456789abcdef", "https://example.com/t"),
        ("https://example.com/t?sid=7", "https://example.com/t?sid=7"),
        ("https://example.com/a/%2e%2e/b", "https://example.com/b"),
        ("https://example.com/a//b", "https://example.com/a//b"),
        ("https://example.com/A", "https://example.com/A"),
    ],
)
def test_canonical_form_is_as_expected(written: str, one: str) -> None:
    assert canonical(written) == one


def test_clean_address_keeps_the_order_of_its_parameters_and_their_spelling() -> None:
    assert clean("https://example.com/a?b&a=1&utm_id=3&c=x%20y") == "https://example.com/a?b&a=1&c=x%20y"


def test_dropped_names_can_be_set() -> None:
    url = "https://example.com/?utm_source=a&view=list&Color-id=3"
    assert canonical(url, ("view", "color*")) == "https://example.com/?utm_source=a"
    assert canonical(url, (*DROPPED, "view")) == "https://example.com/?Color-id=3"
    assert canonical(url, ()) == "https://example.com/?Color-id=3&utm_source=a&view=list"


def test_invalid_address_is_refused() -> None:
    with pytest.raises(ValueError, match="must be an http or https URL"):
        canonical("ftp://example.com/")
