"""A forest of decision trees that scores all blocks of a page together.

The trees are oblivious: all branches of one level ask the same question ("is column 7 above 40?"). The answers to a
tree's questions, read as bits, are therefore the number of the leaf that a block reaches. Example: a tree asks Q0, then
Q1, and has the leaves [3, 9, 5, 20]. A block with the answers yes to Q0 and no to Q1 reaches leaf 0b01 and gets 9; a
block with yes to both reaches leaf 0b11 and gets 20.

A column contains one byte per block and is read as one long integer. One addition then answers a question for all
blocks, and one shift appends the answer to the leaf numbers of all blocks. Small trees are merged as long as the leaf
number fits in one byte.

A page with few blocks is scored block by block. A precomputed table contains the answers to all questions of all trees
for each column and value, as one long integer. Combining the integers of all columns gives the leaf numbers.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby
from operator import getitem, itemgetter, or_
from struct import unpack
from typing import Any, NamedTuple

MAX_QUESTIONS = 8
"""Maximum number of questions in a tree, because a leaf number is one byte."""
MAX_LEAF = 255
MAX_SUM = 0xFFFF
"""Maximum sum of the largest leaves of all trees, because a sum has two bytes."""
FEW = 20
"""Maximum number of blocks that are scored one by one."""
_STEPS = 127
"""Maximum number of questions about one column's ranking, because the eighth bit of each byte contains the answer."""


class _Tree(NamedTuple):
    """A decision tree.

    questions: the numbers of its questions, lowest bit first. leaves: the values of its leaves, by leaf number.
    """

    questions: list[int]
    leaves: list[int]


class Forest:
    """The trees that `training.content` writes.

    questions: pairs of a column and a threshold. trees: for each tree, the numbers of its questions, lowest bit first,
    and the values of its leaves, each from 0 to 255. A block's score is `bias + scale * (sum of its leaves)`: the
    logarithm of its odds.
    """

    def __init__(self, numbers: Mapping[str, Any]) -> None:
        """Raise ValueError if the largest leaves of all trees add up to more than `MAX_SUM`."""
        trees = [_Tree(list(asked), list(leaves)) for asked, leaves in numbers["trees"]]
        if (most := sum([max(tree.leaves) for tree in trees])) > MAX_SUM:
            raise ValueError(f"the largest leaves add up to {most}; at most {MAX_SUM} can be summed")
        questions = [(column, threshold) for column, threshold in numbers["questions"]]
        order = sorted(range(len(questions)), key=questions.__getitem__)
        place_of = {number: place for place, number in enumerate(order)}
        self._rankings = _rank_values([questions[number] for number in order])
        self._trees = [
            ([place_of[number] for number in asked], _spread(leaves)) for asked, leaves in _join_trees(trees)
        ]
        self._masks = _collect_masks(self._rankings, [asked for asked, _ in self._trees])
        self._leaves = [leaves for _, leaves in self._trees]
        self._scale: float = numbers["scale"]
        self._bias: float = numbers["bias"]

    def scores(self, columns: Sequence[bytes]) -> list[float]:
        """Return the score of each block.

        columns: strings with one byte per block, in the same order as in training.
        """
        sums = self._sum_each(columns) if len(columns[0]) <= FEW else self._sum_all(columns)
        scale, bias = self._scale, self._bias
        return [bias + scale * total for total in sums]

    def _sum_each(self, columns: Sequence[bytes]) -> list[int]:
        """Return the leaf sum of each block, computed block by block."""
        sums = []
        known = [(columns[column], masks) for column, masks in self._masks]
        for number in range(len(columns[0])):
            reached = 0
            for column, masks in known:
                reached |= masks[column[number]]
            sums.append(sum(map(getitem, self._leaves, reached.to_bytes(len(self._leaves), "little"))))
        return sums

    def _sum_all(self, columns: Sequence[bytes]) -> list[int]:
        """Return the leaf sum of each block, computed for all blocks in parallel.

        The values of the leaves are summed in lanes of two bytes: blocks with even numbers are in one integer, and
        blocks with odd numbers in another. A sum above 255 then does not overflow into the next block.
        """
        count = len(columns[0])
        read = int.from_bytes
        answers = self._answers(columns)
        lanes = read(b"\xff\0" * (count // 2 + 1), "little")
        even = odd = 0
        for asked, leaves in self._trees:
            reached = 0
            for question in asked:
                reached = reached >> 1 | answers[question]
            values = read(reached.to_bytes(count, "little").translate(leaves), "little")
            even += values & lanes
            odd += values >> 8 & lanes
        half = count // 2 + 1
        sums = [0] * (2 * half)
        sums[0::2] = unpack(f"<{half}H", even.to_bytes(2 * half, "little"))
        sums[1::2] = unpack(f"<{half}H", odd.to_bytes(2 * half, "little"))
        return sums[:count]

    def _answers(self, columns: Sequence[bytes]) -> list[int]:
        """Return the answers to each question as an integer with one byte per block: 128 for yes and 0 for no.

        A question asks whether the rank of a value is at least `step`. The highest bit of `rank + 128 - step` is set
        exactly in this case: for step 2, rank 3 gives 129 (yes), rank 1 gives 127 (no).
        """
        ones = int.from_bytes(b"\1" * len(columns[0]), "little")
        yes = 128 * ones
        missing = [yes - step * ones for step in range(1, _STEPS + 1)]
        answers: list[int] = []
        for column, ranks, steps in self._rankings:
            ranked = int.from_bytes(columns[column].translate(ranks), "little")
            answers += [ranked + to_yes & yes for to_yes in missing[:steps]]
        return answers


def _rank_values(questions: Sequence[tuple[int, int]]) -> list[tuple[int, bytes, int]]:
    """Return the number of each column, the rank of each value from 0 to 255, and the number of the column's questions.

    questions: sorted pairs of a column and a threshold. The rank of a value is the number of thresholds below it. The
    questions about a column then become "is the rank at least 1", "at least 2" …: with the thresholds 10 and 40, the
    value 10 has rank 0, 11 and 40 have rank 1, and 41 has rank 2.
    """
    rankings = []
    for column, asked in groupby(questions, key=itemgetter(0)):
        thresholds = [threshold for _, threshold in asked]
        for start in range(0, len(thresholds), _STEPS):
            part = thresholds[start : start + _STEPS]
            ranks = bytes([bisect_left(part, value) for value in range(256)])
            rankings.append((column, ranks, len(part)))
    return rankings


def _collect_masks(
    rankings: Sequence[tuple[int, bytes, int]], trees: Sequence[Sequence[int]]
) -> list[tuple[int, list[int]]]:
    """Return the column of each ranking, and the answers to its questions for each value from 0 to 255.

    The answers are one integer with one byte for each tree, whose bits are part of a leaf number.

    rankings: the result of `_rank_values`. trees: the numbers of each tree's questions, lowest bit first.
    """
    places: defaultdict[int, int] = defaultdict(int)
    for number, asked in enumerate(trees):
        for bit, question in enumerate(asked, start=8 - len(asked)):  # the highest bits are the answers
            places[question] |= 1 << 8 * number + bit
    masks = []
    first = 0
    for column, ranks, steps in rankings:
        answers = [*accumulate([places[question] for question in range(first, first + steps)], or_, initial=0)]
        masks.append((column, [answers[rank] for rank in ranks]))
        first += steps
    return masks


def _join_trees(trees: Iterable[_Tree]) -> list[_Tree]:
    """Return fewer trees with the same sums.

    Neighboring trees are merged while their questions and their leaves each fit in one byte. Two trees with one
    question each and the leaves [1, 2] and [10, 20] become one tree with two questions and the leaves [11, 12, 21, 22].
    """
    joined: list[_Tree] = []
    for tree in trees:
        if joined:
            last = joined[-1]
            questions = last.questions + tree.questions
            if len(questions) <= MAX_QUESTIONS and max(last.leaves) + max(tree.leaves) <= MAX_LEAF:
                joined[-1] = _Tree(questions, [low + high for high in tree.leaves for low in last.leaves])
                continue
        joined.append(tree)
    return joined


def _spread(leaves: Sequence[int]) -> bytes:
    """Return a table of 256 leaf values.

    Its index is a byte whose highest bits are the answers, one bit per question.
    """
    return b"".join([bytes((leaf,)) * (256 // len(leaves)) for leaf in leaves])
