"""OCR with Tesseract. It runs as a child process that receives a picture and returns lines, without temporary files."""

import csv
import re
import shutil
import subprocess
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise
from operator import attrgetter
from statistics import median

from PIL import Image

from webquarry_convert.file.image.ocr.lines import Line, Word, find_reach
from webquarry_convert.file.image.ocr.rules import Rule

_PROGRAM = "tesseract"
# Several threads slow Tesseract down, because its units of work are small.
_ENVIRONMENT = {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
_SCRIPT, _COLUMNS, _SCATTERED = "0", "3", "11"  # page segmentation modes
_WORD = "5"  # the level that denotes words in Tesseract's output
_FIELDS = 12
_WIDE = 1.5  # minimum width of a gap between lines, in word heights; gaps in justified lines are narrower
_HANGUL = re.compile("[\uac00-\ud7a3]")
_KOREAN_SPACE = 0.28  # minimum width in syllable heights; gaps in words are up to a quarter, spaces a third
_TOUCH = 4  # maximum distance, in pixels, between a drawn line and the character misread from it
_MOST_RULES = 50  # maximum number of rules that are examined per word
_get_left = attrgetter("left")
_LIKE_BULLETS = frozenset("¢eoac©®«»°*@")
_BULLET, _ROUND = 0.5, 0.7  # a bullet's height relative to the tallest word, and the ratio of its sides
_NO_WORD = re.compile(r"[\W_]*")


@cache
def languages() -> frozenset[str]:
    """Return Tesseract's names of the installed languages.

    The set is empty if Tesseract is missing or cannot be started.
    """
    if shutil.which(_PROGRAM, path=_ENVIRONMENT["PATH"]) is None:
        return frozenset()
    try:
        listed = subprocess.run([_PROGRAM, "--list-langs"], capture_output=True, env=_ENVIRONMENT, check=False)  # noqa: S603
    except OSError:  # this process must not start other processes
        return frozenset()
    return frozenset(listed.stdout.decode(errors="replace").split("\n")[1:]) - {""}


def read(picture: Image.Image, language: str, dpi: float, standing: Iterable[Rule] = ()) -> list[Line]:
    """Read lines in Tesseract's order. Returns [] if most lines are vertical.

    picture: a picture in mode "L". standing: drawn vertical rules, which lines of text don't cross.
    """
    lines = _parse_lines(_run(picture, language, dpi, _COLUMNS, "tsv"), sorted(standing, key=_get_left))
    upright = sum(line.signs for line in lines if not line.is_level and line.signs > 1)
    return lines if 2 * upright <= sum(line.signs for line in lines) else []


def read_scattered(picture: Image.Image, language: str, dpi: float) -> list[Line]:
    """Read lines like `read`, but expect words in any position, without rows and columns."""
    return _parse_lines(_run(picture, language, dpi, _SCATTERED, "tsv"))


def detect_script(picture: Image.Image, dpi: float) -> tuple[str, int]:
    """Return the name of the script ("Hangul") and the clockwise rotation that makes the picture upright, in degrees.

    The result is a guess. If there is too little text, returns ("", 0).
    """
    output = _run(picture, "osd", dpi, _SCRIPT)
    name = re.search(r"^Script: (\w+)$", output, re.MULTILINE)
    turn = re.search(r"^Rotate: (\d+)$", output, re.MULTILINE)
    return (name[1], int(turn[1])) if name and turn else ("", 0)


def _run(picture: Image.Image, language: str, dpi: float, layout: str, *output: str) -> str:
    body = BytesIO()
    picture.save(body, "PPM")
    order = [_PROGRAM, "-", "-", "-l", language, "--dpi", str(round(dpi)), "--psm", layout, *output]
    # Tesseract reports a picture without text as an error.
    done = subprocess.run(order, input=body.getvalue(), capture_output=True, env=_ENVIRONMENT, check=False)  # noqa: S603
    return done.stdout.decode(errors="replace")


def _parse_lines(table: str, standing: Sequence[Rule] = ()) -> list[Line]:
    """Parse lines from Tesseract's output. standing: drawn vertical rules, from left to right."""
    lines: list[Line] = []
    words: list[Sequence[str]] = []
    for row in csv.reader(table.split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE):
        if len(row) != _FIELDS or row[0] != _WORD:
            continue
        if standing and _NO_WORD.fullmatch(row[11]) and _is_ruled(standing, row, row):
            continue
        if words and _are_apart(words[-1], row, standing):
            lines.extend(_build_line(words))
            words = []
        words.append(row)
    lines.extend(_build_line(words))
    return lines


def _are_apart(word: Sequence[str], following: Sequence[str], standing: Sequence[Rule]) -> bool:
    """Return whether two words belong to different lines.

    They do if Tesseract separates them, or if they are separated by a wide gap or a rule.
    """
    return word[1:5] != following[1:5] or _is_wide(word, following) or _is_ruled(standing, word, following)


def _is_ruled(standing: Sequence[Rule], word: Sequence[str], following: Sequence[str]) -> bool:
    """Return whether a rule is drawn between two words of a line, or through a word that was misread from it."""
    left, top, width, height = map(int, word[6:10])
    edges = (left, left + width) if word is following else (left + width, int(following[6]))
    first = bisect_left(standing, min(edges) - _TOUCH, key=_get_left)
    last = bisect_right(standing, max(edges) + _TOUCH, key=_get_left)
    middle = top + height / 2
    return any(rule.top <= middle <= rule.bottom for rule in standing[first : min(last, first + _MOST_RULES)])


def _is_wide(word: Sequence[str], following: Sequence[str]) -> bool:
    """Return whether the gap between two words of a line is wider than a space."""
    left, _, width, height = map(int, word[6:10])
    next_left, _, next_width, next_height = map(int, following[6:10])
    gap = max(next_left - left - width, left - next_left - next_width)  # either word may come first
    return gap > _WIDE * max(height, next_height)


def _join_words(words: Sequence[Sequence[str]]) -> str:
    """Join words. Tesseract returns single Korean syllables, so only a wide gap between two syllables is a space."""
    pieces = [words[0][11]] if words else []
    for before, word in pairwise(words):
        left, _, width, height = map(int, before[6:10])
        next_left, _, _, next_height = map(int, word[6:10])
        is_korean = _HANGUL.match(before[11][-1]) or _HANGUL.match(word[11][0])
        is_close = next_left - left - width < _KOREAN_SPACE * max(height, next_height)
        pieces.append(word[11] if is_korean and is_close else f" {word[11]}")
    return "".join(pieces)


def _restore_bullet(words: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return the words, with a bullet in place of a first word that is a small round character, which is a misread
    bullet.
    """
    if len(words) < 2 or words[0][11] not in _LIKE_BULLETS:
        return words
    width, height = int(words[0][8]), int(words[0][9])
    tallest = max(int(word[9]) for word in words[1:])
    if max(width, height) > _BULLET * tallest or not _ROUND * height <= width <= height / _ROUND:
        return words
    return [[*words[0][:11], "\u2022"], *words[1:]]


def _place_words(words: Sequence[Sequence[str]]) -> tuple[Word, ...]:
    return tuple(
        Word(int(word[6]), int(word[6]) + int(word[8]), word[11].strip()) for word in words if word[11].strip()
    )


def _build_line(words: Sequence[Sequence[str]]) -> list[Line]:
    """Return the line that these words form, or [] if they contain no letter or digit.

    Tesseract reads such words from rules and dirt.
    """
    words = _restore_bullet(words)
    text = _join_words([word for word in words if word[11].strip()])
    if _NO_WORD.fullmatch(text):
        return []
    boxes = [tuple(map(int, word[6:10])) for word in words]
    reaches = [find_reach(word[11], top, top + height) for word, (_, top, _, height) in zip(words, boxes, strict=True)]
    signs = sum(len(word[11]) for word in words)
    return [
        Line(
            min(left for left, _, _, _ in boxes),
            min(top for _, top, _, _ in boxes),
            max(left + width for left, _, width, _ in boxes),
            max(top + height for _, top, _, height in boxes),
            text,
            max(0.0, sum(float(word[10]) * len(word[11]) for word in words) / signs / 100),
            (median(top for top, _ in reaches), median(bottom for _, bottom in reaches)),
            () if _HANGUL.search(text) else _place_words(words),
        )
    ]
