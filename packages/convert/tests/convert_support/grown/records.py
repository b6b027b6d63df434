"""Legacy Excel and Numbers workbooks, whose formats consist of records."""

import struct
from collections.abc import Mapping

from convert_support.compound import filled
from convert_support.grown.kinds import Builder
from convert_support.sheets import Wire, biff8, biff_link, biff_note, number_cell, numbers, text_cell


def _biff_many(number: int, sheets: int) -> bytes:
    """Build a workbook that refers many times to one sheet with many records."""
    body = biff8([["a"]], more=[(0x3FF, b"x" * 20)] * number)
    at = body.index(struct.pack("<H", 0x85))
    length = 4 + struct.unpack_from("<H", body, at + 2)[0]
    (start,) = struct.unpack_from("<I", body, at + 4)
    listed = struct.pack("<HHI", 0x85, length - 4, start + length * (sheets - 1)) + body[at + 8 : at + length]
    return body[:at] + listed * sheets + body[at + length :]


def make_xls() -> Mapping[str, Builder]:
    def joined(cells: list[list[object]], **more: object) -> bytes:
        return biff8(cells, **more)  # type: ignore[arg-type]  # passed on as they are

    return {
        "xls rows": lambda n: joined([["a", 1.5]] * (n // 2)),
        "xls formats": lambda n: joined(
            [[(1.5, at)] for at in range(n // 4)], codes=[f'0"{at}"' for at in range(n // 4)]
        ),
        "xls links": lambda n: joined([["a"]], more=[biff_link((0, 0, 0, 0), "https://a.example/x")] * n),
        "xls links of one column": lambda n: joined(
            [["a"]] * (n // 4), more=[biff_link((0, 65_535, 0, 255), "https://a.example/x")] * (n // 4)
        ),
        "xls notes": lambda n: joined([["a"]], more=biff_note(0, 0, "Ada", "text") * n),
        "xls texts of a note": lambda n: joined([["a"]], more=biff_note(0, 0, "Ada", *["text"] * n)),
        "xls merged cells": lambda n: joined([["a"]], more=[(0xE5, struct.pack("<5H", 1, 0, 1, 0, 1))] * n),
        "xls one sheet listed again": lambda n: _biff_many(n, n // 4 + 1),
        "xls in a compound file": lambda n: filled({"Workbook": biff8([["a"]], more=[(0x3FF, b"x" * 90)] * n)}),
        "xls streams": lambda n: filled({"Workbook": biff8([["a"]]), **{f"s{at}": b"x" * 70 for at in range(n // 2)}}),
        "xls signs": lambda n: joined([["[a](*_`|" * 100]] * (n // 100)),
    }


def _numbers_cells(number: int, key: int = 1) -> list[list[bytes | None]]:
    return [[text_cell(key)] for _ in range(number)]


def make_numbers() -> Mapping[str, Builder]:
    return {
        "numbers rows": lambda n: numbers(_numbers_cells(n // 8), strings=["a"]),
        "numbers strings": lambda n: numbers(
            [[text_cell(at + 1)] for at in range(n // 8)], strings=[f"s{at}" for at in range(n // 8)]
        ),
        "numbers one string of many cells": lambda n: numbers(_numbers_cells(n // 8), strings=["ab " * n]),
        "numbers one blank string of many cells": lambda n: numbers(_numbers_cells(n // 8), strings=[" " * (8 * n)]),
        "numbers one format of many cells": lambda n: numbers(
            [[number_cell(at, 1)] for at in range(n // 8)],
            formats=[Wire().put(1, 270).put(41, Wire().put(1, 7).put(2, 7))],
            custom=[(7, Wire().put(3, Wire().put(18, "'a'" * (n // 8) + "0")))],
        ),
        "numbers cells over each other": lambda n: _crossed(n // 8),
    }


def _crossed(number: int) -> bytes:
    """Build cells that alternate between the start and the end of their row."""
    return numbers([[number_cell(1) * number, *[number_cell(1)] * 2] * 8] * 4)
