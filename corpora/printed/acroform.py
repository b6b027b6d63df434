"""Conversion of links on a printed page to form fields, because browsers print links at their positions, but do not
print fields.

A link to `field:KIND/NAME/VALUE/STATE` becomes a field at the same position: KIND is `radio`, `checkbox`, `text` or
`list`, STATE `on` or `off`. Radio buttons with the same name form a group. The changes are appended to the file as an
incremental update.
"""

import re
from pathlib import Path
from urllib.parse import unquote

_LINK = re.compile(
    rb"(\d+) 0 obj\n<</Type /Annot\n/Subtype /Link\n.*?/Rect (\[[^]]*\]).*?/URI \(field:([^)]*)\)>>.*?>>\nendobj", re.S
)
_CATALOG = re.compile(rb"(\d+) 0 obj\n<</Type /Catalog\n(.*?)>>\nendobj", re.S)
_TRAILER = re.compile(rb"trailer\n<</Size (\d+)\n(.*?)>>\nstartxref\n(\d+)\n%%EOF\s*$", re.S)
_RADIO, _SEVERAL = 49152, 1 << 21
"""Field flags: a radio group that always has a selection; a list with multiple selection."""


def make_fields(path: Path) -> None:
    """Convert the links of a file. Raises ValueError for a file that Chromium did not write."""
    body = path.read_bytes()
    catalog, trailer = _CATALOG.search(body), _TRAILER.search(body)
    if catalog is None or trailer is None:
        raise ValueError(f"{path} is not written as Chromium does")
    size = int(trailer[1])
    objects: dict[int, bytes] = {}
    groups: dict[str, list[tuple[int, bytes, str, bool]]] = {}
    for found in _LINK.finditer(body):
        kind, name, value, state = unquote(found[3].decode()).split("/")
        number, box, is_on = int(found[1]), found[2], state == "on"
        if kind == "radio":
            groups.setdefault(name, []).append((number, box, value, is_on))
        else:
            objects[number] = _write_widget(box, _write_entries(kind, name, value, is_on=is_on))
    fields = list(objects)
    dot = size
    for name, buttons in groups.items():
        size += 1
        chosen = next((value for _, _, value, is_on in buttons if is_on), "Off")
        kids = " ".join(f"{number} 0 R" for number, *_ in buttons)
        objects[size] = f"<</FT/Btn/Ff {_RADIO}/T({name})/V/{chosen}/Kids[{kids}]>>".encode()
        fields.append(size)
        for number, box, value, is_on in buttons:
            look = f"/AS/{value if is_on else 'Off'}/AP<</N<</{value} {dot} 0 R/Off {dot} 0 R>>>>/Parent {size} 0 R"
            objects[number] = _write_widget(box, look)
    objects = {number: entries.replace(b"@", str(dot).encode()) for number, entries in objects.items()}
    objects[dot] = b"<</Type/XObject/Subtype/Form/BBox[0 0 8 8]/Length 3>>\nstream\nq Q\nendstream"
    form = " ".join(f"{number} 0 R" for number in fields)
    objects[int(catalog[1])] = b"<</Type/Catalog\n" + catalog[2] + f"/AcroForm<</Fields[{form}]>>>>".encode()
    path.write_bytes(body + _write_update(objects, len(body), size + 1, trailer[2], int(trailer[3])))


def _write_entries(kind: str, name: str, value: str, *, is_on: bool) -> str:
    """Return the entries of a field. "@" represents the number of an appearance."""
    if kind == "checkbox":
        state = "Yes" if is_on else "Off"
        return f"/FT/Btn/T({name})/V/{state}/AS/{state}/AP<</N<</Yes @ 0 R/Off @ 0 R>>>>"
    if kind == "list":
        options = value.split("|")
        chosen = "".join(f"({option.removeprefix('*')})" for option in options if option.startswith("*"))
        shown = "".join(f"({option.removeprefix('*')})" for option in options)
        return f"/FT/Ch/Ff {_SEVERAL}/T({name})/Opt[{shown}]/V[{chosen}]"
    return f"/FT/Tx/T({name})/V({value})"


def _write_widget(box: bytes, entries: str) -> bytes:
    return b"<</Type/Annot/Subtype/Widget/F 4/Rect" + box + entries.encode("cp1252") + b">>"


def _write_update(objects: dict[int, bytes], start: int, size: int, entries: bytes, before: int) -> bytes:
    """Return the incremental update of a file. entries: entries of its trailer. before: offset of the previous
    cross-reference table.
    """
    out = bytearray(b"\n")
    table = bytearray(b"xref\n")
    for number in sorted(objects):
        table += b"%d 1\n%010d 00000 n \n" % (number, start + len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    at = start + len(out)
    return bytes(out + table) + b"trailer\n<</Size %d/Prev %d\n%s>>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        before,
        entries,
        at,
    )
