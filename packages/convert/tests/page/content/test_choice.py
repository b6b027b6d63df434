import pytest

from webquarry_convert.page.content.choice import find_best_cut


@pytest.mark.parametrize(
    ("chances", "tokens", "cut"),
    [
        ([0.9, 0.9, 0.1], [50, 50, 50], 0.9),
        ([0.9, 0.6, 0.0], [50, 50, 50], 0.6),
        ([0.2, 0.1, 0.01], [50, 50, 500], 0.2),
        ([0.9, 0.4], [5, 500], 0.4),
        ([0.0], [10], 1.0),
        ([0.3], [0], 1.0),
    ],
)
def test_cut_maximizes_the_expected_agreement(chances: list[float], tokens: list[int], cut: float) -> None:
    assert find_best_cut(chances, tokens) == cut
