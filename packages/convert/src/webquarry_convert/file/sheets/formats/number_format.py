"""Formatting of values: chooses the section of a format code, and adds the sign."""

from dataclasses import dataclass
from typing import ClassVar

from webquarry_convert.file.sheets.formats.code import Condition, Section, parse_sections
from webquarry_convert.file.sheets.formats.dates import FIRST_1904, LAST, DateSection
from webquarry_convert.file.sheets.formats.digits import NumberSection
from webquarry_convert.file.sheets.formats.general import as_written, format_general

_NOT_A_NUMBER = "#NUM!"


@dataclass(frozen=True, slots=True)
class _NumberPart:
    """A section for numbers. is_signed: whether negative numbers get a minus sign."""

    section: Section
    shows: NumberSection | DateSection | None
    is_signed: bool


class Format:
    """A number format for cell values.

    Never fails, for any code and any value. from_1904: whether dates are counted from 1904.
    """

    __slots__ = ("_figures", "_from_1904", "_parts", "_text", "is_general", "text_places")
    MAX_NUMBER_SECTIONS: ClassVar = 3

    def __init__(self, code: str, *, from_1904: bool = False) -> None:
        found = parse_sections(code)
        self._from_1904 = from_1904
        self._text = _find_text_section(found)
        tokens = [] if self._text is None else self._text.tokens
        self.text_places = max(1, sum(token.kind in {"text", "general"} for token in tokens))
        """How often the displayed form of a text repeats the value."""
        numbers = [section for section in found[: self.MAX_NUMBER_SECTIONS] if section is not self._text]
        self._parts = _build_parts(numbers)
        self._figures = _find_only_figures(self._parts)
        self.is_general = len(found) == 1 and [token.kind for token in found[0].tokens] == ["general"]

    def written(self, digits: str) -> str:
        """Format a number as stored in a file. Text that is not a number is returned unchanged."""
        if self.is_general and (shown := as_written(digits)) is not None:
            return shown
        try:
            return self.number(float(digits))
        except ValueError:
            return digits

    def number(self, value: float) -> str:
        if value != value or value in (float("inf"), float("-inf")):
            return _NOT_A_NUMBER
        if self.is_general:
            return format_general(value)
        if self._figures is not None:
            return f"-{self._figures.show(-value)}" if value < 0 else self._figures.show(value)
        part = self._find_part(value)
        if part is None:
            return format_general(value)
        tokens, shows = part.section.tokens, part.shows
        if isinstance(shows, DateSection):
            return self._format_moment(shows, value)
        sign = "-" if value < 0 and part.is_signed else ""
        if shows is not None:
            return sign + shows.show(abs(value))
        if part.section.has("general", "text"):
            number = format_general(abs(value))
            return sign + "".join(
                number if token.kind in {"general", "text"} else _write_literal(token.kind, token.text)
                for token in tokens
            )
        return sign + "".join(_write_literal(token.kind, token.text) for token in tokens)

    def text(self, value: str) -> str:
        if self._text is None:
            return value
        return "".join(
            value if token.kind in {"text", "general"} else _write_literal(token.kind, token.text)
            for token in self._text.tokens
        )

    def _find_part(self, value: float) -> _NumberPart | None:
        """Return the section for `value`, or None if no section applies."""
        parts = self._parts
        for part in parts:
            condition = part.section.condition
            if condition is None or condition.holds(value):
                return part
        return None

    def _format_moment(self, shows: DateSection, value: float) -> str:
        """Format a date or a time. Dates before day 0 can't be displayed, but elapsed times may be negative."""
        if shows.is_elapsed and value < 0:
            return "-" + shows.show(min(-value, LAST - 1))
        serial = value + FIRST_1904 if self._from_1904 and not shows.is_elapsed else value
        return shows.show(serial) if 0 <= serial < LAST else format_general(value)


def _find_text_section(found: list[Section]) -> Section | None:
    """Return the section for text: the fourth, or the last one if it has a text placeholder."""
    if len(found) > Format.MAX_NUMBER_SECTIONS:
        return found[Format.MAX_NUMBER_SECTIONS]
    return found[-1] if found[-1].has("text") else None


def _build_parts(numbers: list[Section]) -> list[_NumberPart]:
    """Return the number sections with their conditions.

    The default conditions are at least 0 and below 0 for two sections, and above 0, below 0 and otherwise for three.
    """
    parts: list[_NumberPart] = []
    for index, section in enumerate(numbers):
        condition = section.condition or _find_usual_condition(index, len(numbers))
        is_rest = index > 0 and condition is None
        first = parts[0].section.condition if parts else None
        negative_only = (condition is not None and condition.is_negative) or (
            is_rest and first is not None and first.takes_positive
        )
        shown = Section(section.tokens, condition, section.locale)
        parts.append(_NumberPart(shown, _make_formatter(section), is_signed=not negative_only))
    return parts


def _find_usual_condition(index: int, count: int) -> Condition | None:
    """Return the default condition of a section. index: the section's index. count: the number of sections."""
    if count > 1 and index == 0:
        return Condition(">" if count > 2 else ">=", 0)
    return Condition("<", 0) if count > 2 and index == 1 else None


def _find_only_figures(parts: list[_NumberPart]) -> NumberSection | None:
    """Return the section that formats all numbers, or None if there are several or the section is a date.

    Most formats are of this kind.
    """
    if len(parts) != 1 or parts[0].section.condition is not None or not isinstance(parts[0].shows, NumberSection):
        return None
    return parts[0].shows


def _make_formatter(section: Section) -> NumberSection | DateSection | None:
    if section.has("moment", "elapsed", "half"):
        return DateSection(section)
    if section.has("digit") and not section.has("general"):
        return NumberSection(section)
    return None


def _write_literal(kind: str, text: str) -> str:
    match kind:
        case "literal":
            return text
        case "percent":
            return "%"
        case "point":
            return "."
        case "comma":
            return ","
        case "slash":
            return f"/{text}"
        case _:
            return ""


GENERAL = Format("General")
