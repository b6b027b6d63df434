"""OCR of images to markdown, by Tesseract, RapidOCR, or both.

    recognition = read(Picture(pixels, dpi=200))
    recognition.markdown, recognition.confidence

Pictures may have any orientation. 200 to 300 dpi work best.
"""

from dataclasses import dataclass

from PIL import Image

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.image.ocr import neural, tesseract
from webquarry_convert.file.image.ocr.cascade import read_picture
from webquarry_convert.file.image.ocr.compose import write_markdown
from webquarry_convert.file.image.ocr.illegible import count_illegible
from webquarry_convert.file.image.ocr.lines import Reading, compute_confidence


@dataclass(frozen=True, slots=True)
class Recognition:
    """The recognized text of a picture."""

    reading: Reading

    @property
    def markdown(self) -> str:
        """The recognized text, which ends with one line break, or "" if the picture has no text."""
        return write_markdown(self.reading.lines)

    @property
    def confidence(self) -> float:
        """The average confidence per character, from 0 to 1, or 0 if there is no text."""
        return round(compute_confidence(self.reading.lines), 3)

    @property
    def illegible(self) -> int:
        """Number of lines that could not be read."""
        return count_illegible(self.reading.lines)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to recognize. pixels: a picture in mode "L". dpi: the resolution, or None if it is unknown."""

    pixels: Image.Image
    dpi: float | None = None


def is_there() -> bool:
    """Return whether an OCR engine is installed."""
    return bool(tesseract.languages()) or neural.is_there()


def read(picture: Picture) -> Recognition:
    """Recognize a picture's text. Raises `ConversionFailed` if no engine is installed."""
    if not is_there():
        raise ConversionFailed(
            "Text in images is not recognized because OCR is not installed. The operator can install Tesseract "
            "(Debian: tesseract-ocr) and the extra webquarry[ocr].",
            reason="unsupported_type",
        )
    return Recognition(read_picture(picture.pixels, picture.dpi))
