"""Markdown within markdown: headings get a deeper level, and no block is split."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.render.excerpts import demote, drop_title, shorten

CODE = "```sh\n# no heading\n\n## none either\n```"
PAGE = f"# Title\n\nFirst *block*.\n\n## Part\n\n- one\n- two\n\n{CODE}\n\n###### Deep\n\nLast."


def test_headings_are_demoted_and_code_is_unchanged() -> None:
    deeper = demote(PAGE)
    assert "## Title" in deeper
    assert "### Part" in deeper
    assert "\n###### Deep" in deeper
    assert CODE in deeper
    assert demote("#hash tag\n    # code") == "#hash tag\n    # code"


def test_title_is_dropped_and_no_other_heading() -> None:
    assert drop_title(PAGE).startswith("First")
    assert drop_title("## Part\n\ntext") == "## Part\n\ntext"


def test_short_text_stays_whole() -> None:
    assert shorten(PAGE, len(PAGE)) == (PAGE, False)


def test_text_is_cut_between_blocks_and_not_after_a_heading() -> None:
    assert shorten(PAGE, 36) == ("# Title\n\nFirst *block*.", True)
    assert shorten(PAGE, len(PAGE) - 10)[0].endswith(CODE)


def test_code_is_one_block_whatever_it_holds() -> None:
    assert shorten("~~~\n```\n\n~~~\n\nbehind", 15) == ("~~~\n```\n\n~~~", True)
    assert shorten("text\n\n~~~\n```\n\n~~~", 15) == ("text", True)


def test_first_block_that_is_too_long_is_cut_at_a_line_or_word() -> None:
    assert shorten("one two three four", 9) == ("one two", True)
    assert shorten("| a |\n| - |\n| b |\n| c |", 20)[0] == "| a |\n| - |\n| b |"
    assert shorten("```\n" + "x\n" * 50 + "```", 20)[0].count("```") == 2


@given(st.text(alphabet="#`~ ab\n", max_size=200), st.integers(1, 60))
def test_any_text_is_shortened_to_the_limit(text: str, characters: int) -> None:
    short, is_cut = shorten(text, characters)
    assert is_cut == (len(text) > characters)
    assert len(short) <= 2 * characters + 1  # a truncated fence is closed by the same number of characters


@pytest.mark.parametrize("text", ["`" * 20_000, "# " * 10_000, "\n" * 20_000, "~~~\n" * 5_000])
def test_long_hostile_text_takes_linear_time(text: str) -> None:
    assert len(shorten(demote(text), 100)[0]) <= 201
