"""The style sheet: the formatting of paragraph and character styles."""

import struct
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.text.line import CODE
from webquarry_convert.file.text.style_names import is_code, is_code_word, is_title, read_heading_level
from webquarry_convert.file.word97.characters import PLAIN, CharacterFormat, CharacterFormats
from webquarry_convert.file.word97.header import Header
from webquarry_convert.file.word97.paragraphs import NOTHING, ParagraphProperties, Paragraphs

_HEADINGS: Final = range(1, 10)
_TITLE: Final = 62
_LETTERS: Final = 2
"""The type of character styles."""
_NONE: Final = 0xFFF
_USUAL_FONTS_AT: Final = 14
_MAX_STYLES: Final = 0xFFF


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph or character style.

    base: the index of the style on which it is based. properties: the properties of its paragraphs. look: the
    formatting of its characters. is_letters: whether it is a character style.
    """

    base: int
    is_title: bool = False
    is_code: bool = False
    properties: ParagraphProperties = NOTHING
    look: CharacterFormat = PLAIN
    is_letters: bool = False

    def over(self, below: "Style") -> "Style":
        return Style(
            below.base,
            is_title=self.is_title or (below.is_title and self.properties.outline is None),
            is_code=self.is_code or below.is_code,
            properties=self.properties.over(below.properties),
            look=self.look.over(below.look) if self.is_letters else self.look.on(below.look),
            is_letters=self.is_letters,
        )


NO_STYLE: Final = Style(_NONE)


def _read_usual_fonts(part: bytes, *, is_old: bool) -> tuple[int | None, int | None]:
    size = 2 if is_old else 4
    if len(part) < _USUAL_FONTS_AT + size:
        return None, None
    numbers = struct.unpack_from("<2H", part.ljust(_USUAL_FONTS_AT + 4, b"\0"), _USUAL_FONTS_AT)
    return numbers[0], None if is_old else numbers[1]


class Styles:
    """The styles by index, with inherited formatting."""

    def __init__(self, header: Header, letters: CharacterFormats, paragraphs: Paragraphs) -> None:
        self._letters = letters
        self._paragraphs = paragraphs
        self._is_old = header.is_old
        part = header.part("styles")
        self._own = self._read(part)
        self.usual_fonts = _read_usual_fonts(part, is_old=header.is_old)
        """Indexes of the default fonts for all characters and for East Asian characters."""
        self._whole: dict[int, Style] = {}

    def get(self, number: int) -> Style:
        known = self._whole.get(number)
        if known is not None:
            return known
        chain: list[int] = []
        at = number
        whole = NO_STYLE
        while 0 <= at < len(self._own) and at not in chain:
            if at in self._whole:
                whole = self._whole[at]
                break
            chain.append(at)
            at = self._own[at].base
        for one in reversed(chain):
            whole = self._own[one].over(whole)
            self._whole[one] = whole
        return whole

    def _read(self, part: bytes) -> list[Style]:
        if len(part) < 6:
            return []
        length, count, size = struct.unpack_from("<3H", part)
        at = 2 + length
        styles: list[Style] = []
        while len(styles) < min(count, _MAX_STYLES) and at + 2 <= len(part):
            (length,) = struct.unpack_from("<H", part, at)
            styles.append(self._style(part[at + 2 : at + 2 + length], size))
            at += 2 + length
        return styles

    def _style(self, raw: bytes, size: int) -> Style:
        """Parse a style. size: the number of bytes before the style's name."""
        if len(raw) < max(size, 6):
            return NO_STYLE  # the index is unused
        identity, kind, parts = (sprm & mask for sprm, mask in zip(struct.unpack_from("<3H", raw), _MASKS, strict=True))
        base = struct.unpack_from("<H", raw, 2)[0] >> 4
        name, at = self._name(raw, size)
        properties, look = NOTHING, PLAIN
        is_letters = kind == _LETTERS
        for part in range(min(parts, 3)):
            at += at & 1
            if at + 2 > len(raw):
                break
            (length,) = struct.unpack_from("<H", raw, at)
            body = raw[at + 2 : at + 2 + length]
            at += 2 + length
            if part == 0 and not is_letters:
                properties = self._paragraphs.read_properties(body[2:])
            elif part == (not is_letters):
                look = self._letters.look(body)
        level = identity - 1 if identity in _HEADINGS else None
        if level is None and not is_letters:
            named = read_heading_level(name)
            level = None if named is None else named - 1
        if properties.outline is None and level is not None:
            properties = properties.over(ParagraphProperties(outline=level))
        if is_letters and is_code_word(name):
            look = look.over(CharacterFormat(marks=CODE))
        is_named_title = not is_letters and (identity == _TITLE or is_title(name))
        return Style(base, is_named_title, not is_letters and is_code(name), properties, look, is_letters)

    def _name(self, raw: bytes, at: int) -> tuple[str, int]:
        """Return a style's name, without aliases after a comma, and the offset of its formatting."""
        if self._is_old:
            length = raw[at] if at < len(raw) else 0
            return raw[at + 1 : at + 1 + length].decode("cp1252", "replace").partition(",")[0], at + length + 2
        length = 2 * int.from_bytes(raw[at : at + 2], "little")
        name = raw[at + 2 : at + 2 + length]
        return name[: len(name) & ~1].decode("utf-16-le", "replace").partition(",")[0], at + length + 4


_MASKS: Final = (0xFFF, 0xF, 0xF)
"""Bit masks for a style's first three words: built-in number, type, and number of formatting entries."""
