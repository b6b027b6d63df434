"""Blocks that are larger than the budget: a part of the best block is shown, or there is a warning."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from support.markdown import HOSTILE, MARKDOWN
from webquarry.excerpts.job import choose, find_block
from webquarry.excerpts.tokens import estimate

HEAD = "| dish | how | where |\n| --- | --- | --- |\n"


def ask(markdown: str, query: str | None, max_tokens: int = 200) -> tuple[dict[str, Any], str]:
    """Return the fields and the markdown of a portion."""
    parcel = choose(markdown.encode(), query=query, max_tokens=max_tokens, page_starts=[], marks_pages=False)
    fields, _, shown = parcel.pieces
    assert estimate(shown.decode()) <= max_tokens
    return json.loads(fields), shown.decode()


@given(MARKDOWN, st.sampled_from(["plain words", "long", "nested", "zebra", None]), st.integers(200, 400))
def test_an_empty_excerpt_has_a_warning(markdown: str, query: str | None, budget: int) -> None:
    fields, shown = ask(markdown, query, budget)
    if markdown.replace("…", "").strip() and not shown.replace("…", "").strip():
        assert fields["warnings"]
    for excerpt in fields["excerpts"] or []:
        assert excerpt["text"] in markdown
        assert excerpt["text"] in shown


def test_a_row_that_is_too_long_is_cut_after_a_cell() -> None:
    cells = " | ".join(f"cell {n} " + "word " * 60 for n in range(3))
    fields, shown = ask(f"# Menu\n\n{HEAD}| {cells} |\n", "cell 0")
    assert shown.startswith(f"# Menu\n\n{HEAD}| cell 0 word")
    (excerpt,) = fields["excerpts"]
    assert (excerpt["is_part"], excerpt["text"][-1]) == (True, "|")
    assert excerpt["table_head"] == HEAD.strip()
    assert fields["omitted"]["tokens"] > 0
    assert "only a part of it" in fields["warnings"][0]


def test_the_matching_row_of_a_long_table_is_shown() -> None:
    rows = [f"| dish{n} | {n} 1 2 3 4 5 6 7 8 9 | place {n} |" for n in range(22)]
    fields, shown = ask(f"{HEAD}{chr(10).join(rows)}\n", "where is dish17")
    assert len(f"{HEAD}{chr(10).join(rows)}") < 1200
    assert shown.startswith(f"{HEAD}| … |\n{rows[17]}")
    assert fields["excerpts"][0]["text"].startswith(rows[17])


def test_a_head_without_room_is_left_out() -> None:
    wide = "|" + "|".join(f" column {n} with a long name " for n in range(60)) + "|"
    row = "|" + "|".join(f" value{n} " for n in range(60)) + "|"
    fields, shown = ask(f"{wide}\n|{' --- |' * 60}\n{row}\n", "value3")
    assert "value3" in shown
    assert "column" not in shown
    assert fields["excerpts"][0]["is_part"]


def test_the_matching_sentence_of_a_long_paragraph_is_shown() -> None:
    text = "Zwölf Bäume stehen dort 1, 2, 3, 4. " * 20 + "The oven needs 230 degrees. " + "Mehl 5, 6, 7, 8, 9. " * 20
    _, shown = ask(text, "oven degrees")
    assert "The oven needs 230 degrees." in shown
    assert shown.startswith("…")


def test_a_long_line_of_code_is_cut_within_its_fence() -> None:
    fields, shown = ask("```js\n" + "var x=1;" * 2000 + "\n```\n", "var")
    assert shown.startswith("```js\nvar x=1;")
    assert shown.rstrip("…\n").endswith("\n```")
    assert fields["excerpts"][0]["is_part"]


def test_text_without_spaces_is_cut_too() -> None:
    _, shown = ask("文" * 5000, "文文")
    assert shown.startswith("文文文")


def test_a_long_heading_does_not_hide_the_answer() -> None:
    _, shown = ask(f"# {'Very long heading ' * 60}\n\nThe oven needs 230 degrees.\n", "oven")
    assert "The oven needs 230 degrees." in shown


def test_a_part_is_verified_by_the_hash_of_its_block() -> None:
    markdown = f"{HEAD}| a | {'word ' * 600}| b |\n"
    (excerpt,) = ask(markdown, "word")[0]["excerpts"]
    found = json.loads(find_block(markdown.encode(), number=excerpt["block"], page_starts=[]).pieces[0])["excerpts"][0]
    assert excerpt["sha256"] == found["sha256"] == sha256(found["text"].encode()).hexdigest()
    assert excerpt["text"] in found["text"]
    assert not found["is_part"]


def test_an_outline_without_room_has_a_warning() -> None:
    fields, shown = ask("```\n" + "code line\n" * 1000 + "```\n", None)
    assert shown == "…\n"
    assert fields["warnings"] == ["Nothing fits into 200 tokens. Increase `max_tokens`."]


@pytest.mark.parametrize("unit", [*HOSTILE.values(), "x", "| a | b "], ids=[*HOSTILE, "one word", "one row"])
def test_parts_take_time_in_proportion_to_the_block(unit: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        text = "a b " + unit * (size // len(unit))
        return lambda: ask(text, "a b x")

    assert_linear(prepare, 30_000)
