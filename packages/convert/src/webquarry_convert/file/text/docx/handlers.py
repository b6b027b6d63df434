"""The handlers of elements in a Word document.

They are methods of `Body` for text, and functions of `objects` for the rest.
"""

from collections.abc import Callable
from typing import Final

from webquarry_convert.file.text.docx import objects
from webquarry_convert.file.text.docx.body import Body
from webquarry_convert.file.text.ooxml.charts import C
from webquarry_convert.file.text.ooxml.graphics import DGM
from webquarry_convert.file.text.ooxml.package import MC, OFFICE, M, V, W
from webquarry_convert.file.text.walk import Handler, Leave, skip
from webquarry_convert.file.xml import Element

_LEFT_OUT: Final = """
    pPr rPr sectPr tblPr tblGrid tblPrEx trPr tcPr sdtPr sdtEndPr del moveFrom delText delInstrText footnoteRef
    endnoteRef annotationRef separator continuationSeparator rt pgNum proofErr bookmarkStart bookmarkEnd
    lastRenderedPageBreak softHyphen
"""
_HANDLED: Final[dict[str, Callable[[Body, Element], Leave | None]]] = {
    "p": Body.paragraph,
    "r": Body.run,
    "t": Body.text,
    "tab": Body.read_tab,
    "ptab": Body.read_tab,
    "br": Body.add_line_break,
    "cr": Body.add_line_break,
    "noBreakHyphen": Body.read_hyphen,
    "sym": Body.symbol,
    "hyperlink": Body.read_hyperlink,
    "fldSimple": Body.read_simple_field,
    "fldChar": Body.read_field_character,
    "instrText": Body.instruction,
    "footnoteReference": Body.read_footnote,
    "endnoteReference": Body.read_endnote,
    "commentReference": Body.read_comment,
    "altChunk": objects.read_chunk,
    "control": objects.leave_out_control,
    "drawing": objects.read_drawing,
    "txbxContent": Body.read_text_box,
    "tbl": Body.table,
    "tr": Body.row,
    "tc": Body.cell,
}
HANDLERS: Final[dict[str, Handler[Body]]] = {
    **{f"{W}{name}": skip for name in _LEFT_OUT.split()},
    **{f"{W}{name}": handler for name, handler in _HANDLED.items()},
    f"{M}oMath": objects.read_formula,
    f"{C}chart": objects.read_chart,
    f"{DGM}relIds": objects.read_diagram,
    f"{V}shape": objects.read_vector_shape,
    f"{OFFICE}OLEObject": objects.leave_out_object,
    f"{MC}AlternateContent": Body.choose_alternative,
}
