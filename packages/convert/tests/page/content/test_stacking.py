"""Combined scores of texts that have the same position."""

import pytest

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.stacking import CERTAIN, MOST_ALIKE, combine_scores, describe_scores
from webquarry_convert.tree import build_tree


def make_blocks(posts: int) -> Blocks:
    """Build a paragraph, followed by posts with one text each."""
    items = "".join(f'<div class="post p{number}"><p>post number {number}</p></div>' for number in range(posts))
    return Blocks(build_tree(f"<section><p>A text of its own.</p></section><div class=thread>{items}</div>"))


def test_doubtful_post_among_certain_posts_is_likelier_than_a_single_text() -> None:
    blocks = make_blocks(4)
    features = describe_scores([-1.0, 3.0, 3.0, -1.0, 3.0], blocks, range(5))
    assert features.series[3] > 1.0
    assert features.series[0] == pytest.approx(-1.0)
    alone, *posts = combine_scores(features, [0.0, 0.5, 0.5, 0.0, 0.0])
    assert posts[2] > 0.0 > alone
    assert posts[2] < posts[0]


def test_texts_in_the_same_position_are_counted() -> None:
    blocks = make_blocks(MOST_ALIKE + 9)
    features = describe_scores([0.0] * len(blocks.all), blocks, range(len(blocks.all)))
    assert features.alike[0] == 1 / MOST_ALIKE
    assert features.alike[1] == 1.0


def test_long_texts_weigh_more_in_the_average() -> None:
    blocks = Blocks(build_tree(f"<ul><li>{'long ' * 30}</li><li>short</li></ul>"))
    features = describe_scores([2.0, -2.0], blocks, range(2))
    assert features.series[1] > 1.0


def test_rank_is_the_share_of_tokens_that_are_as_likely() -> None:
    blocks = Blocks(build_tree("<p>one two three</p><p>four</p>"))
    assert describe_scores([1.0, -1.0], blocks, range(2)).rank == [0.75, 1.0]
    assert describe_scores([-1.0, 1.0], blocks, range(2)).rank == [1.0, 0.25]


def test_scores_are_limited() -> None:
    blocks = make_blocks(1)
    features = describe_scores([-900.0, 900.0], blocks, range(2))
    assert features.own == [-CERTAIN, CERTAIN]
    assert features.series == pytest.approx(features.own)
