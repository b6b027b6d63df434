"""Delimited texts: encodings, delimiters, line ends, quoting, decimal commas, lines before the header."""

import csv
import io
from dataclasses import dataclass
from random import Random

from corpora.printed import words
from corpora.truth import Truth

_SPECIMENS = {
    "utf-8": ("Zoë Ångström", "Łódź", "Αθήνα", "東京"),
    "utf-8-sig": ("Zoë Ångström", "Łódź", "東京"),
    "utf-16": ("Zoë Ångström", "Łódź", "東京"),
    "cp1252": ("Zoë Ångström", "“Façade”", "5 €", "Müller – Söhne"),
    "iso8859-15": ("Œuvre", "5 €", "Žižka", "Müller"),
    "cp1250": ("Łódź", "Kovačević", "Dvořák", "Győr"),
    "cp1251": ("Москва", "Санкт-Петербург", "Новосибирск"),
    "shift_jis": ("東京", "大阪の駅", "カメラ"),
    "mac-roman": ("Zoë Ångström", "Müller", "garçon"),
}


@dataclass(slots=True)
class Delimited(Truth):
    content: bytes = b""


def _finish(table: Delimited, rows: list[list[str]], *, delimiter: str, charset: str = "utf-8", end: str = "\r\n",
            quoting: int = csv.QUOTE_MINIMAL, before: str = "") -> Delimited:  # fmt: skip
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)  # type: ignore[arg-type]  # one of csv's constants
    table.content = (before + out.getvalue()).encode(charset)
    width = max(map(len, rows))
    table.state_table([[*(" ".join(cell.split()) for cell in row), *[""] * (width - len(row))] for row in rows], 1)
    return table


def make_encoded(draw: Random) -> Delimited:
    """Make a file with names in the letters of a code page."""
    table = Delimited(draw)
    charset = draw.choice(list(_SPECIMENS))
    rows = [["No.", "Name", "Place", "Amount"]]
    rows += [
        [str(at + 1), draw.choice(_SPECIMENS[charset]), draw.choice(words.TOWNS), words.amount(draw)]
        for at in range(draw.randint(8, 40))
    ]
    return _finish(table, rows, delimiter=draw.choice(",;\t"), charset=charset)


def make_quoted(draw: Random) -> Delimited:
    """Make a file with line breaks, delimiters and quotation marks in cells, and unusual line ends."""
    table = Delimited(draw)
    rows = [["Article", "Text", "Remark", "Price"]]
    for _ in range(draw.randint(4, 12)):
        one, two = words.phrase(draw, 2, 3), words.phrase(draw, 2, 3)
        text = draw.choice((f"{one}\n{two}", f'{one} "{two}"', f"{one}; {two}, {one}", one))
        if "\n" in text:
            table.match(rf"{one}\s*<br\s*/?>\s*{two}")
        rows.append([draw.choice(words.GOODS), text, draw.choice(("", two)), words.amount(draw)])
    quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
    return _finish(table, rows, delimiter=draw.choice(",;\t|"), end=draw.choice(("\n", "\r\n", "\r")), quoting=quoting)


def make_european(draw: Random) -> Delimited:
    """Make a file with semicolons between decimal commas, dates, negative values and empty cells."""
    table = Delimited(draw)
    rows = [["Datum", "Buchungstext", "Betrag", "Währung", "Saldo"]]
    for _ in range(draw.randint(5, 25)):
        values = [f"{draw.choice(('', '-'))}{draw.randint(1, 9999)},{draw.randint(10, 99)}" for _ in range(2)]
        day = f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.2026"
        rows.append([day, words.phrase(draw, 2, 4), values[0], "EUR", "" if draw.random() < 0.3 else values[1]])
    return _finish(table, rows, delimiter=";", charset=draw.choice(("utf-8", "cp1252", "utf-8-sig")))


def make_preceded(draw: Random) -> Delimited:
    """Make a file with lines before the header (title, recipient, delimiter) and a sum at the end."""
    table = Delimited(draw)
    rows = [[f"{words.phrase(draw, 2, 3)} report"], ["Period", words.date(draw)]]
    rows += [[]] if draw.random() < 0.5 else []
    rows.append(["Day", "Name", "Hours", "Rate", "Sum"])
    rows += [
        [f"2026-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", words.name(draw), str(draw.randint(1, 9)),
         words.amount(draw, 90), words.amount(draw)]
        for _ in range(draw.randint(4, 12))
    ]  # fmt: skip
    rows.append(["Total", "", "", "", words.amount(draw)])
    delimiter = draw.choice(",;")
    named = draw.random() < 0.4
    return _finish(table, rows, delimiter=delimiter, before=f"sep={delimiter}\r\n" if named else "")
