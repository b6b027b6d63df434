"""Character formatting, read from modifiers."""

from dataclasses import dataclass, replace
from typing import Any, Final

from webquarry_convert.file.text.line import BOLD, CODE, ITALIC, LOWERED, RAISED, STRIKE
from webquarry_convert.file.text.style_names import is_monospaced
from webquarry_convert.file.word97 import sprms
from webquarry_convert.file.word97.fonts import Font

_TOGGLES: Final = {sprms.BOLD: BOLD, sprms.ITALIC: ITALIC, sprms.STRIKE: STRIKE, sprms.DOUBLE_STRIKE: STRIKE}
_RAISED: Final = {1: RAISED, 2: LOWERED}
_AS_STYLE, _AGAINST_STYLE = 0x80, 0x81


@dataclass(frozen=True, slots=True)
class CharacterFormat:
    """The formatting of a run of characters; None where not specified.

    marks: formats turned on. cleared: formats turned off. turned: formats toggled relative to the paragraph style.
    style: the character style's index. is_contrary: whether the run is hidden exactly if the paragraph style is not; if
    so, is_hidden is True. size, position: the font size, and the height above the line, in half points. far_font:
    font for East Asian characters.
    """

    marks: int = 0
    cleared: int = 0
    turned: int = 0
    is_hidden: bool | None = None
    is_contrary: bool = False
    is_deleted: bool = False
    font: Font | None = None
    symbol: tuple[int, str] | None = None
    style: int | None = None
    language: int | None = None
    picture: int | None = None
    is_data: bool = False
    size: int | None = None
    position: int | None = None
    far_font: Font | None = None

    def decide_hidden(self, below: "CharacterFormat") -> bool:
        """Return whether the run is hidden. below: formatting of the paragraph style."""
        if self.is_hidden is None:
            return bool(below.is_hidden)
        return not below.is_hidden if self.is_contrary else self.is_hidden

    def on(self, base: "CharacterFormat") -> "CharacterFormat":
        """Return the formatting of a style that is based on another style, with formats toggled relative to the base
        style resolved.
        """
        merged = self.over(base)
        on, off = self.turned & ~base.marks, self.turned & base.marks
        return replace(
            merged,
            marks=(merged.marks | on) & ~off,
            cleared=(merged.cleared & ~on) | off,
            turned=0,
            is_hidden=None if merged.is_hidden is None else self.decide_hidden(base),
            is_contrary=False,
        )

    def over(self, below: "CharacterFormat") -> "CharacterFormat":
        if below is PLAIN:
            return self
        if self is PLAIN:
            return below
        return CharacterFormat(
            self.marks | (below.marks & ~self.cleared),
            self.cleared | (below.cleared & ~self.marks),
            self.turned | (below.turned & ~(self.marks | self.cleared)),
            *((below.is_hidden, below.is_contrary) if self.is_hidden is None else (self.is_hidden, self.is_contrary)),
            self.is_deleted or below.is_deleted,
            self.font or below.font,
            self.symbol or below.symbol,
            below.style if self.style is None else self.style,
            below.language if self.language is None else self.language,
            below.picture if self.picture is None else self.picture,
            self.is_data or below.is_data,
            below.size if self.size is None else self.size,
            below.position if self.position is None else self.position,
            self.far_font or below.far_font,
        )


PLAIN: Final = CharacterFormat()
USUAL_SIZE: Final = 20
"""Default font size, in half points."""


class CharacterFormats:
    """Character formats, cached by modifiers, because most runs have the same modifiers."""

    def __init__(self, fonts: list[Font], *, is_old: bool) -> None:
        self._fonts = fonts
        self._is_old = is_old
        self._known: dict[bytes, CharacterFormat] = {b"": PLAIN}

    def look(self, sprms: bytes) -> CharacterFormat:
        known = self._known.get(sprms)
        if known is None:
            known = self._known[sprms] = self._read(sprms)
        return known

    def _read(self, sprm_bytes: bytes) -> CharacterFormat:
        fields: dict[str, Any] = {}
        for code, operand in sprms.read_sprms(sprm_bytes, is_old=self._is_old):
            if code in _TOGGLES:
                _toggle(fields, _TOGGLES[code], operand[0])
            elif code in _FLAGS:
                fields[_FLAGS[code]] = bool(operand[0] & 1)
            elif code in _NUMBERS:
                fields[_NUMBERS[code]] = sprms.parse_number(operand)
            elif code == sprms.PLAIN:
                for name in _PLAIN_AGAIN:
                    fields.pop(name, None)
            else:
                self._read_other(fields, code, operand)
        return CharacterFormat(**fields)

    def _read_other(self, fields: dict[str, Any], code: int, operand: bytes) -> None:
        """Apply a code that is not in the tables. fields: the values of a `CharacterFormat`."""
        if code == sprms.RAISED:
            fields["marks"] = (fields.get("marks", 0) & ~(RAISED | LOWERED)) | _RAISED.get(operand[0], 0)
        elif code == sprms.HIDDEN:
            fields["is_contrary"] = operand[0] == _AGAINST_STYLE
            fields["is_hidden"] = None if operand[0] == _AS_STYLE else bool(operand[0] & 1)
        elif code == sprms.FONT:
            font = fields["font"] = self._find_font(sprms.parse_number(operand))
            is_code = font is not None and is_monospaced(font.name)
            fields["marks"] = (fields.get("marks", 0) & ~CODE) | (CODE if is_code else 0)
        elif code == sprms.FAR_FONT:
            fields["far_font"] = self._find_font(sprms.parse_number(operand))
        elif code == sprms.SYMBOL and len(operand) > 2:
            shown = self._find_font(sprms.parse_number(operand[:2]))
            fields["symbol"] = sprms.parse_number(operand[2:4]), "" if shown is None else shown.name
        elif code == sprms.POSITION:
            fields["position"] = int.from_bytes(operand, "little", signed=True)

    def _find_font(self, number: int) -> Font | None:
        return self._fonts[number] if number < len(self._fonts) else None


def _toggle(fields: dict[str, Any], mark: int, value: int) -> None:
    """Apply a code that turns a mark on or off. fields: the values of a `CharacterFormat`."""
    if value == _AGAINST_STYLE:
        fields["turned"] = fields.get("turned", 0) | mark
    elif value != _AS_STYLE:
        on, off = ("marks", "cleared") if value else ("cleared", "marks")
        fields[on] = fields.get(on, 0) | mark
        fields[off] = fields.get(off, 0) & ~mark


_FLAGS: Final = {sprms.DELETED: "is_deleted", sprms.IS_DATA: "is_data"}
_NUMBERS: Final = {
    sprms.LETTER_STYLE: "style",
    sprms.LANGUAGE: "language",
    sprms.OLD_LANGUAGE: "language",
    sprms.PICTURE: "picture",
    sprms.SIZE: "size",
}
"""Fields that store the operand of a code as a flag or a number."""
_PLAIN_AGAIN: Final = ("marks", "cleared", "turned", "is_hidden", "font", "far_font", "size", "position", "is_contrary")
"""Fields that the code for plain text resets."""
