"""A forest of decision trees, asked for all blocks of a page at once.

Every level of a tree asks one question of all its branches ("is column 7 above 40?"), so the answers to its questions
are the bits of the number of a leaf. A column is a string of bytes, one per block; answers, numbers of leaves and their
values stay in such strings, on which `translate` and the arithmetic of long integers work at the speed of the machine:
a tree costs about as much for 200 blocks as a handful of Python's steps for one.
"""

from collections.abc import Mapping, Sequence
from struct import unpack
from typing import Any

_ABOVE = [bytes(number > threshold for number in range(256)) for threshold in range(256)]


class Forest:
    """Trees as `bench.content` writes them.

    questions: (column, threshold) pairs; trees: per tree its questions, lowest bit first, and the values of its leaves
    from 0 to 255. A block's score is `bias + scale * (sum of its leaves)`: the logarithm of its odds.
    """

    def __init__(self, numbers: Mapping[str, Any]) -> None:
        self._questions: list[tuple[int, bytes]] = [
            (column, _ABOVE[threshold]) for column, threshold in numbers["questions"]
        ]
        self._trees: list[tuple[list[int], bytes]] = [
            (list(reversed(asked)), bytes(leaves).ljust(256, b"\0")) for asked, leaves in numbers["trees"]
        ]
        self._scale: float = numbers["scale"]
        self._bias: float = numbers["bias"]

    def scores(self, columns: Sequence[bytes]) -> list[float]:
        """columns: all of one length, one byte per block, in the order of training."""
        count = len(columns[0])
        read = int.from_bytes
        answers = [read(columns[column].translate(above), "little") for column, above in self._questions]
        lanes = read(b"\xff\0" * (count // 2 + 1), "little")
        even = odd = 0
        for asked, leaves in self._trees:
            reached = 0
            for question in asked:
                reached = reached << 1 | answers[question]
            values = read(reached.to_bytes(count, "little").translate(leaves), "little")
            even += values & lanes
            odd += values >> 8 & lanes
        half = count // 2 + 1
        sums = [0] * (2 * half)
        sums[0::2] = unpack(f"<{half}H", even.to_bytes(2 * half, "little"))
        sums[1::2] = unpack(f"<{half}H", odd.to_bytes(2 * half, "little"))
        scale, bias = self._scale, self._bias
        return [bias + scale * total for total in sums[:count]]
