"""Code, configurations and logs. These are monospaced lines, which keep their breaks and their indentation."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from webquarry_convert.file.pdf.source.content import Box
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.words.lines import CODE, Line

_LEAST_LINES = 2
_BLANK = 1.6
"""Minimum distance, relative to the usual line distance, between two lines with a blank line between them."""
_MOST_BLANK = 2
_FARTHEST = 4.0
"""Maximum distance, in line heights, between two lines of a code block."""
_DEEPEST = 60
"""Maximum indentation, in characters."""
_NARROW = 50
"""Maximum length, in characters, of a line that is too narrow for prose."""
_NEAR = 1.0
"""Tolerance for positions, in points."""
_PROSE = 0.5
"""Minimum share of lines in typewritten prose that continue the previous line."""
_CODE = 1 / 3
"""Minimum share of lines with program code in a text that may be code."""


class Listing(Table):
    """A code block. lines: the lines as written, with indentation."""

    __slots__ = ("lines",)

    def __init__(self, box: Box, lines: list[str]) -> None:
        super().__init__(box, [["\n".join(lines)]], [])
        self.lines = lines

    def markdown(self) -> str:
        fence = "`" * max(3, 1 + max(_count_ticks(line) for line in self.lines))
        return "\n".join([fence, *self.lines, fence])


def gather_listings(parts: Iterable[Line | Table]) -> list[Line | Table]:
    """Replace each run of monospaced lines with a code block."""
    found: list[Line | Table] = []
    run: list[Line] = []
    for part in [*parts, None]:
        if isinstance(part, Line) and part.is_mono and not part.level and (not run or _goes_on(run[-1], part)):
            run.append(part)
            continue
        if run:
            found += _make_listing(run)
        run = [part] if isinstance(part, Line) and part.is_mono and not part.level else []
        if part is not None and not run:
            found.append(part)
    return found


def _goes_on(line: Line, below: Line) -> bool:
    if abs(line.size - below.size) > 0.1 * line.size or line.is_apart or below.is_apart:
        return False
    return below.y0 < line.y0 or below.y0 - line.y1 < _FARTHEST * (line.y1 - line.y0)  # next page, or below


def _make_listing(run: Sequence[Line]) -> list[Line | Table]:
    """Return the lines as a code block, or unchanged if they are prose."""
    longest = max(len(line.text) for line in run)
    is_code = sum(CODE.search(line.text) is not None for line in run) >= _CODE * len(run)
    further = [line for above, line in pairwise(run) if not line.is_new and abs(line.x0 - above.x0) < _NEAR]
    if len(run) < _LEAST_LINES or (longest > _NARROW and not is_code and len(further) > _PROSE * (len(run) - 1)):
        return list(run)
    width = median((span.x1 - span.x0) / len(span.text) for line in run for span in line.spans)
    if width <= 0:
        return list(run)
    left = min(line.x0 for line in run)
    steps = [below.y0 - above.y0 for above, below in pairwise(run) if below.y0 > above.y0]
    step = median(steps) if steps else 0.0
    texts: list[str] = []
    for place, line in enumerate(run):
        apart = line.y0 - run[place - 1].y0 if place else 0.0
        if step and apart > _BLANK * step:
            texts += [""] * min(round(apart / step) - 1, _MOST_BLANK)
        texts.append(_write_line(line, left, width))
    box = Box(left, run[0].y0, max(line.x1 for line in run), max(run[-1].y1, run[0].y0))
    listing = Listing(box, texts)
    listing.page = run[0].page
    return [listing]


def _write_line(line: Line, left: float, width: float) -> str:
    text = ""
    for span in line.spans:
        at = round((span.x0 - left) / width)
        text += " " * (min(at, _DEEPEST) if not text else max(min(at - len(text), _DEEPEST), int(at > len(text))))
        text += span.text
    return text.rstrip()


def _count_ticks(text: str) -> int:
    return max(map(len, "".join(sign if sign == "`" else " " for sign in text).split()), default=0)
