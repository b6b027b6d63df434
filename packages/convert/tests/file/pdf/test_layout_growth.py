"""The work for laying out a page grows linearly with its content, for any content."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from convert_support.effort import assert_linear
from webquarry_convert.file.pdf.layout.reading_order import order_boxes
from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.text import headings, line_breaks, listings, paragraphs
from webquarry_convert.file.pdf.words.fractions import join_fractions
from webquarry_convert.file.pdf.words.initials import join_initials
from webquarry_convert.file.pdf.words.justified import join_justified
from webquarry_convert.file.pdf.words.leaders import drop_leaders

EM = 10.0
Shape = Callable[[int], Iterator[tuple[float, float, str, float]]]
SHAPES: dict[str, Shape] = {
    "two columns": lambda n: ((side * 200, row * 12, "some words", EM) for row in range(n) for side in (0, 1)),
    "two columns, far apart": lambda n: (
        (side * 200, row * 60, "some words", EM) for row in range(n) for side in (0, 1)
    ),
    "two columns, not level": lambda n: (
        (side * 200, row * (12 + side * 1.7), "some words", EM) for row in range(n) for side in (0, 1)
    ),
    "figures, far apart": lambda n: ((at * 90, row * 60, "1,204", EM) for row in range(n) for at in (0, 1, 2)),
    "small above large": lambda n: (
        (at * 120, row * 14, "Label", 8 + row % 2 * 3) for row in range(n) for at in (0, 1)
    ),
    "two justified lines": lambda n: (
        (at * 40, row * 12, "abcd"[: 2 + at % 3], EM) for at in range(n) for row in (0, 1)
    ),
    "raised numbers": lambda n: (
        (at * 40, row * 12 - (at == 3) * 4, "1" if at == 3 else "word", EM / 2 if at == 3 else EM)
        for row in range(n)
        for at in (0, 1, 2, 3)
    ),
    "initials": lambda n: (
        (at * 20, row * 14, "The"[at : at + 1 + at * 2], 22 - at * 12) for row in range(n) for at in (0, 1)
    ),
    "fractions": lambda n: ((at * EM, row / 100, ("21", "\u20444 kg")[at], EM) for row in range(n) for at in (0, 1)),
    "leaders": lambda n: (
        (at * 12, row * 14, ("Rye .", ".", ".", ".", "12")[at % 5], EM) for at in range(n) for row in (0, 1)
    ),
    "dots": lambda n: ((at * 12, row * 14, ".", EM) for at in range(n) for row in (0, 1)),
    "headings": lambda n: ((0, row * 16, "1.2 Rivers", 12) for row in range(n)),
}


def lay_out(spans: list[Span]) -> None:
    spans = join_justified(drop_leaders(join_fractions(join_initials(spans))))
    parts = order_boxes(spans, EM, [], 600)
    line_breaks.mark_new_lines(parts)
    blocks = paragraphs.build_blocks(listings.gather_listings(parts), EM)
    headings.mark_headings(blocks, EM, are_tagged=False)


@pytest.mark.parametrize("name", SHAPES)
def test_layout_work_grows_linearly_with_the_page(name: str) -> None:
    def prepare(size: int) -> Callable[[], None]:
        spans = [
            Span((x, y - font, x + len(text) * font / 2, y), text, font) for x, y, text, font in SHAPES[name](size)
        ]
        return partial(lay_out, spans)

    assert_linear(prepare, 1000)
