"""Styles by name, including inherited formatting, and the labels of lists."""

import re
from dataclasses import dataclass, replace
from typing import Final

from webquarry_convert.file.text.labels import MAX_LABEL, MAX_NUMBER, format_label
from webquarry_convert.file.text.line import BOLD, CODE, ITALIC, LOWERED, RAISED, STRIKE
from webquarry_convert.file.text.odf.package import FO, OFFICE, STYLE, TEXT
from webquarry_convert.file.text.style_names import (
    is_code,
    is_code_word,
    is_monospaced,
    is_quote,
    is_title,
    read_heading_level,
)
from webquarry_convert.file.xml import Element

_BOLD: Final = frozenset({"bold", "600", "700", "800", "900"})
_ESCAPE: Final = re.compile("_([0-9a-f]{1,6})_")
LEVELS: Final = 10


@dataclass(frozen=True, slots=True)
class Style:
    """The properties of a named style that matter for markdown.

    marks: formats turned on. cleared: formats turned off. outline: the heading level that the style's name implies.
    """

    marks: int = 0
    cleared: int = 0
    is_hidden: bool | None = None
    is_title: bool = False
    is_code: bool = False
    is_quote: bool = False
    outline: int | None = None
    list_style: str | None = None

    def over(self, below: "Style") -> "Style":
        return Style(
            self.marks | (below.marks & ~self.cleared),
            self.cleared | (below.cleared & ~self.marks),
            below.is_hidden if self.is_hidden is None else self.is_hidden,
            self.is_title or below.is_title,
            self.is_code or below.is_code,
            self.is_quote or below.is_quote,
            below.outline if self.outline is None else self.outline,
            below.list_style if self.list_style is None else self.list_style,
        )


PLAIN: Final = Style()


_COUNTED: Final = frozenset({"1", "01"})
"""Number formats whose labels can be replaced with a number.

Other labels, such as "(b)" and "iv.", are kept because the text refers to them.
"""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list.

    form: the number format, written as its first label (`1`, `a`); "" for no number, None for a bullet. depth: number
    of levels that the label displays.
    """

    form: str | None = None
    before: str = ""
    after: str = ""
    start: int = 1
    depth: int = 1

    def label(self, counts: list[int], forms: list[str | None]) -> tuple[int | None, str]:
        """Return an item's number if its label is plain, or otherwise its label as text.

        counts, forms: the numbers and formats of the levels from the outermost to this one.
        """
        if not self.form:
            return None, (self.before + self.after).strip() if self.form is not None else ""
        if self.depth <= 1 and self.form in _COUNTED and not any(map(str.isalnum, self.before + self.after)):
            return counts[-1], ""
        first = max(len(counts) - self.depth, 0)
        parts = [format_label(count, form or "1") for count, form in zip(counts[first:], forms[first:], strict=True)]
        return None, f"{self.before}{'.'.join(parts)}{self.after}".strip()


BULLET: Final = Level()
ListStyle = dict[int, Level]


class Styles:
    """All styles of a document. roots: the root elements of the parts that declare styles, in order of precedence."""

    def __init__(self, *roots: Element | None) -> None:
        self._own: dict[tuple[str, str], tuple[Style, str | None]] = {}
        self._whole: dict[tuple[str, str], Style] = {}
        self._lists: dict[str, ListStyle] = {}
        self.outline: ListStyle = {}
        """The labels of headings."""
        self.language: str | None = None
        for root in roots:
            if root is not None:
                for name in ("automatic-styles", "styles"):
                    group = root.find(f"{OFFICE}{name}")
                    for node in group if group is not None else ():
                        self._add(node)

    def get(self, family: str, name: str | None) -> Style:
        """Return a style.

        family: `paragraph` or `text`. An undeclared style is a built-in style, which its name identifies.
        """
        key = (family, name or "")
        known = self._whole.get(key)
        if known is not None:
            return known
        chain: dict[tuple[str, str], Style] = {}
        at: tuple[str, str] | None = key
        while at is not None and at in self._own and at not in chain and at not in self._whole:
            chain[at], parent = self._own[at]
            at = None if parent is None else (family, parent)
        whole = PLAIN if at is None or at in chain else self._whole.get(at) or _name_style(*at)
        for one in reversed(chain):
            whole = self._whole[one] = chain[one].over(whole)
        self._whole[key] = whole
        return whole

    def list_style(self, name: str | None) -> ListStyle | None:
        return self._lists.get(name or "")

    def _add(self, node: Element) -> None:
        tag, name = node.tag, node.get(f"{STYLE}name", "")
        if tag == f"{STYLE}style":
            family = node.get(f"{STYLE}family", "")
            if family in ("paragraph", "text"):
                self._own.setdefault(
                    (family, name), (_read_style(node, name, family), node.get(f"{STYLE}parent-style-name"))
                )
        elif tag == f"{TEXT}list-style":
            self._lists.setdefault(name, _read_levels(node))
        elif tag == f"{TEXT}outline-style":
            self.outline = self.outline or _read_levels(node)
        elif tag == f"{STYLE}default-style" and node.get(f"{STYLE}family") == "paragraph":
            self.language = self.language or _read_language(node.find(f"{STYLE}text-properties"))


def _read_language(text: Element | None) -> str | None:
    language = None if text is None else text.get(f"{FO}language")
    if text is None or not language:
        return None
    region = text.get(f"{FO}country")
    return f"{language}-{region}" if region not in (None, "none") else language


def _name_style(family: str, name: str) -> Style:
    """Return the style that a name implies. name: the displayed or the stored name."""
    shown = _ESCAPE.sub(_decode_sign, name)
    if family == "text":
        return Style(marks=CODE if is_code_word(shown) else 0)
    return Style(
        is_title=is_title(shown),
        is_code=is_code(shown),
        is_quote=is_quote(shown),
        outline=read_heading_level(shown),
    )


def _read_style(node: Element, name: str, family: str) -> Style:
    named = _name_style(family, node.get(f"{STYLE}display-name") or name)
    style = replace(named, list_style=node.get(f"{STYLE}list-style-name"))
    text = node.find(f"{STYLE}text-properties")
    return style if text is None else _add_marks(style, text)


def _add_marks(style: Style, text: Element) -> Style:
    """Return a style with the marks of its text properties."""
    marks, cleared = style.marks | _read_place(text), 0
    weight, slant = text.get(f"{FO}font-weight"), text.get(f"{FO}font-style")
    line = text.get(f"{STYLE}text-line-through-style") or text.get(f"{STYLE}text-line-through-type")
    toggles = ((BOLD, weight, weight in _BOLD), (ITALIC, slant, slant != "normal"), (STRIKE, line, line != "none"))
    for mark, value, is_on in toggles:
        if value is not None:
            marks, cleared = (marks | mark, cleared) if is_on else (marks, cleared | mark)
    if is_monospaced(text.get(f"{STYLE}font-name") or text.get(f"{FO}font-family") or ""):
        marks |= CODE
    display = text.get(f"{TEXT}display")
    hidden = None if display is None else display == "none"
    return replace(style, marks=marks, cleared=cleared, is_hidden=hidden)


def _read_place(text: Element) -> int:
    """Return `RAISED` or `LOWERED` for a text that is above or below the line, or 0 for other text."""
    place = text.get(f"{STYLE}text-position", "").split(" ")[0]
    if place == "super" or (place[:1].isdigit() and place.strip("0%") != ""):
        return RAISED
    return LOWERED if place == "sub" or place.startswith("-") else 0


def _read_levels(node: Element) -> ListStyle:
    levels: ListStyle = {}
    for child in node:
        at = parse_number(child.get(f"{TEXT}level"))
        if at is None or not 1 <= at <= LEVELS:
            continue
        if child.tag in (f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"):
            levels[at] = Level(
                child.get(f"{STYLE}num-format", ""),
                child.get(f"{STYLE}num-prefix", "")[:MAX_LABEL],
                child.get(f"{STYLE}num-suffix", "")[:MAX_LABEL],
                min(parse_number(child.get(f"{TEXT}start-value")) or 1, MAX_NUMBER),
                min(parse_number(child.get(f"{TEXT}display-levels")) or 1, LEVELS),
            )
        else:
            levels[at] = BULLET
    return levels


def parse_number(text: str | None) -> int | None:
    """Return the number in an attribute, or None if the attribute is invalid."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _decode_sign(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code < 0xD800 else ""
