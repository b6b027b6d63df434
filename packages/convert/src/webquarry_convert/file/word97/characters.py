"""What modifiers say of the look of letters."""

from dataclasses import dataclass, replace
from typing import Final

from webquarry_convert.file.text.line import BOLD, CODE, ITALIC, LOWERED, RAISED, STRIKE
from webquarry_convert.file.text.style_names import is_monospaced
from webquarry_convert.file.word97 import sprms
from webquarry_convert.file.word97.fonts import Font

_TOGGLES: Final = {sprms.BOLD: BOLD, sprms.ITALIC: ITALIC, sprms.STRIKE: STRIKE, sprms.DOUBLE_STRIKE: STRIKE}
_RAISED: Final = {1: RAISED, 2: LOWERED}
_AS_STYLE, _AGAINST_STYLE = 0x80, 0x81


@dataclass(frozen=True, slots=True)
class CharacterFormat:
    """marks: what is on; cleared: what is off; turned: what is the contrary of the paragraph's style. style: the number
    of the style of words. is_contrary: whether they are hidden where the paragraph's style is not, and the other way
    round; is_hidden is True then. size, position: of the letters and how far above their line they stand, in half
    points. far_font: of letters of East Asia. None where nothing is said."""

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
        """below: the look of the paragraph's style."""
        if self.is_hidden is None:
            return bool(below.is_hidden)
        return not below.is_hidden if self.is_contrary else self.is_hidden

    def on(self, base: "CharacterFormat") -> "CharacterFormat":
        """The look of a paragraph's style that is based on another one: what is contrary to that is settled."""
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
"""Half points of letters where no style says it."""


class CharacterFormats:
    """Looks by what is said of them; the same is said of most runs."""

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
        marks = cleared = turned = 0
        is_hidden: bool | None = None
        is_contrary = is_deleted = False
        font: Font | None = None
        far_font: Font | None = None
        symbol: tuple[int, str] | None = None
        style: int | None = None
        language: int | None = None
        picture: int | None = None
        is_data = False
        size: int | None = None
        position: int | None = None
        for code, operand in sprms.read_sprms(sprm_bytes, is_old=self._is_old):
            mark = _TOGGLES.get(code)
            if mark is not None:
                value = operand[0]
                if value == _AGAINST_STYLE:
                    turned |= mark
                elif value != _AS_STYLE:
                    marks, cleared = (marks | mark, cleared & ~mark) if value else (marks & ~mark, cleared | mark)
            elif code == sprms.RAISED:
                marks = (marks & ~(RAISED | LOWERED)) | _RAISED.get(operand[0], 0)
            elif code == sprms.HIDDEN:
                is_contrary = operand[0] == _AGAINST_STYLE
                is_hidden = None if operand[0] == _AS_STYLE else bool(operand[0] & 1)
            elif code == sprms.DELETED:
                is_deleted = bool(operand[0] & 1)
            elif code == sprms.FONT:
                font = self._find_font(sprms.parse_number(operand))
                marks = (marks & ~CODE) | (CODE if font is not None and is_monospaced(font.name) else 0)
            elif code == sprms.FAR_FONT:
                far_font = self._find_font(sprms.parse_number(operand))
            elif code == sprms.SYMBOL and len(operand) > 2:
                shown = self._find_font(sprms.parse_number(operand[:2]))
                symbol = sprms.parse_number(operand[2:4]), "" if shown is None else shown.name
            elif code == sprms.LETTER_STYLE:
                style = sprms.parse_number(operand)
            elif code in (sprms.LANGUAGE, sprms.OLD_LANGUAGE):
                language = sprms.parse_number(operand)
            elif code == sprms.PICTURE:
                picture = sprms.parse_number(operand)
            elif code == sprms.IS_DATA:
                is_data = bool(operand[0] & 1)
            elif code == sprms.SIZE:
                size = sprms.parse_number(operand)
            elif code == sprms.POSITION:
                position = int.from_bytes(operand, "little", signed=True)
            elif code == sprms.PLAIN:
                marks = cleared = turned = 0
                is_hidden = font = far_font = size = position = None
                is_contrary = False
        return CharacterFormat(
            marks, cleared, turned, is_hidden, is_contrary, is_deleted, font, symbol, style, language, picture, is_data,
            size, position, far_font,
        )  # fmt: skip

    def _find_font(self, number: int) -> Font | None:
        return self._fonts[number] if number < len(self._fonts) else None
