"""The expected reading of a generated document: text, tables as rows of cells, headings with levels, and facts.

The format is defined by the evaluation kit.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

_FACTS_OF_TABLE = 5
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_BETWEEN = r"(?:\W|<br>)"


@dataclass(slots=True)
class Truth:
    """The truth of a document. draw: random generator for the seed."""

    draw: Random
    text: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)

    def state_heading(self, level: int, text: str) -> None:
        self.text.append(text)
        self.headings.append((level, text))

    def record(self, texts: Sequence[str]) -> None:
        """Record texts, each on a separate line."""
        self.text += texts
        self.facts += [{"type": "line", "text": text} for text in texts]

    def state(self, *texts: str) -> None:
        """State that each text occurs."""
        self.facts += [{"type": "present", "text": text} for text in texts]

    def deny(self, *texts: str) -> None:
        """State that no text occurs."""
        self.facts += [{"type": "absent", "text": text} for text in texts]

    def match(self, pattern: str) -> None:
        """State that the markdown matches the regular expression."""
        self.facts.append({"type": "regex", "pattern": pattern})

    def follow(self, *texts: str, from_start: bool = False, to_end: bool = False) -> None:
        """State that the words of the texts follow each other. from_start, to_end: whether they begin and end a line or
        row.
        """
        words = f"{_BETWEEN}+".join(map(_allow_raised, re.findall(r"\w+", " ".join(texts))))
        start = f"(?m)^{_BETWEEN}*" if from_start else r"(?m)\b"
        self.match(f"{start}{words}{f'{_BETWEEN}*$' if to_end else ''}")

    def state_items(self, texts: Sequence[str], *, mark: str = "[-*+]", depth: int = 0) -> None:
        """State that each text is a list item. mark: pattern of the marker. depth: number of lists that enclose the
        item's list.
        """
        for text in texts:
            words = r"\W+".join(map(re.escape, re.findall(r"\w+", text)))
            self.match(rf"(?m)^\s{{{2 * depth},}}{mark} {words}")

    def state_table(self, cells: list[list[str]], heads: int) -> None:
        """State a table. heads: number of rows above the values."""
        self.tables.append(cells)
        self.text += [" ".join(filter(None, row)) for row in cells]
        self.state_relations(cells, heads)

    def state_relations(self, cells: list[list[str]], heads: int) -> None:
        """State facts: each value that occurs only once is below its header and next to its label."""
        flat = [cell for row in cells for cell in row]
        top = cells[heads - 1]
        known = [
            (row, column)
            for row in range(heads, len(cells))
            for column in range(1, len(cells[row]))
            if flat.count(cells[row][column]) == 1 and cells[row][column] and top[column] and cells[row][0]
        ]
        for row, column in self.draw.sample(known, min(_FACTS_OF_TABLE, len(known))):
            self.facts.append(
                {"type": "table", "cell": cells[row][column], "top_heading": top[column], "left_heading": cells[row][0]}
            )

    def expected(self) -> dict[str, Any]:
        """Return the truth in the format of the kit."""
        return {
            "text": "\n".join(self.text),
            "tables": self.tables or None,
            "headings": self.headings or None,
            "facts": self.facts or None,
        }


def _allow_raised(word: str) -> str:
    """Return a pattern of a word in which note marks may be superscripts."""
    return f"(?:{word}|{word.translate(_RAISED)})" if word.isascii() and word.isdigit() and len(word) < 3 else word
