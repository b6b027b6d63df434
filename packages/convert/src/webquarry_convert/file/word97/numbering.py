"""Numbering of lists, which gives each item the label that Word shows.

A paragraph refers to a list and a level. A list takes its levels from a template. All lists with the same template
share its counters, unless one of them restarts. Word 6 has no lists: each paragraph specifies its label, and adjacent
paragraphs continue the numbers.
"""

import re
import struct
from dataclasses import dataclass, field
from typing import Final

from webquarry_convert.file.text.blocks import Item
from webquarry_convert.file.text.labels import MAX_LABEL, MAX_NUMBER, format_label
from webquarry_convert.file.text.list_counting import LEVELS, count_item
from webquarry_convert.file.word97.header import Header
from webquarry_convert.file.word97.paragraphs import OldNumber, ParagraphProperties
from webquarry_convert.file.word97.sprms import LEFT, read_sprms

_PLACE: Final = re.compile("[\0-\x08]")
_SPELLED: Final = {1: "I", 2: "i", 3: "A", 4: "a", 255: ""}
"""Number formats whose labels must not be replaced with digits, because the text refers to "(b)" and "iv." as
displayed.
"""
_FORMS: Final = {**_SPELLED, 22: "01"}
_BULLETS: Final = frozenset({23, 24})
_NOTHING: Final = 255
_TEMPLATE, _LEVEL, _LIST = struct.Struct("<i22xBx"), struct.Struct("<iBB18x3Bx"), struct.Struct("<i8xB3x")
_OVERRIDE: Final = struct.Struct("<iI")
_OLD_COUNTED, _OLD_BULLET = 10, 11


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a list.

    form: Word's code of the number format. text: the label's text, in which control characters represent numbers and
    their levels. left: see `Item`.
    """

    start: int = 1
    form: int = 0
    text: str = ""
    restart: int | None = None
    is_legal: bool = False
    left: int | None = None


_BULLET: Final = _Level(form=23)


@dataclass(slots=True)
class _Template:
    """A template with the levels of lists.

    counts: the last displayed number on each level, or None if there is no number yet.
    """

    levels: list[_Level] = field(default_factory=list)
    counts: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


@dataclass(slots=True)
class _List:
    template: _Template
    levels: dict[int, _Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)
    begun: set[int] = field(default_factory=set)

    def level(self, level: int) -> _Level | None:
        own = self.levels.get(level)
        if own is not None:
            return own
        return self.template.levels[level] if level < len(self.template.levels) else None


class Numbering:
    """The lists of a document and their counters."""

    def __init__(self, header: Header) -> None:
        self._lists = _read_lists(header.part("list overrides"), _read_templates(header))
        self._old: OldNumber | None = None
        self._old_count = 0

    def item(self, properties: ParagraphProperties) -> Item | None:
        """Return a paragraph's list item, or None if the paragraph is not an item."""
        if properties.number is not None and properties.number_level in (_OLD_COUNTED, _OLD_BULLET):
            return self._count_old_item(properties.number, properties.number_level)
        return self._next(properties.list, properties.level or 0) if properties.list else None

    def reset_old_count(self) -> None:
        """Restart the numbers of Word 6 after a paragraph that is not an item."""
        self._old = None

    def _count_old_item(self, number: OldNumber, level: int) -> Item | None:
        if level == _OLD_BULLET:
            self._old = None
            return Item(0)
        goes_on = self._old is not None and (self._old.form, self._old.after) == (number.form, number.after)
        self._old_count = min(self._old_count + 1, MAX_NUMBER) if goes_on else number.start
        self._old = number
        if number.form not in _SPELLED and not any(map(str.isalnum, number.before + number.after)):
            return Item(0, self._old_count)
        label = f"{number.before}{format_label(self._old_count, _FORMS.get(number.form, '1'))}{number.after}"
        return Item(0, label=label.strip())

    def _next(self, number: int, level: int) -> Item | None:
        if number > len(self._lists) or not 0 <= level < LEVELS:
            return None
        found = self._lists[number - 1]
        if found is None:
            return None
        here = found.level(level) or _BULLET
        if here.form in _BULLETS:
            return Item(level, left=here.left)
        count = count_item(found.template.counts, found, level, here)
        return _build_item(found, here, level, count)


def _build_item(found: _List, here: _Level, level: int, count: int) -> Item | None:
    places = [ord(place) for place in _PLACE.findall(here.text)]
    if not places and (here.form == _NOTHING or not here.text.strip()):
        label = here.text.strip()
        return Item(level, label=label) if label else None
    if places == [level] and here.form not in _SPELLED and not any(map(str.isalnum, here.text)):
        return Item(level, count, left=here.left)
    label = _PLACE.sub(lambda place: _format_level(found, here, ord(place[0])), here.text).strip()
    return Item(level, label=label, left=here.left)


def _format_level(found: _List, here: _Level, at: int) -> str:
    level = found.level(at) or _Level()
    count = found.template.counts[at]
    form = "1" if here.is_legal else _FORMS.get(level.form, "1")
    return format_label(level.start if count is None else count, form)


def _read_templates(header: Header) -> dict[int, _Template]:
    """Return the templates by identifier.

    The levels are stored after the list of templates, whose length does not include them.
    """
    first, length = header.place("lists")
    part = header.tables[first:] if length else b""
    templates: dict[int, _Template] = {}
    if len(part) < 2:
        return templates
    count = min(struct.unpack_from("<H", part)[0], (len(part) - 2) // _TEMPLATE.size)
    at = 2 + count * _TEMPLATE.size
    for one in range(count):
        identity, flags = _TEMPLATE.unpack_from(part, 2 + one * _TEMPLATE.size)
        template = templates.setdefault(identity, _Template())
        for _ in range(1 if flags & 1 else LEVELS):
            level, at = _read_level(part, at)
            if level is None:
                return templates
            template.levels.append(level)
    return templates


def _read_level(part: bytes, at: int) -> tuple[_Level | None, int]:
    """Return a level, and the offset at which the next level begins."""
    if at + _LEVEL.size + 2 > len(part):
        return None, at
    start, form, flags, letters, paragraphs, limit = _LEVEL.unpack_from(part, at)
    at += _LEVEL.size
    left = None
    for code, operand in read_sprms(part[at : at + paragraphs], is_old=False):
        left = int.from_bytes(operand, "little", signed=True) if code in LEFT else left
    at += letters + paragraphs
    length = 2 * int.from_bytes(part[at : at + 2], "little")
    text = part[at + 2 : at + 2 + min(length, 2 * MAX_LABEL)]
    level = _Level(
        start=min(max(start, 0), MAX_NUMBER),
        form=form,
        text=text[: len(text) & ~1].decode("utf-16-le", "replace"),
        restart=limit if flags & 0x08 else None,
        is_legal=bool(flags & 0x04),
        left=left,
    )
    return level, at + 2 + length


def _read_lists(part: bytes, templates: dict[int, _Template]) -> list[_List | None]:
    if len(part) < 4:
        return []
    count = min(struct.unpack_from("<I", part)[0], (len(part) - 4) // _LIST.size)
    at = 4 + count * _LIST.size
    lists: list[_List | None] = []
    for one in range(count):
        identity, changes = _LIST.unpack_from(part, 4 + one * _LIST.size)
        template = templates.get(identity)
        found = None if template is None else _List(template)
        lists.append(found)
        at += 4
        for _ in range(changes):
            if at + _OVERRIDE.size > len(part):
                break
            at = _read_change(part, at, found)
    return lists


def _read_change(part: bytes, at: int, changed: _List | None) -> int:
    """Apply the change of a level to a list, and return the change's end. A list without a template is None."""
    start, flags = _OVERRIDE.unpack_from(part, at)
    at += _OVERRIDE.size
    level = None
    if flags & 0x20:
        level, at = _read_level(part, at)
    number = flags & 0xF
    if changed is None or number >= LEVELS:
        return at
    if level is not None:
        changed.levels[number] = level
    if flags & 0x10:
        changed.starts[number] = level.start if level is not None else min(max(start, 0), MAX_NUMBER)
    return at
