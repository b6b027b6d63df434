"""Images of text as files. The text is drawn in DejaVu if it is installed, and otherwise in Pillow's default font."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw, ImageFont

PROSE = (
    "The harbour was built before the town, and for a hundred",
    "years nobody lived there but the keeper of the light. When",
    "the railway came, the first houses were put up beside the",
    "station, and the fishermen moved down from the hills.",
)


def has_dejavu() -> bool:
    """Return whether DejaVu is installed. Without it, only ASCII letters can be drawn."""
    try:
        ImageFont.truetype("DejaVuSans.ttf", 10)
    except OSError:
        return False
    return True


def printed(lines: Sequence[str], *, size: int = 34, width: int = 1200, margin: int = 60) -> Image.Image:
    """Draw lines in black on white as a gray image, like 12-point print at 200 dpi."""
    picture = Image.new("L", (width, 2 * margin + len(lines) * (size + 14)), 255)
    draw_lines(picture, lines, (margin, margin), size=size)
    return picture


def draw_lines(picture: Image.Image, lines: Sequence[str], at: tuple[int, int], *, size: int = 34) -> None:
    font = ImageFont.truetype("DejaVuSans.ttf", size) if has_dejavu() else ImageFont.load_default(size)
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw.text((at[0], at[1] + row * (size + 14)), line, font=font, fill=0)


def saved(picture: Image.Image, form: str, **options: Any) -> bytes:
    body = BytesIO()
    picture.save(body, form, **options)
    return body.getvalue()
