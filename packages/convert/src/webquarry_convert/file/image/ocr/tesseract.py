"""Tesseract, Debian's program, as a child process: a picture in, lines out, no file in between."""

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
# more threads than one make it slower: its pieces of work are small
_ENVIRONMENT = {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
_SCRIPT, _COLUMNS, _SCATTERED = "0", "3", "11"  # ways to look at a page
_WORD = "5"  # the level of a row
_FIELDS = 12
_WIDE = 1.5  # heights of a word: justified lines have gaps of less than one
_HANGUL = re.compile("[\uac00-\ud7a3]")
_KOREAN_SPACE = 0.28  # heights of a syllable: gaps within words have up to a quarter, spaces from a third on
_TOUCH = 4  # pixels between a sign and the drawn line that it is taken from
_MOST_RULES = 50  # that are looked at for each word
_get_left = attrgetter("left")
_LIKE_BULLETS = frozenset("¢eoac©®«»°*@")
_BULLET, _ROUND = 0.5, 0.7  # heights of the tallest word that a bullet is high, and its one side by the other
_NO_WORD = re.compile(r"[\W_]*")


@cache
def languages() -> frozenset[str]:
    """Tesseract's names of the languages that are installed; empty when it is not there or cannot be started."""
    if shutil.which(_PROGRAM, path=_ENVIRONMENT["PATH"]) is None:
        return frozenset()
    try:
        listed = subprocess.run([_PROGRAM, "--list-langs"], capture_output=True, env=_ENVIRONMENT, check=False)  # noqa: S603
    except OSError:  # a process that may start no others
        return frozenset()
    return frozenset(listed.stdout.decode(errors="replace").split("\n")[1:]) - {""}


def read(picture: Image.Image, language: str, dpi: float, standing: Iterable[Rule] = ()) -> list[Line]:
    """Lines in the order in which tesseract reads the page; none when most run up or down.

    picture: mode "L". standing: lines that are drawn, which no line of text goes over.
    """
    lines = _parse_lines(_run(picture, language, dpi, _COLUMNS, "tsv"), sorted(standing, key=_get_left))
    upright = sum(line.signs for line in lines if not line.is_level and line.signs > 1)
    return lines if 2 * upright <= sum(line.signs for line in lines) else []


def read_scattered(picture: Image.Image, language: str, dpi: float) -> list[Line]:
    """As `read`; words may stand anywhere, in no rows and columns."""
    return _parse_lines(_run(picture, language, dpi, _SCATTERED, "tsv"))


def detect_script(picture: Image.Image, dpi: float) -> tuple[str, int]:
    """The name of the script ("Hangul") and the degrees by which the picture has to be turned clockwise.

    A guess; ("", 0) when there is too little text for one.
    """
    output = _run(picture, "osd", dpi, _SCRIPT)
    name = re.search(r"^Script: (\w+)$", output, re.MULTILINE)
    turn = re.search(r"^Rotate: (\d+)$", output, re.MULTILINE)
    return (name[1], int(turn[1])) if name and turn else ("", 0)


def _run(picture: Image.Image, language: str, dpi: float, layout: str, *output: str) -> str:
    body = BytesIO()
    picture.save(body, "PPM")
    order = [_PROGRAM, "-", "-", "-l", language, "--dpi", str(round(dpi)), "--psm", layout, *output]
    # a picture without text is an error to it
    done = subprocess.run(order, input=body.getvalue(), capture_output=True, env=_ENVIRONMENT, check=False)  # noqa: S603
    return done.stdout.decode(errors="replace")


def _parse_lines(table: str, standing: Sequence[Rule] = ()) -> list[Line]:
    """standing: from the left."""
    lines: list[Line] = []
    words: list[Sequence[str]] = []
    for row in csv.reader(table.split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE):
        if len(row) != _FIELDS or row[0] != _WORD:
            continue
        if standing and _NO_WORD.fullmatch(row[11]) and _is_ruled(standing, row, row):
            continue
        if words and (words[-1][1:5] != row[1:5] or _is_wide(words[-1], row) or _is_ruled(standing, words[-1], row)):
            lines.extend(_build_line(words))
            words = []
        words.append(row)
    lines.extend(_build_line(words))
    return lines


def _is_ruled(standing: Sequence[Rule], word: Sequence[str], following: Sequence[str]) -> bool:
    """Whether a line is drawn between two words of a line; through a word, where both are it. standing: as above."""
    left, top, width, height = map(int, word[6:10])
    edges = (left, left + width) if word is following else (left + width, int(following[6]))
    first = bisect_left(standing, min(edges) - _TOUCH, key=_get_left)
    last = bisect_right(standing, max(edges) + _TOUCH, key=_get_left)
    middle = top + height / 2
    return any(rule.top <= middle <= rule.bottom for rule in standing[first : min(last, first + _MOST_RULES)])


def _is_wide(word: Sequence[str], following: Sequence[str]) -> bool:
    """Whether the gap between two words of a line is more than one between words."""
    left, _, width, height = map(int, word[6:10])
    next_left, _, next_width, next_height = map(int, following[6:10])
    gap = max(next_left - left - width, left - next_left - next_width)  # either may come first
    return gap > _WIDE * max(height, next_height)


def _join_words(words: Sequence[Sequence[str]]) -> str:
    """The text of words. Of Korean tesseract gives single syllables: only a wide gap between two is a space."""
    pieces = [words[0][11]] if words else []
    for before, word in pairwise(words):
        left, _, width, height = map(int, before[6:10])
        next_left, _, _, next_height = map(int, word[6:10])
        is_korean = _HANGUL.match(before[11][-1]) or _HANGUL.match(word[11][0])
        is_close = next_left - left - width < _KOREAN_SPACE * max(height, next_height)
        pieces.append(word[11] if is_korean and is_close else f" {word[11]}")
    return "".join(pieces)


def _restore_bullet(words: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """The words, the first of which is a bullet where it is a small round sign that was taken for a letter."""
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
    """The line of these words; none when they are signs of no letter or figure, as tesseract sees in lines and dirt."""
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
