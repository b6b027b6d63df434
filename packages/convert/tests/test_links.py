import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.links import Image, Link, extract_visible, keep_labels, list_links, make_absolute

BASE = "https://example.com/a/b"


@pytest.mark.parametrize(
    ("given_", "made"),
    [
        ("[x](y)", "[x](https://example.com/a/y)"),
        ('[x](/y "t")', "[x](https://example.com/y)"),
        ("[x](<a b>)", "[x](https://example.com/a/a%20b)"),
        ("[x](//example.org/z)", "[x](https://example.org/z)"),
        ("[x](https://example.org/z)", "[x](https://example.org/z)"),
        ("[x](w_(y))", "[x](https://example.com/a/w_(y))"),
        ("[x](mailto:a@example.com)", "[x](mailto:a@example.com)"),
        ("[x](javascript:y)", "x"),
        ("[x](http://[)", "x"),
        ("![x](data:image/png;base64,AAAA)", ""),
        ("[![i](p.png)](q)", "[![i](https://example.com/a/p.png)](https://example.com/a/q)"),
        ("[![i](data:x)](q)", "[](https://example.com/a/q)"),
        ("[![i](p.png)](javascript:q)", "![i](https://example.com/a/p.png)"),
        (r"\[x](y)", r"\[x](y)"),
        (r"\![x](data:y)", r"\!x"),
        ("~~~\n[x](y)\n~~~\n~[x](y)~", "~~~\n[x](y)\n~~~\n~[x](https://example.com/a/y)~"),
        ("a ```[x](y)``` b", "a ```[x](y)``` b"),
        ("   ```\n[x](y)", "   ```\n[x](y)"),
        ("`[x](y)` [x](y)", "`[x](y)` [x](https://example.com/a/y)"),
        ("```\n[x](y)\n```\n[x](y)", "```\n[x](y)\n```\n[x](https://example.com/a/y)"),
        ("[x] (y) [z]", "[x] (y) [z]"),
        ("[[x](y)](z)", "[[x](https://example.com/a/y)](https://example.com/a/z)"),
        ("!![x](data:y)", "!"),
        ("[`](x)` [a](y)", "[`](x)` [a](https://example.com/a/y)"),
        ("[x](y(z) [x](y)", "[x](y(z) [x](https://example.com/a/y)"),
    ],
)
def test_targets_become_absolute(given_: str, made: str) -> None:
    assert make_absolute(given_, BASE) == made


def test_relative_targets_stay_without_a_base() -> None:
    assert make_absolute("[x](y) ![z](/z.png)", None) == "[x](y) ![z](/z.png)"


def test_each_address_is_listed_once_with_its_first_text() -> None:
    text = (
        "[](https://e.org/1) [one](https://e.org/1) [again](https://e.org/1) ![p](https://e.org/p) ![](https://e.org/p)"
    )
    assert list_links(text, BASE) == ((Link("https://e.org/1", "one"),), (Image("https://e.org/p", "p"),))


def test_linked_image_uses_its_alt_text() -> None:
    assert list_links("[![a cat](https://e.org/p)](https://e.org/q)", None)[0] == (Link("https://e.org/q", "a cat"),)


def test_only_web_addresses_of_other_pages_are_listed() -> None:
    assert list_links(f"[a](mailto:a@e.org) [b]({BASE}#part) [c](relative) [d](ftp://e.org/)", BASE) == ((), ())


def test_link_text_is_plain_text() -> None:
    assert list_links(r"[**bold** \[1\] `x`](https://e.org/)", None)[0][0].text == "bold [1] x"


def test_visible_text_has_no_targets_and_images() -> None:
    assert extract_visible("See [the *guide*](https://e.org/g) ![pic](https://e.org/p) now") == "See the guide now"


def test_labels_are_kept_without_targets_and_images() -> None:
    text = r"See [the *guide*](https://e.org/g) [![pic](https://e.org/p)](https://e.org/q) \[now]"
    assert keep_labels(text) == r"See the *guide*  \[now]"


@given(st.text(alphabet="[]()!<>`\\ab \n~\"'", max_size=60))
def test_any_markdown_is_read(text: str) -> None:
    made = make_absolute(text, BASE)
    assert make_absolute(made, BASE) == made
    list_links(made, BASE)
    extract_visible(made)
