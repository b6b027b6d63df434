import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.page.content.forest import FEW, Forest

COLUMNS = 4
DEPTH = 3
BYTE = st.integers(0, 255)
QUESTIONS = st.lists(st.tuples(st.integers(0, COLUMNS - 1), BYTE), min_size=1, max_size=6)
ROWS = st.lists(st.lists(BYTE, min_size=COLUMNS, max_size=COLUMNS), min_size=1, max_size=9)


@given(st.data(), QUESTIONS, ROWS, st.sampled_from([1, FEW + 1]))
def test_scores_equal_scores_of_single_rows(
    data: st.DataObject, questions: list[tuple[int, int]], rows: list[list[int]], times: int
) -> None:
    question = st.integers(0, len(questions) - 1)
    tree = st.tuples(
        st.lists(question, min_size=DEPTH, max_size=DEPTH), st.lists(BYTE, min_size=2**DEPTH, max_size=2**DEPTH)
    )
    trees = data.draw(st.lists(tree, max_size=5))
    forest = Forest({"questions": questions, "trees": trees, "scale": 0.5, "bias": -1.0})
    columns = [bytes(row[column] for row in rows) for column in range(COLUMNS)]
    expected = []
    for row in rows:
        total = 0
        for asked, leaves in trees:
            answers = [row[questions[number][0]] > questions[number][1] for number in asked]
            total += leaves[sum(answer << bit for bit, answer in enumerate(answers))]
        expected.append(-1 + total / 2)
    assert forest.scores([times * column for column in columns]) == times * expected


def test_sums_of_many_trees_do_not_overflow() -> None:
    forest = Forest({"questions": [(0, 0)], "trees": [([0], [255, 255])] * 250, "scale": 1, "bias": 0})
    for count in (3, 3 * FEW):
        assert forest.scores([bytes(count)]) == [250 * 255] * count


def test_weights_that_would_overflow_are_rejected() -> None:
    trees = [([0], [0, 255])] * 257
    assert Forest({"questions": [(0, 0)], "trees": trees, "scale": 1, "bias": 0}).scores([b"\1"]) == [0xFFFF]
    with pytest.raises(ValueError, match="add up to 65536; at most 65535"):
        Forest({"questions": [(0, 0)], "trees": [*trees, ([0], [1, 0])], "scale": 1, "bias": 0})


def test_column_may_have_a_question_for_each_of_its_values() -> None:
    """The column has more questions than one ranking can contain."""
    questions = [(0, threshold) for threshold in reversed(range(255))]
    trees = [([number], [0, 1]) for number in range(255)]
    forest = Forest({"questions": questions, "trees": trees, "scale": 1, "bias": 0})
    assert forest.scores([bytes(range(256))]) == list(range(256))
