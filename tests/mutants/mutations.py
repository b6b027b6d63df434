"""Mutations of a module: the small changes of its source that a test should notice."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_COMPARISONS: Final = {
    b"<=": b"<",
    b">=": b">",
    b"<": b"<=",
    b">": b">=",
    b"==": b"!=",
    b"!=": b"==",
    b"is not": b"is",
    b"is": b"is not",
    b"not in": b"in",
    b"in": b"not in",
}
_COMPARISON: Final = re.compile(rb"<=|>=|==|!=|<|>|\bis\s+not\b|\bnot\s+in\b|\bis\b|\bin\b")
_JOIN: Final = re.compile(rb"\b(and|or)\b")
_NOT: Final = re.compile(rb"not\b\s*")
_TABLE_SIZE: Final = 12
"""Minimum number of elements of a literal that counts as a table. A table's numbers are data and are not mutated."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A replacement of source[start:end], in bytes. line: the line where it begins, counted from 1."""

    line: int
    start: int
    end: int
    before: bytes
    after: bytes

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.after + source[self.end :]

    def __str__(self) -> str:
        return f"`{_shorten(self.before)}` → `{_shorten(self.after)}`"


def find_mutations(source: bytes) -> list[Mutation]:
    """Return the mutations of a module in source order.

    Annotations, decorators, docstrings, f-strings, tables of numbers, and code that only a type checker or a command
    line runs are not mutated.
    """
    return sorted(_Finder(source).visit(ast.parse(source)), key=lambda mutation: (mutation.start, mutation.after))


class _Finder:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def visit(self, node: ast.AST) -> Iterator[Mutation]:
        if _is_left_alone(node):
            return
        if isinstance(node, ast.Compare):
            yield from self._compare(node)
        elif isinstance(node, ast.BoolOp):
            for left, right in pairwise(node.values):
                yield from self._between(left, right, _JOIN, {b"and": b"or", b"or": b"and"})
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from self._negation(node)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield self._replace(node, str(node.value + 1).encode())
            yield self._replace(node, str(node.value - 1).encode())
        elif isinstance(node, ast.Return) and node.value is not None:
            yield from self._returned(node.value)
        for child in _children(node):
            yield from self.visit(child)

    def _compare(self, node: ast.Compare) -> Iterator[Mutation]:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            yield from self._between(left, right, _COMPARISON, _COMPARISONS)

    def _between(
        self, left: ast.expr, right: ast.expr, pattern: re.Pattern[bytes], swaps: dict[bytes, bytes]
    ) -> Iterator[Mutation]:
        """Yield the mutation of the operator between two operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        found = pattern.search(self._source, start, end)
        if found is not None:
            operator = b" ".join(found[0].split())
            yield self._make(found.start(), found.end(), swaps[operator])

    def _negation(self, node: ast.UnaryOp) -> Iterator[Mutation]:
        found = _NOT.match(self._source, self._span(node)[0])
        if found is not None:
            yield self._make(found.start(), found.end(), b"")

    def _returned(self, value: ast.expr) -> Iterator[Mutation]:
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            yield self._replace(value, str(not value.value).encode())
        elif not (isinstance(value, ast.Constant) and value.value is None):
            yield self._replace(value, b"None")

    def _replace(self, node: ast.expr, after: bytes) -> Mutation:
        return self._make(*self._span(node), after)

    def _make(self, start: int, end: int, after: bytes) -> Mutation:
        line = self._source.count(b"\n", 0, start) + 1
        return Mutation(line, start, end, self._source[start:end], after)

    def _span(self, node: ast.expr) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[end_line - 1] + end_column


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr):  # before Python 3.12, its parts have no positions
        return True
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return len(node.elts) >= _TABLE_SIZE
    if isinstance(node, ast.Dict):
        return len(node.keys) >= _TABLE_SIZE
    return isinstance(node, ast.If) and any(name in ast.dump(node.test) for name in ("TYPE_CHECKING", "__main__"))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _shorten(text: bytes) -> str:
    words = " ".join(text.decode().split())
    return words if len(words) <= 60 else f"{words[:59]}…"
