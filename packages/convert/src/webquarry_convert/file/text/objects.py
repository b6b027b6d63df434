"""What stands in a document as an object of another program and is left out; its reader is told of how many."""

import re
from collections import Counter
from typing import Final

_FORMULAS: Final = re.compile(r"equation|math", re.IGNORECASE)
_CONTROLS: Final = "Forms."
_EMBEDDED: Final = re.compile(r"\s*(?:EMBED|CONTROL)\s+([\w.:]+)", re.IGNORECASE)
_TOLD: Final = {
    "formulas": "Formulas that are objects of another program are left out",
    "controls": "Controls of forms are left out",
}


class LeftOut:
    """Objects that are left out of one document, counted by what they are. whole: what the document is called."""

    def __init__(self, whole: str = "document") -> None:
        self._told = {**_TOLD, "documents": f"Documents within the {whole} are left out"}
        self._counts: Counter[str] = Counter()

    def add(self, program: str = "") -> None:
        """program: as files name it, such as `Excel.Sheet.12`, `Equation.3` or `Forms.CheckBox.1`."""
        if program.startswith(_CONTROLS):
            self._counts["controls"] += 1
        elif _FORMULAS.match(program):
            self._counts["formulas"] += 1
        else:
            self._counts["documents"] += 1

    def add_field(self, instruction: str) -> None:
        """instruction: of a field, which may embed an object: `EMBED Equation.3`, `CONTROL Forms.CheckBox.1`."""
        found = _EMBEDDED.match(instruction)
        if found is not None:
            self.add(found[1])

    def build_warnings(self) -> list[str]:
        return [f"{told}: {count:,}." for kind, told in self._told.items() if (count := self._counts[kind])]
