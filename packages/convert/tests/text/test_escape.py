"""A link's text is shown literally, whatever it contains."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from webquarry_convert.text import escape

READER = MarkdownIt("commonmark")


def label_read(text: str) -> str | None:
    """Return the visible label of a link with this text, or None if the link is not the whole line."""
    _, paragraph, *_ = READER.parse(f"[{escape.label(text)}](/to)")
    tokens = paragraph.children or []
    if tokens[0].type != "link_open" or tokens[-1].type != "link_close" or len({token.type for token in tokens}) > 3:
        return None
    return "".join(token.content for token in tokens)


@pytest.mark.parametrize(
    "text",
    ["[a] b", "[a](b", "[a](/b)", "a]", "[a", "][", "[^1]", "[x]: y", "[[a]](b)", "\\[a](b)", "*a* [b](c) `d`", "a\\"],
)
def test_escaped_label_is_parsed_as_written(text: str) -> None:
    assert label_read(text) == text


def test_paired_brackets_without_a_target_are_unchanged() -> None:
    assert escape.label("Report [PDF]") == "Report [PDF]"
    assert escape.label("Report [PDF](3 MB)") == "Report \\[PDF\\](3 MB)"


@given(st.text("[]()^:\\!*_`<>&; a", min_size=1).map(lambda text: " ".join(text.split())).filter(bool))
def test_any_escaped_label_is_parsed_as_written(text: str) -> None:
    assert label_read(text) == text
