"""Parses delimited text (RFC 4180) and tolerates incorrect quotes."""

import re
from collections.abc import Iterator

MAX_QUOTED = 131_072
"""Maximum length of a quoted field, in characters.

A quote without a closing quote within this length is an ordinary character.
"""
_QUOTES = re.compile('"+')


def read_records(text: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the fields of each record. An empty line is a record with one empty field. Line breaks must be "\\n".

    Takes linear time. A quote opens a field only if it is the field's first character, and if another quote directly
    before a delimiter or a line break closes the field. An unclosed quote therefore affects only its field.
    """
    if '"' not in text:
        for line in text.removesuffix("\n").split("\n"):
            yield line.split(delimiter)
        return
    yield from _QuotedText(text, delimiter).walk_records()


def read_filled_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield non-empty records like `read_records`, each with its index from 0.

    Adjacent empty records are skipped together, because a file may contain millions of them.
    """
    sign = re.escape(delimiter)
    blank = re.compile(f"[ {sign}\n]*+")
    empty = re.compile(f'(?:[ {sign}\n]|""(?=[{sign}\n]))*+')
    quoted = _QuotedText(text, delimiter)
    at, number, end = 0, 0, len(text)
    while at < end:
        found = empty.match(text, at) if quoted.may_close(at) else blank.match(text, at)
        next_line = text.rfind("\n", at, found.end() if found else at) + 1
        if next_line > at:
            number += text.count("\n", at, next_line)
            at = next_line
            continue
        fields, at = quoted.read_record(at)
        yield number, fields
        number += 1


class _QuotedText:
    """Parses the records of a text that contains quotes."""

    def __init__(self, text: str, delimiter: str) -> None:
        self._text = text
        self._delimiter = delimiter
        self._opening = re.compile(' *"') if delimiter != " " else re.compile('"')
        self._field_end = re.compile(f"[{re.escape(delimiter)}\n]")
        self._barren = 0
        """Position before which no quote can close a field."""

    def may_close(self, at: int) -> bool:
        """Return whether a quote may close a field that begins here.

        Returns False after a quote that was never closed.
        """
        return at >= self._barren

    def walk_records(self) -> Iterator[list[str]]:
        at, end = 0, len(self._text)
        while at < end:
            fields, at = self.read_record(at)
            yield fields

    def read_record(self, at: int) -> tuple[list[str], int]:
        """Return the fields of the record that begins here, and the start of the next record."""
        text = self._text
        stop = text.find("\n", at)
        line = text[at:] if stop < 0 else text[at:stop]
        if '"' in line:
            return self._read_quoted_record(at)
        return line.split(self._delimiter), at + len(line) + 1

    def _read_quoted_record(self, at: int) -> tuple[list[str], int]:
        text, end = self._text, len(self._text)
        fields: list[str] = []
        while True:
            value, at = self._read_field(at)
            fields.append(value)
            if at >= end or text[at] == "\n":
                return fields, at + 1
            at += 1

    def _read_field(self, at: int) -> tuple[str, int]:
        """Return the field that begins here, and its end: the position of a delimiter, of a line break, or of the
        text's end.
        """
        opening = self._opening.match(self._text, at)
        if opening is not None:
            close = self._close(opening.end())
            if close is not None:
                return self._text[opening.end() : close].replace('""', '"'), close + 1
        found = self._field_end.search(self._text, at)
        stop = found.start() if found else len(self._text)
        return self._text[at:stop], stop

    def _close(self, start: int) -> int | None:
        """Return the position of the quote that closes a field whose content begins here, or None.

        Doubled quotes are escaped quotes. An undoubled quote inside a field is part of the text. An undoubled quote at
        the beginning of a field opens this field, which means that the earlier quote was never closed.
        """
        if start < self._barren:
            return None
        text, delimiter, limit = self._text, self._delimiter, start + MAX_QUOTED
        for run in _QUOTES.finditer(text, start, limit):
            if (run.end() - run.start()) % 2 == 0:
                continue
            after = text[run.end() : run.end() + 1]
            if after in ("", "\n", delimiter):
                return run.end() - 1
            if run.start() > start and text[run.start() - 1] in ("\n", delimiter):
                limit = run.start()
                break
        self._barren = limit
        return None
