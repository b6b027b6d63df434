"""Damaged and hostile documents.

The result is a document or `ConversionFailed`, and never another error. It takes little time.
"""

import random
from collections.abc import Callable

import pytest

from convert_support.effort import effort
from convert_support.office import docx, odf, pptx, relations, slide_part, word
from convert_support.packed import packed
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import Document
from webquarry_convert.file.text import docx as word_reader
from webquarry_convert.file.text import odp, odt
from webquarry_convert.file.text import pptx as slide_reader
from webquarry_convert.file.text.fields import Fields

Read = Callable[[bytes], Document]
P = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
_LIST = '<text:list text:style-name="L"><text:list-item><text:p>{}</text:p></text:list-item></text:list>'
_TABLE = (
    '<table:table><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="2">'
    "<text:p>a</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>"
)
WORD = docx(
    '<w:p><w:pPr><w:pStyle w:val="H"/><w:outlineLvl w:val="2"/></w:pPr>'
    "<w:r><w:rPr><w:b/></w:rPr><w:t>Title</w:t></w:r></w:p>"
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    '<w:r><w:fldChar w:fldCharType="begin"/>'
    '<w:instrText>HYPERLINK "http://a.b"</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>x</w:t>'
    '<w:fldChar w:fldCharType="end"/><w:sym w:font="Symbol" w:char="F061"/><w:footnoteReference w:id="1"/></w:r></w:p>'
    '<w:tbl><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr>'
    "<w:p/></w:tc><w:tc><w:p><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den/></m:f></m:oMath></w:p></w:tc></w:tr></w:tbl>",
    styles='<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/><w:basedOn w:val="H"/></w:style>',
    numbering='<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/>'
    '<w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    links=(("f", "footnotes", "footnotes.xml"),),
    more={"word/footnotes.xml": word("footnotes", f'<w:footnote w:id="1">{P.format("note")}</w:footnote>')},
)
_STYLES = (
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"'
    ' text:start-value="2" text:display-levels="2"/></text:list-style><style:style style:name="T" style:family="text">'
    '<style:text-properties style:text-position="super 58%"/></style:style>'
)
TEXT = odf(
    "text",
    '<text:h text:outline-level="2">a</text:h><text:p>b<text:span text:style-name="T">2</text:span><text:s text:c="3"/>'
    f"</text:p>{_LIST.format('c')}{_TABLE}",
    automatic=_STYLES,
)
SLIDES = odf(
    "presentation",
    f'<draw:page><draw:frame presentation:class="title" svg:y="1cm" svg:height="1cm"><draw:text-box>{_LIST.format("t")}'
    f'</draw:text-box></draw:frame><draw:frame svg:y="3cm" svg:height="1cm">{_TABLE}</draw:frame></draw:page>',
    automatic=_STYLES,
)
PRESENTATION = pptx(
    '<p:sp><p:nvSpPr><p:cNvPr id="1" name="t"/><p:nvPr><p:ph type="title" idx="1"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm>'
    '<a:off x="1" y="1"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr><p:txBody><a:p><a:pPr lvl="1"><a:buAutoNum'
    ' type="alphaLcPeriod" startAt="3"/></a:pPr><a:r><a:rPr b="1" baseline="30000"/><a:t>a</a:t></a:r></a:p></p:txBody>'
    '</p:sp><p:grpSp><p:sp><p:nvSpPr><p:nvPr><p:ph idx="2"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>b</a:t></a:r>'
    '</a:p></p:txBody></p:sp></p:grpSp><p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>'
    '<a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>c</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/></a:tr></a:tbl>'
    "</a:graphicData></a:graphic></p:graphicFrame>",
    links={1: (("l", "slideLayout", "../layout.xml"), ("c", "comments", "../comments.xml"))},
    more={
        "ppt/layout.xml": slide_part("sldLayout", '<p:sp><p:nvSpPr><p:nvPr><p:ph idx="2"/></p:nvPr></p:nvSpPr></p:sp>'),
        "ppt/_rels/layout.xml.rels": relations(("m", "slideMaster", "layout.xml")),
        "ppt/comments.xml": slide_part("cmLst", "", '<p:cm authorId="0"><p:text>d</p:text></p:cm>'),
    },
)
MADE: list[tuple[Read, bytes, str]] = [
    (word_reader.read, WORD, "word/document.xml"),
    (odt.read, TEXT, "content.xml"),
    (odp.read, SLIDES, "content.xml"),
    (slide_reader.read, PRESENTATION, "ppt/slides/slide1.xml"),
]


def reason(read: Read, body: bytes) -> str | None:
    """Return the reason why a document is rejected, or None."""
    try:
        read(body)
    except ConversionFailed as failed:
        return failed.reason
    return None


@pytest.mark.parametrize(("read", "body", "part"), MADE)
def test_truncated_and_changed_files_give_a_document_or_a_clear_error(read: Read, body: bytes, part: str) -> None:
    assert reason(read, body) is None
    for end in range(0, len(body), 7):
        assert reason(read, body[:end]) == "corrupt"
    chance = random.Random(5)
    for _ in range(300):
        damaged = bytearray(body)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(body))] = chance.randrange(256)
        reason(read, bytes(damaged))


@pytest.mark.parametrize(("read", "body", "part"), MADE)
def test_damaged_xml_gives_a_document_or_a_clear_error(read: Read, body: bytes, part: str) -> None:
    """The changes are made inside the XML, because otherwise the archive's checksum would detect them."""
    archive = Archive(body)
    parts = {name: archive.read(name) or b"" for name in archive.names}
    chance = random.Random(7)
    names = sorted(name for name in parts if name.endswith(".xml"))
    for _ in range(600):
        name = chance.choice([part, part, *names])
        text = bytearray(parts[name])
        start = chance.randrange(len(text))
        match chance.randrange(4):
            case 0:
                del text[start : start + chance.randint(1, 30)]
            case 1:
                text[start:start] = text[start : start + chance.randint(1, 60)]
            case 2:
                digits = [at for at, sign in enumerate(text) if 48 <= sign <= 57]
                text[chance.choice(digits)] = chance.choice(b"-90ax")
            case _:
                text[start] = chance.randrange(256)
        reason(read, packed({**parts, name: bytes(text)}))


def test_huge_numbers_are_limited() -> None:
    huge = "9" * 400
    body = docx(
        f'<w:p><w:pPr><w:outlineLvl w:val="{huge}"/><w:numPr><w:ilvl w:val="-5"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        f'<w:r><w:t>a</w:t><w:sym w:font="x" w:char="{huge}"/><w:sym w:font="x" w:char="D800"/></w:r></w:p>'
        '<w:tbl><w:tr><w:trPr><w:gridBefore w:val="2000000000"/></w:trPr>'
        '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>'
        f"{P.format('b')}</w:tc><w:tc>{P.format('c')}</w:tc></w:tr><w:tr><w:tc>{P.format('d')}</w:tc></w:tr></w:tbl>",
        numbering=f'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="{huge}"/>'
        '<w:lvl w:ilvl="0"><w:start w:val="999999999"/>'
        '<w:lvlText w:val="%1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    )
    assert word_reader.read(body).markdown == "a\n\n|  | b<br>c |\n| --- | --- |\n| d |  |\n"
    text = f'<text:h text:outline-level="{huge}">a</text:h><text:p><text:s text:c="{huge}"/>b</text:p>'
    assert odt.read(odf("text", text)).markdown == "# a\n\nb\n"


@pytest.mark.parametrize("count", [60, 20_000])
def test_deep_nesting_is_limited(count: int) -> None:
    lists = "<text:list><text:list-item>" * count + "<text:p>x</text:p>" + "</text:list-item></text:list>" * count
    assert reason(odt.read, odf("text", lists)) == (None if count == 60 else "limits")
    count //= 2
    tables = f"<w:tbl><w:tr><w:tc>{P.format('x')}" * count + P.format("y") + "</w:tc></w:tr></w:tbl>" * count
    assert reason(word_reader.read, docx(tables)) == (None if count == 30 else "limits")


def test_cells_beyond_the_limit_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.text.table.MAX_CELLS", 5000)
    far = f'<w:tr><w:trPr><w:gridBefore w:val="{{}}"/></w:trPr><w:tc>{P.format("x")}</w:tc></w:tr>'
    body = "<w:tbl>" + "".join(far.format(at) for at in range(200)) + "</w:tbl>"
    assert reason(word_reader.read, docx(body)) == "limits"


def test_documents_with_many_elements_take_linear_time() -> None:
    """These inputs make careless readers quadratic. Each would then take minutes."""
    many = 5_000
    cell = f"<w:tc>{P.format('a')}</w:tc>"
    bodies = [
        P.format("a") * many,
        "<w:p>" + "<w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t></w:r>" * many + "</w:p>",
        "<w:p>" + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * many + "</w:p>",
        f"<w:tbl><w:tr>{cell * many}</w:tr></w:tbl>",
        "<w:p>" + '<w:r><w:footnoteReference w:id="1"/></w:r>' * many + "</w:p>",
    ]
    for body in bodies:
        assert reason(word_reader.read, docx(body)) is None
    item = f"<text:list-item><text:p>a</text:p>{'<text:p>b</text:p>' * many}</text:list-item>"
    assert reason(odt.read, odf("text", f"<text:list>{item}</text:list>")) is None
    nested = "<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>" * many
    assert (
        reason(
            odt.read, odf("text", f"<text:list><text:list-item><text:p>a</text:p>{nested}</text:list-item></text:list>")
        )
        is None
    )


def test_unclosed_fields_are_dropped() -> None:
    fields = Fields()

    def read() -> None:
        for _ in range(20_000):
            fields.begin()
            fields.add_instruction("HYPERLINK x")
            fields.end_paragraph()

    assert effort(read) < 2
    fields.leave()
    assert (fields.link, fields.is_instruction) == (None, False)
