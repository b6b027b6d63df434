"""Blocks: exact positions, complete text, and the headings above each block."""

import pytest
from hypothesis import given

from convert_support.effort import assert_linear
from support.markdown import HOSTILE, MARKDOWN
from webquarry.excerpts.blocks import LONGEST, PART, split


@given(MARKDOWN)
def test_blocks_are_spans_in_order_and_leave_only_blank_lines_and_frames_out(markdown: str) -> None:
    outline = split(markdown)
    at, rest = 0, []
    for block in outline.blocks:
        assert at <= block.start < block.end <= len(markdown)
        rest.append(markdown[at : block.start])
        at = block.end
    rest.append(markdown[at:])
    frames = {outline.head(block) for block in outline.blocks} | {block.foot for block in outline.blocks}
    lines = [line for part in rest for line in part.split("\n") if line.strip()]
    shown = {line for frame in frames for line in frame.split("\n")}
    closing = {line for line in lines if set(line.strip(" \t>")) <= set("`~")}
    assert set(lines) <= shown | closing


@given(MARKDOWN)
def test_the_same_markdown_has_the_same_blocks(markdown: str) -> None:
    assert split(markdown) == split(markdown)


@given(MARKDOWN)
def test_headings_above_a_block_come_before_it_and_get_deeper(markdown: str) -> None:
    outline = split(markdown)
    for block in outline.blocks:
        above = outline.above(block)
        levels = [outline.headings[number].level for number in above]
        assert list(above) == sorted(above)
        assert levels == sorted(set(levels))
        assert not above or above[-1] < block.number


def test_blocks_have_the_headings_above_them() -> None:
    outline = split("# Bread\n\nFlour.\n\n## Oven\n\nHot.\n\n# Cake\n\nEggs.")
    paths = [(outline.text(block), outline.path(block)) for block in outline.blocks if block.kind != "heading"]
    assert paths == [("Flour.", ["Bread"]), ("Hot.", ["Bread", "Oven"]), ("Eggs.", ["Cake"])]


def test_a_long_table_is_divided_between_rows_and_keeps_its_head() -> None:
    rows = [f"| dish {n} | {'x' * 50} |" for n in range(60)]
    outline = split("\n".join(["| dish | how |", "| --- | --- |", *rows]))
    assert len(outline.blocks) > 3
    assert [row for block in outline.blocks for row in outline.text(block).split("\n")] == rows
    assert {outline.head(block) for block in outline.blocks} == {"| dish | how |\n| --- | --- |"}
    assert all(block.end - block.start <= PART for block in outline.blocks)


def test_a_list_is_divided_between_items_of_its_first_level() -> None:
    items = [f"- item {n} {'x' * 80}\n  - nested {n}" for n in range(30)]
    outline = split("\n".join(items))
    assert len(outline.blocks) > 3
    assert all(outline.text(block).startswith("- item") for block in outline.blocks)
    assert "\n".join(map(outline.text, outline.blocks)) == "\n".join(items)


def test_a_long_paragraph_is_divided_after_sentences_and_outside_links() -> None:
    sentence = "The [oven (big)](https://example.com/a. b) is hot."
    outline = split(" ".join([sentence] * 80))
    assert len(outline.blocks) > 2
    assert all(outline.text(block).endswith(sentence) for block in outline.blocks)
    assert all(block.end - block.start <= LONGEST for block in outline.blocks)


@pytest.mark.parametrize("unit", ["[a ", "[a] (", "a ", "x", "]( ", "\\[ "])
def test_parts_of_a_long_paragraph_are_never_short(unit: str) -> None:
    outline = split(unit * 3000)
    assert all(block.end - block.start >= LONGEST // 4 for block in outline.blocks[:-1])


def test_a_paragraph_below_an_item_belongs_to_its_unit() -> None:
    outline = split("- item\n\n  more of it\n\n  and more\n\nother")
    assert [block.unit for block in outline.blocks] == [0, 0, 0, 3]


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=list(HOSTILE))
def test_splitting_takes_time_in_proportion_to_the_text(unit: str) -> None:
    def prepare(size: int):  # type: ignore[no-untyped-def]
        text = unit * (size // len(unit))
        return lambda: split(text)

    assert_linear(prepare, 100_000)
