"""The reading order of a slide's shapes."""

from convert_support.effort import assert_linear
from webquarry_convert.file.text.placement import MAX_SHAPES, Box, sort_by_place


def box(left: float, top: float, width: float = 10, height: float = 10) -> Box:
    return Box(left, top, left + width, top + height)


def test_rows_are_read_from_top_to_bottom() -> None:
    assert sort_by_place([box(0, 50, 100), box(0, 0, 100), box(0, 20, 100)]) == [1, 2, 0]


def test_columns_are_read_one_after_the_other() -> None:
    left_then_right = [box(0, 0, 40), box(0, 20, 40), box(60, 0, 40), box(60, 20, 40)]
    assert sort_by_place(left_then_right) == [0, 1, 2, 3]
    assert sort_by_place([left_then_right[at] for at in (2, 3, 0, 1)]) == [2, 3, 0, 1]


def test_file_order_decides_between_rows_and_columns() -> None:
    labels_and_values = [box(0, 0, 40), box(60, 0, 40), box(0, 20, 40), box(60, 20, 40)]
    assert sort_by_place(labels_and_values) == [0, 1, 2, 3]


def test_a_heading_is_read_with_its_text() -> None:
    quadrants = [(left, top) for top in (0, 60) for left in (0, 55)]
    shapes = [box(left, top + below, 40, high) for left, top in quadrants for below, high in ((0, 8), (10, 25))]
    assert sort_by_place(shapes) == [*range(8)]


def test_overlapping_shapes_keep_their_file_order() -> None:
    assert sort_by_place([box(5, 5), box(0, 0), box(3, 3)]) == [0, 1, 2]


def test_frames_may_overlap_slightly() -> None:
    assert sort_by_place([box(0, 99, 100, 100), box(0, 0, 100, 100)]) == [1, 0]


def test_shapes_without_positions_keep_their_file_order() -> None:
    assert sort_by_place([box(0, 50), None, box(0, 0)]) == [0, 1, 2]
    assert sort_by_place([]) == []


def test_many_shapes_take_linear_time() -> None:
    assert sort_by_place([box(0, -at) for at in range(MAX_SHAPES + 1)]) == [*range(MAX_SHAPES + 1)]
    assert_linear(lambda size: lambda: sort_by_place([box(at * 7 % 100, at * 13 % 100) for at in range(size)]), 200)
