"""A parsed document, which gives access to characters with their formatting and to paragraphs with their properties."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.compound import Compound
from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.word97 import codepages
from webquarry_convert.file.word97.characters import PLAIN, CharacterFormat, CharacterFormats
from webquarry_convert.file.word97.fonts import Font, read_fonts
from webquarry_convert.file.word97.formatting_runs import read_letter_runs, read_paragraph_runs
from webquarry_convert.file.word97.header import Header
from webquarry_convert.file.word97.narrow import NarrowText
from webquarry_convert.file.word97.numbering import Numbering
from webquarry_convert.file.word97.paragraphs import ParagraphProperties, Paragraphs
from webquarry_convert.file.word97.pieces import Piece, Text, read_text
from webquarry_convert.file.word97.styles import Style, Styles

MAX_MARKS: Final = 500_000
"""Maximum number of paragraph, cell, field and break marks. A book of a thousand pages has a tenth of this number."""
MAX_RUNS: Final = 1_000_000
"""Maximum number of runs of characters with the same formatting."""
_MARK: Final = re.compile("[\0-\x08\x0a-\x1f]")
_ENDS: Final = re.compile("[\r\x07\x0c]")
_BREAK: Final = "\x0c"
Fonts = tuple[Font | None, Font | None]
"""A run's font, and its font for East Asian characters."""
PARAGRAPH, CELL, NOTE = "\r", "\x07", "\x02"


@dataclass(slots=True)
class Paragraph:
    """A paragraph of a story.

    first, end: the positions of its text without its end mark. mark: the end mark, or "" if the story ends without a
    mark.
    """

    first: int
    end: int
    mark: str
    properties: ParagraphProperties
    style: Style


def _get_font(fonts: Sequence[Font], at: int | None) -> Font | None:
    """Return a font from the font table, or None if the index is unknown."""
    return fonts[at] if at is not None and at < len(fonts) else None


class Source:
    def __init__(self, body: bytes) -> None:
        self.streams = Compound(body)
        self.header = Header(self.streams)
        self.text: Text = read_text(self.header)
        self.letters = self.text.letters
        if sum(1 for _ in _MARK.finditer(self.letters)) > MAX_MARKS:
            raise make_limit_error(f"more than {MAX_MARKS:,} paragraphs and other marks")
        is_old = self.header.is_old
        fonts = read_fonts(self.header)
        letters = CharacterFormats(fonts, is_old=is_old)
        self.data = self.streams.get("Data") or b""
        """The stream with pictures, values of form fields, and modifiers that are too long to be stored with their
        paragraph.
        """
        paragraphs = Paragraphs(self.data, is_old=is_old)
        self.styles = Styles(self.header, letters, paragraphs)
        self.numbering = Numbering(self.header)
        codec = codepages.choose_language_codec((self.header.language, self.language, self.header.far_language))
        self._narrow = None if is_old else NarrowText(self.letters, self.text.pieces, [f.codec for f in fonts], codec)
        self._codec: str | None = None
        if is_old:
            self._codec = codepages.MACINTOSH if self.header.is_macintosh else codec
        self._usual_fonts = [_get_font(fonts, at) for at in self.styles.usual_fonts]
        self._ends, self._looks = self._read_formats(letters)
        self._paragraphs = paragraphs
        self._runs = read_paragraph_runs(self.header)
        self._known: dict[tuple[bytes, bytes], tuple[ParagraphProperties, Style]] = {}
        self._piece_starts = [piece.first for piece in self.text.pieces]

    def _read_formats(self, letters: CharacterFormats) -> tuple[list[int], list[CharacterFormat]]:
        """Return the end position and the formatting of each run of characters."""
        runs = read_letter_runs(self.header)
        ends: list[int] = []
        looks: list[CharacterFormat] = []
        for piece in self.text.pieces:
            above = letters.look(piece.sprms)
            for end, sprms in runs.over(piece):
                ends.append(end)
                looks.append(above.over(letters.look(sprms)))
            if len(ends) > MAX_RUNS:
                raise make_limit_error(f"more than {MAX_RUNS:,} formatting changes")
        return ends, looks

    @property
    def language(self) -> int:
        """The Windows identifier of the default style's language, or otherwise of the program's language."""
        stated = self.styles.get(0).look.language
        return self.header.language if stated is None else stated

    def mark_notes(self, marks: Iterable[int]) -> None:
        """Replace custom marks at note references with the note reference sign.

        marks: the positions of the references.
        """
        known = [position for position in marks if self.letters[position : position + 1] not in (NOTE, "")]
        if known:
            letters = list(self.letters)
            for position in known:
                letters[position] = NOTE
            self.letters = "".join(letters)

    def runs(self, first: int, end: int) -> Iterator[tuple[int, int, CharacterFormat]]:
        """Yield the runs of characters between two positions."""
        at = bisect_right(self._ends, first)
        while first < end:
            if at >= len(self._ends):
                yield first, end, PLAIN
                return
            stop = min(end, self._ends[at])
            if stop > first:
                yield first, stop, self._looks[at]
                first = stop
            at += 1

    def look_at(self, position: int) -> CharacterFormat:
        at = bisect_right(self._ends, position)
        return self._looks[at] if at < len(self._looks) else PLAIN

    def decoded(self, first: int, end: int, fonts: Fonts) -> str:
        """Return the decoded text between two positions of a run."""
        letters = self.letters[first:end]
        if letters.isascii():
            return letters
        font, far_font = (one or usual for one, usual in zip(fonts, self._usual_fonts, strict=True))
        stated = next((one.codec for one in (font, far_font) if one is not None and one.codec is not None), None)
        if self._codec is not None:
            return codepages.decode_letters(letters, stated or self._codec)
        if self._narrow is not None and self._narrow.is_possible and self._find_piece(first).width == 1:
            return self._narrow.decode(letters, stated)
        return codepages.decode_letters(letters, None)

    def read_plain(self, first: int, end: int) -> str:
        """Return the text between two positions, with control characters but without formatting."""
        end = min(end, len(self.letters))
        runs = self.runs(first, end)
        return "".join(self.decoded(start, stop, (look.font, look.far_font)) for start, stop, look in runs)

    def _find_piece(self, position: int) -> Piece:
        return self.text.pieces[bisect_right(self._piece_starts, position) - 1]

    def paragraphs(self, first: int, end: int) -> Iterator[Paragraph]:
        """Yield the paragraphs between two positions of a story."""
        end = min(end, len(self.letters))
        for found in _ENDS.finditer(self.letters, first, end):
            position, mark = found.start(), found[0]
            properties, style, is_end = self._describe_paragraph(position)
            if mark == _BREAK and not is_end:
                continue  # a page break inside of a paragraph does not end it
            yield Paragraph(first, position, mark, properties, style)
            first = position + 1
        if first < end:
            properties, style, _ = self._describe_paragraph(end - 1)
            yield Paragraph(first, end, "", properties, style)

    def _describe_paragraph(self, position: int) -> tuple[ParagraphProperties, Style, bool]:
        """Return the properties and the style of the paragraph that ends at a position, and whether it certainly ends
        there.
        """
        piece = self._find_piece(position)
        byte = piece.start + (position - piece.first) * piece.width
        run = self._runs.find_run(byte)
        raw, is_end = b"", False
        if run is not None:
            raw, is_end = self._runs.sprms[run], self._runs.ends[run] == byte + piece.width
        known = self._known.get((raw, piece.sprms))
        if known is None:
            properties = self._paragraphs.read_properties(piece.sprms).over(self._paragraphs.styled(raw))
            style = self.styles.get(properties.style or 0)
            known = self._known[raw, piece.sprms] = properties.over(style.properties), style
        return *known, is_end
