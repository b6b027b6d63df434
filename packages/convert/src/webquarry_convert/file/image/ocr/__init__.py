"""Pictures of text as markdown, by tesseract, RapidOCR, or both.

    recognition = read(Picture(pixels, dpi=200))
    recognition.markdown, recognition.confidence

Pictures may lie in any way; 200 to 300 dpi are best.
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
    """What a picture says."""

    reading: Reading

    @property
    def markdown(self) -> str:
        """ "" when it holds no text, else with one line break at the end."""
        return write_markdown(self.reading.lines)

    @property
    def confidence(self) -> float:
        """From 0 to 1, of the average character; 0 without text."""
        return round(compute_confidence(self.reading.lines), 3)

    @property
    def illegible(self) -> int:
        """Lines that could not be read."""
        return count_illegible(self.reading.lines)


@dataclass(frozen=True, slots=True)
class Picture:
    """pixels: mode "L". dpi: None when not known."""

    pixels: Image.Image
    dpi: float | None = None


def is_there() -> bool:
    """Whether an engine is installed."""
    return bool(tesseract.languages()) or neural.is_there()


def read(picture: Picture) -> Recognition:
    """Raises ConversionFailed when no engine is installed."""
    if not is_there():
        raise ConversionFailed(
            "Text in pictures is not read by this service: its operator can install tesseract (Debian: tesseract-ocr) "
            "and the extra webquarry[ocr].",
            reason="unsupported_type",
        )
    return Recognition(read_picture(picture.pixels, picture.dpi))
