"""Word and OpenDocument texts in which a list of the format, other than the paragraphs, is as long as possible."""

from collections.abc import Mapping
from functools import partial

from convert_support.grown.kinds import Builder
from convert_support.office import docx, odf, word


def _paragraph(content: str = "<w:r><w:t>a</w:t></w:r>", properties: str = "") -> str:
    return f"<w:p>{properties}{content}</w:p>"


def _refer(kind: str, identity: int) -> str:
    return f'<w:r><w:{kind}Reference w:id="{identity}"/></w:r>'


def _notes(kind: str, body: str, notes: str) -> bytes:
    """Build a document with notes. kind: `footnote`, `endnote` or `comment`."""
    return docx(body, links=(("n", f"{kind}s", f"{kind}s.xml"),), more={f"word/{kind}s.xml": word(f"{kind}s", notes)})


def _noted(number: int, *, kind: str) -> bytes:
    """Build a document with as many paragraphs as notes. Each paragraph has one reference."""
    notes = "".join(f'<w:{kind} w:id="{at}" w:author="a">{_paragraph()}</w:{kind}>' for at in range(number))
    return _notes(
        kind, "".join(_paragraph("<w:r><w:t>a</w:t></w:r>" + _refer(kind, at)) for at in range(number)), notes
    )


def _noted_cells(number: int) -> bytes:
    rows = "".join(f"<w:tr><w:tc>{_paragraph(_refer('footnote', at))}</w:tc></w:tr>" for at in range(number))
    notes = "".join(f'<w:footnote w:id="{at}">{_paragraph()}</w:footnote>' for at in range(number))
    return _notes("footnote", f"<w:tbl>{rows}</w:tbl>", notes)


def _chained_notes(number: int) -> bytes:
    """Build notes that each refer to the next one."""
    notes = "".join(
        f'<w:footnote w:id="{at}">{_paragraph(_refer("footnote", at + 1))}</w:footnote>' for at in range(number)
    )
    return _notes("footnote", _paragraph(_refer("footnote", 0)), notes)


def _one_note_again(number: int) -> bytes:
    notes = "".join(f'<w:footnote w:id="0">{_paragraph()}</w:footnote>' for _ in range(number))
    return _notes("footnote", _paragraph(_refer("footnote", 0) * number), notes)


def _abstract(at: int, levels: int = 1) -> str:
    inner = "".join(f'<w:lvl w:ilvl="{level}"><w:numFmt w:val="decimal"/></w:lvl>' for level in range(levels))
    return f'<w:abstractNum w:abstractNumId="{at}">{inner}</w:abstractNum>'


def _number(at: int, abstract: int) -> str:
    return f'<w:num w:numId="{at}"><w:abstractNumId w:val="{abstract}"/></w:num>'


def _item(number: int, level: int = 0) -> str:
    properties = f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>'
    return _paragraph(properties=properties)


def _lists(number: int) -> bytes:
    """Build as many list definitions as items."""
    defined = "".join(_abstract(at) for at in range(number)) + "".join(_number(at, at) for at in range(number))
    return docx("".join(_item(at) for at in range(number)), numbering=defined)


def _furniture(number: int) -> bytes:
    links = tuple((f"h{at}", "header", f"header{at}.xml") for at in range(number // 8))
    parts: dict[str, str | bytes] = {
        f"word/header{at}.xml": word("hdr", _paragraph(f"<w:r><w:t>head {at}</w:t></w:r>")) for at in range(number // 8)
    }
    return docx(_paragraph(), links=links, more=parts)


def make_docx_lists() -> Mapping[str, Builder]:
    bookmark = '<w:bookmarkStart w:id="{0}" w:name="b{0}"/><w:bookmarkEnd w:id="{0}"/>'
    merged = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    cell = f"<w:tc>{_paragraph()}</w:tc>"
    return {
        **{f"docx {kind}s of paragraphs": partial(_noted, kind=kind) for kind in ("footnote", "endnote", "comment")},
        "docx notes of cells": _noted_cells,
        "docx notes that refer to each other": _chained_notes,
        "docx one note again": _one_note_again,
        "docx paragraphs of a note": lambda n: _notes(
            "footnote", _paragraph(_refer("footnote", 0)), f'<w:footnote w:id="0">{_paragraph() * n}</w:footnote>'
        ),
        "docx definitions of lists": _lists,
        "docx lists of one definition": lambda n: docx(
            "".join(_item(at) for at in range(n)), numbering=_abstract(0) + "".join(_number(at, 0) for at in range(n))
        ),
        "docx levels of lists": lambda n: docx(
            "".join(_item(1, at % 9) for at in range(n)), numbering=_abstract(0, 9) + _number(1, 0)
        ),
        "docx definitions of styles": lambda n: docx(
            "".join(_paragraph(properties=f'<w:pPr><w:pStyle w:val="s{at}"/></w:pPr>') for at in range(n)),
            styles="".join(f'<w:style w:type="paragraph" w:styleId="s{at}"/>' for at in range(n)),
        ),
        "docx one style again": lambda n: docx(
            _paragraph(), styles='<w:style w:type="paragraph" w:styleId="s"><w:name w:val="heading 1"/></w:style>' * n
        ),
        "docx bookmarks": lambda n: docx(
            "".join(_paragraph(bookmark.format(at) + "<w:r><w:t>a</w:t></w:r>") for at in range(n))
        ),
        "docx links to bookmarks": lambda n: docx(
            "".join(
                _paragraph(
                    f'<w:hyperlink w:anchor="b{n - at}"><w:r><w:t>a</w:t></w:r></w:hyperlink>{bookmark.format(at)}'
                )
                for at in range(n)
            )
        ),
        "docx links of their own": lambda n: docx(
            "".join(_paragraph(f'<w:hyperlink r:id="h{at}"><w:r><w:t>a</w:t></w:r></w:hyperlink>') for at in range(n)),
            links=tuple((f"h{at}", "hyperlink", f"http://a.example/{at}") for at in range(n)),
        ),
        "docx sections": lambda n: docx(_paragraph(properties="<w:pPr><w:sectPr/></w:pPr>") * n),
        "docx heads of pages": _furniture,
        "docx headings": lambda n: docx(_paragraph(properties='<w:pPr><w:outlineLvl w:val="1"/></w:pPr>') * n),
        "docx merged cells": lambda n: docx(f"<w:tbl>{f'<w:tr>{merged}{cell}</w:tr>' * n}</w:tbl>"),
        "docx tables of a cell": lambda n: docx(
            f"<w:tbl><w:tr><w:tc>{f'<w:tbl><w:tr>{cell}</w:tr></w:tbl>' * n}<w:p/></w:tc></w:tr></w:tbl>"
        ),
        "docx controls": lambda n: docx(f"<w:sdt><w:sdtContent>{_paragraph()}</w:sdtContent></w:sdt>" * n),
        "docx changes": lambda n: docx(_paragraph("<w:ins><w:r><w:t>a</w:t></w:r></w:ins><w:del><w:r/></w:del>" * n)),
    }


def _open_note(content: str = "<text:p>n</text:p>", identity: str = "") -> str:
    return f"<text:note{identity}><text:note-body>{content}</text:note-body></text:note>"


def _nested_notes(number: int) -> str:
    """Build notes nested thirty deep, with `number // 30` further notes next to each."""
    found = "a"
    for _ in range(30):
        found = f"<text:p>{_open_note(f'<text:p>{found}</text:p>')}{_open_note() * (number // 30)}</text:p>"
    return found


def make_odt_lists() -> Mapping[str, Builder]:
    odt = partial(odf, "text")
    item = "<text:list-item><text:p>a</text:p></text:list-item>"
    return {
        "odt notes of paragraphs": lambda n: odt(f"<text:p>a{_open_note()}</text:p>" * n),
        "odt notes within each other": lambda n: odt(_nested_notes(n)),
        "odt paragraphs of a note": lambda n: odt(f"<text:p>{_open_note('<text:p>n</text:p>' * n)}</text:p>"),
        "odt notes of cells": lambda n: odt(
            "<table:table>" + "<table:table-row><table:table-cell>"
            f"<text:p>a{_open_note()}</text:p></table:table-cell></table:table-row>" * n + "</table:table>"
        ),
        "odt references to notes": lambda n: odt(
            "".join(
                "<text:p>"
                + _open_note(identity=f' text:id="n{at}"')
                + f'<text:note-ref text:ref-name="n{n - at}">1</text:note-ref></text:p>'
                for at in range(n)
            )
        ),
        "odt remarks": lambda n: odt("<text:p>a<office:annotation><text:p>r</text:p></office:annotation></text:p>" * n),
        "odt bookmarks": lambda n: odt(
            "".join(
                f'<text:p><text:bookmark text:name="b{at}"/><text:a xlink:href="#b{n - at}">a</text:a></text:p>'
                for at in range(n)
            )
        ),
        "odt links": lambda n: odt(
            "".join(f'<text:p><text:a xlink:href="http://a.example/{at}">a</text:a></text:p>' for at in range(n))
        ),
        "odt definitions of styles": lambda n: odt(
            "".join(f'<text:p text:style-name="s{at}">a</text:p>' for at in range(n)),
            automatic="".join(f'<style:style style:name="s{at}" style:family="paragraph"/>' for at in range(n)),
        ),
        "odt definitions of lists": lambda n: odt(
            "".join(f'<text:list text:style-name="L{at}">{item}</text:list>' for at in range(n)),
            automatic="".join(
                f'<text:list-style style:name="L{at}"><text:list-level-style-number text:level="1" '
                'style:num-format="1"/></text:list-style>'
                for at in range(n)
            ),
        ),
        "odt lists that go on": lambda n: odt(
            "".join(f'<text:list xml:id="l{at}" text:continue-list="l{at - 1}">{item}</text:list>' for at in range(n))
        ),
        "odt fields": lambda n: odt("<text:p>" + "<text:page-number>1</text:page-number>" * n + "</text:p>"),
        "odt pictures": lambda n: odt(
            '<text:p><draw:frame><draw:image xlink:href="a.png"/><svg:title>a</svg:title></draw:frame></text:p>' * n
        ),
        "odt headings": lambda n: odt('<text:h text:outline-level="2">a</text:h>' * n),
        "odt changes": lambda n: odt(
            "<text:tracked-changes>"
            + "".join(
                f'<text:changed-region text:id="c{at}"><text:deletion><text:p>a</text:p></text:deletion>'
                "</text:changed-region>"
                for at in range(n)
            )
            + "</text:tracked-changes>"
            + "".join(f'<text:p><text:change text:change-id="c{at}"/>a</text:p>' for at in range(n))
        ),
    }
