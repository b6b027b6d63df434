"""Markers of pages: nothing else changes, their places are exact, and their cost is within the budget."""

from hypothesis import given
from hypothesis import strategies as st

from support.markdown import MARKDOWN
from webquarry.excerpts.blocks import split
from webquarry.excerpts.pages import find_page, mark_pages
from webquarry.excerpts.ranking import rank
from webquarry.excerpts.selection import outline_within, select
from webquarry.excerpts.tokens import estimate
from webquarry.excerpts.writing import write, write_pages

PLACES = st.lists(st.integers(0, 5000), max_size=12)


def find_starts(markdown: str, places: list[int]) -> list[int]:
    """Return the starts of lines near these positions, in the form that a converter returns: the first page begins with
    the text.
    """
    begins = [markdown.rfind("\n\n", 0, min(place, len(markdown))) + 2 for place in places]
    return sorted(0 if place < 2 else place for place in [0, *begins])


@given(MARKDOWN, PLACES)
def test_marked_markdown_has_the_text_of_each_page_in_its_place(markdown: str, places: list[int]) -> None:
    starts = find_starts(markdown, places)
    text, pages = mark_pages(markdown, starts)
    assert [each.page for each in pages] == list(range(1, len(starts) + 1))
    ends = [*starts[1:], len(markdown)]
    for each, start, end in zip(pages, starts, ends, strict=True):
        assert text[each.start : each.end].strip() == markdown[start:end].strip()


@given(MARKDOWN, PLACES, st.sampled_from(["plain words", "item", "文字 long", None]), st.integers(50, 2000))
def test_marked_excerpts_fit_into_the_budget(
    markdown: str, places: list[int], question: str | None, budget: int
) -> None:
    outline = split(markdown, find_starts(markdown, places))
    if question is None:
        chosen = outline_within(outline, budget, marks_pages=True)
    else:
        chosen = select(outline, rank(outline, question), budget, marks_pages=True)
    text, pages = write_pages(outline, chosen, marks_pages=True)
    assert estimate(text) <= budget
    shown = {outline.page(outline.blocks[number]) for number in chosen}
    assert shown <= {each.page for each in pages}
    for each in pages:
        assert text[: each.start].endswith(f"<!-- page {each.page} -->\n\n") or each.start == len(text)


def test_a_marker_of_a_nested_item_stays_in_its_list() -> None:
    markdown = "- a\n   - b\n   - c\n- d\n"
    text, _ = mark_pages(markdown, [0, markdown.index("   - c"), markdown.index("- d")])
    assert text == ("<!-- page 1 -->\n\n- a\n   - b\n\n   <!-- page 2 -->\n\n   - c\n\n<!-- page 3 -->\n\n- d\n")


def test_blank_pages_are_marked_one_after_the_other() -> None:
    text, pages = mark_pages("One.\n\nFour.\n", [0, 6, 6, 6, 12])
    assert text == (
        "<!-- page 1 -->\n\nOne.\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\n<!-- page 4 -->\n\nFour.\n\n<!-- page 5 -->\n"
    )
    assert [text[each.start : each.end].strip() for each in pages] == ["One.", "", "", "Four.", ""]


def test_a_block_is_on_the_page_on_which_it_begins() -> None:
    starts = [0, 10, 10, 20]
    assert [find_page(starts, place) for place in (0, 9, 10, 19, 20, 99)] == [1, 1, 3, 3, 4, 4]
    assert find_page([], 5) is None


def test_a_table_has_its_marker_above_its_head() -> None:
    rows = "\n".join(f"| dish{n} | {'x' * 60} |" for n in range(60))
    markdown = f"Before.\n\n| dish | how |\n| --- | --- |\n{rows}\n"
    outline = split(markdown, [0, markdown.index("| dish |")])
    chosen = select(outline, rank(outline, "dish50"), 400, marks_pages=True)
    text, _ = write_pages(outline, chosen, marks_pages=True)
    assert text.startswith("…\n\n<!-- page 2 -->\n\n| dish | how |\n| --- | --- |\n| … |\n")
    assert write(outline, chosen) == text.replace("<!-- page 2 -->\n\n", "")
