"""Numbers documents in which a list of the format, other than rows and strings, is as long as possible."""

import struct
from collections.abc import Callable, Mapping
from functools import partial

from convert_support.grown.kinds import Builder
from convert_support.sheets import Wire, number_cell, numbers, numbers_objects, packed, text_cell, zipped

_SHEET, _TABLE, _GROUP, _MODEL, _TILE, _LIST = 2, 6000, 3008, 6001, 6002, 6005
"""Types of objects in Numbers documents."""
_FIRST = 1_000
"""The first identifier that `numbers_objects` does not use."""
Parts = dict[str, list[tuple[int, int, Wire]]]


def _change(change: Callable[[Parts, int], None], number: int) -> bytes:
    """Return a document with one table, after `change` has modified its objects for the given number of elements."""
    parts = numbers_objects([[text_cell(1)]], ["a"], [], [], "Sheet 1", "Table 1")
    change(parts, number)
    return zipped({f"Index/{name}.iwa": packed(objects) for name, objects in parts.items()})


def _replace(parts: Parts, name: str, identifier: int, message: Wire) -> None:
    parts[name] = [(key, kind, message if key == identifier else old) for key, kind, old in parts[name]]


def _refer(field: int, number: int, message: Wire | None = None) -> Wire:
    message = message or Wire()
    message.body += b"".join(Wire().refer(field, _FIRST + at).body for at in range(number))
    return message


def _add_sheets(parts: Parts, number: int) -> None:
    _replace(parts, "Document", 1, _refer(1, number).put(8, Wire().put(3, "en").refer(12, 30)))
    parts["Document"] += [(_FIRST + at, _SHEET, Wire().put(1, f"s{at}").refer(2, 11)) for at in range(number)]


def _add_tables(parts: Parts, number: int, *, cells: bool = False) -> None:
    """Add tables. cells: whether all tables share the cells and texts of the first."""
    (model,) = (message for key, _, message in parts["CalculationEngine"] if key == 12)
    _replace(parts, "Document", 10, _refer(2, number, Wire().put(1, "s")))
    for at in range(number):
        parts["Document"].append((_FIRST + at, _TABLE, Wire().refer(2, _FIRST + number + at)))
        parts["Document"].append((_FIRST + number + at, _MODEL, model if cells else Wire().put(8, f"t{at}")))


def _add_groups(parts: Parts, number: int) -> None:
    """Add nested groups, with the table in the innermost group."""
    _replace(parts, "Document", 10, Wire().put(1, "s").refer(2, _FIRST))
    groups = [(_FIRST + at, _GROUP, Wire().refer(2, _FIRST + at + 1)) for at in range(number)]
    parts["Document"] += [*groups, (_FIRST + number, _TABLE, Wire().refer(2, 12))]


def _add_segments(parts: Parts, number: int, *, again: bool = False) -> None:
    """Add texts in segments of the list. again: whether to refer to one segment many times."""
    listed = _refer(4, number) if not again else Wire()
    if again:
        listed.body = Wire().refer(4, _FIRST).body * number
    _replace(parts, "Tables/DataList", 21, listed)
    count = 1 if again else number
    parts["Tables/DataList"] += [
        (_FIRST + at, _LIST, Wire().put(3, Wire().put(1, at + 1).put(3, f"s{at}"))) for at in range(count)
    ]


def _add_tiles(parts: Parts, number: int) -> None:
    tiles = Wire()
    tiles.body = (
        b"".join(Wire().put(1, Wire().put(1, at).refer(2, _FIRST + at)).body for at in range(number))
        + Wire().put(2, 1).body
    )
    store = Wire().put(3, tiles).refer(4, 21).refer(22, 22)
    _replace(parts, "CalculationEngine", 12, Wire().put(4, store).put(6, number).put(7, 1).put(8, "t"))
    row = Wire().put(1, 0).put(2, 1).put(6, text_cell(1)).put(7, struct.pack("<H", 0)).put(8, 1)
    parts["Tables/Tile"] += [(_FIRST + at, _TILE, Wire().put(5, row)) for at in range(number)]


def _add_objects(parts: Parts, number: int) -> None:
    parts["Tables/Tile"] += [(_FIRST + at, _TILE, Wire()) for at in range(number)]


def _share_cells(parts: Parts, number: int) -> None:
    """Create as many tables as texts. Each table contains all texts."""
    texts = Wire()
    texts.body = b"".join(Wire().put(3, Wire().put(1, at).put(3, f"s{at}")).body for at in range(1, number + 1))
    _replace(parts, "Tables/DataList", 21, texts)
    _add_tables(parts, number, cells=True)


def _old(cells: str) -> bytes:
    """Build a Numbers '09 document with a table that has a single column."""
    names = "".join(f' xmlns:{name}="http://developer.apple.com/namespaces/{name}"' for name in ("ls", "sf", "sfa"))
    return zipped(
        {
            "index.xml": f"<ls:document{names}><ls:workspace-array><ls:workspace ls:workspace-name='s'><ls:page-info>"
            f"<sf:tabular-model sf:name='t'><sf:grid sf:numcols='1' sf:numrows='9'><sf:datasource>{cells}"
            "</sf:datasource></sf:grid></sf:tabular-model></ls:page-info></ls:workspace></ls:workspace-array>"
            "</ls:document>"
        }
    )


def make_numbers_lists() -> Mapping[str, Builder]:
    def formats(number: int) -> bytes:
        styles = [Wire().put(1, 256).put(2, at % 9) for at in range(number)]
        return numbers([[number_cell(at, at + 1)] for at in range(number)], formats=styles)

    def custom(number: int) -> bytes:
        made = [(at, Wire().put(3, Wire().put(18, f"'{at}'0"))) for at in range(number)]
        styles = [Wire().put(1, 270).put(41, Wire().put(1, at).put(2, 7)) for at in range(number)]
        return numbers([[number_cell(at, at + 1)] for at in range(number)], formats=styles, custom=made)

    return {
        "numbers columns": lambda n: numbers([[number_cell(1)] * min(n, 16_000)] * 2),
        "numbers digits": lambda n: numbers([[number_cell(f"{at}.{'1' * 30}")] for at in range(n // 8)]),
        "numbers formats": lambda n: formats(n // 8),
        "numbers custom formats": lambda n: custom(n // 8),
        "numbers sheets": lambda n: _change(_add_sheets, n // 8),
        "numbers tables": lambda n: _change(_add_tables, n // 8),
        "numbers tables that share cells": lambda n: _change(_share_cells, n // 8),
        "numbers groups within each other": lambda n: _change(_add_groups, n // 8),
        "numbers segments of texts": lambda n: _change(_add_segments, n // 8),
        "numbers one segment listed again": lambda n: _change(partial(_add_segments, again=True), n),
        "numbers tiles": lambda n: _change(_add_tiles, n // 8),
        "numbers objects": lambda n: _change(_add_objects, n),
        "numbers parts": lambda n: zipped(
            {f"Index/{at}.iwa": packed([(at + 1, _TILE, Wire())]) for at in range(min(n, 4_000))}
        ),
        "numbers cells of 2009": lambda n: _old('<sf:t><sf:ct sfa:s="a"/></sf:t><sf:n sf:v="1"/>' * n),
        "numbers spans of 2009": lambda n: _old('<sf:t sf:col-span="9"><sf:ct sfa:s="a"/></sf:t>' * n),
        "numbers rich texts of 2009": lambda n: _old(
            "<sf:t><sf:ct><sf:so>" + "<sf:p>a</sf:p>" * n + "</sf:so></sf:ct></sf:t>"
        ),
        "numbers results of 2009": lambda n: _old('<sf:f><sf:fo sf:fs="=1"/><sf:r><sf:rn sf:v="2"/></sf:r></sf:f>' * n),
    }
