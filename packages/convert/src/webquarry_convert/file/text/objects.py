"""Embedded objects of other programs. They are dropped, and a warning states their number."""

import re
from collections import Counter
from typing import Final

_FORMULAS: Final = re.compile(r"equation|math", re.IGNORECASE)
_CONTROLS: Final = "Forms."
_EMBEDDED: Final = re.compile(r"\s*(?:EMBED|CONTROL)\s+([\w.:]+)", re.IGNORECASE)
_TOLD: Final = {
    "formulas": "Formulas embedded as objects are omitted",
    "controls": "Form controls are omitted",
}


class LeftOut:
    """Embedded objects that were dropped from a document, counted by kind. whole: the document type's name."""

    def __init__(self, whole: str = "document") -> None:
        self._told = {**_TOLD, "documents": f"Embedded documents in the {whole} are omitted"}
        self._counts: Counter[str] = Counter()

    def add(self, program: str = "") -> None:
        """Count an object.

        program: the program's identifier in the file, such as `Excel.Sheet.12`, `Equation.3` or `Forms.CheckBox.1`.
        """
        if program.startswith(_CONTROLS):
            self._counts["controls"] += 1
        elif _FORMULAS.match(program):
            self._counts["formulas"] += 1
        else:
            self._counts["documents"] += 1

    def add_field(self, instruction: str) -> None:
        """Count the object that a field may embed. instruction: the field's instruction, such as `EMBED Equation.3` or
        `CONTROL Forms.CheckBox.1`.
        """
        found = _EMBEDDED.match(instruction)
        if found is not None:
            self.add(found[1])

    def build_warnings(self) -> list[str]:
        return [f"{told}: {count:,}." for kind, told in self._told.items() if (count := self._counts[kind])]
