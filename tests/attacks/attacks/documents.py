"""Documents that are small, or below the limit, and expensive to convert: their XML, and the archives around it."""

from collections.abc import Callable, Iterator

from attacks.attack import Attack, Upload
from attacks.making import (
    LAUGHS,
    WORDS,
    document,
    make_open_document,
    make_overlapping_archive,
    nest_elements,
    paragraph,
    types_part,
    zip_parts,
)

_DOCUMENTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "text": ("A text of 90 MB is packed small.", lambda: document(paragraph("A" * 1000) * 90_000)),
    "paragraphs": ("250,000 paragraphs.", lambda: document(paragraph("words") * 250_000)),
    "runs": (
        "A paragraph has a million pieces.",
        lambda: document(
            f"<w:p>{'<w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r><w:r><w:t>b</w:t></w:r>' * 300_000}</w:p>"
        ),
    ),
    "tables in tables": (
        "1,500 tables are nested.",
        lambda: document("<w:tbl><w:tr><w:tc>" * 1500 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 1500),
    ),
    "tables in tables, in depth that is read": (
        "Tables stand 40 deep in each other, again and again.",
        lambda: document(("<w:tbl><w:tr><w:tc>" * 40 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 40) * 1000),
    ),
    "spans": (
        "Cells span two billion columns.",
        lambda: document(
            '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>'
            + paragraph("a")
            + "</w:tc></w:tr></w:tbl>"
        ),
    ),
    "controls": (
        "60,000 controls are nested.",
        lambda: document("<w:sdt><w:sdtContent>" * 60_000 + paragraph("deep") + "</w:sdtContent></w:sdt>" * 60_000),
    ),
    "entities": ("Entities become a billion laughs.", lambda: document(paragraph("&a9;"), prolog=LAUGHS)),
    "styles in a chain": (
        "30,000 styles are each based on the one before.",
        lambda: document(
            (paragraph("a").replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="S29999"/></w:pPr>')) * 2000,
            extra=[
                (
                    "word/styles.xml",
                    f'<w:styles xmlns:w="{WORDS}">'
                    + "".join(
                        f'<w:style w:type="paragraph" w:styleId="S{at}"><w:basedOn w:val="S{at - 1}"/></w:style>'
                        for at in range(30_000)
                    )
                    + "</w:styles>",
                )
            ],
        ),
    ),
    "styles in a circle": (
        "Two styles are based on each other.",
        lambda: document(
            paragraph("a").replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr>'),
            extra=[
                (
                    "word/styles.xml",
                    f'<w:styles xmlns:w="{WORDS}"><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/>'
                    "</w:style>"
                    '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
                )
            ],
        ),
    ),
    "lists": (
        "100,000 items belong to lists that are not defined.",
        lambda: document(
            "".join(
                f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{at % 9}"/><w:numId w:val="{at}"/></w:numPr></w:pPr>'
                "<w:r><w:t>a</w:t></w:r></w:p>"
                for at in range(100_000)
            )
        ),
    ),
    "fields": (
        "50,000 fields are open in each other.",
        lambda: document("<w:p>" + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * 50_000 + "</w:p>"),
    ),
    "names for one part": ("2,000 names refer to one part of 4 MB.", lambda: make_overlapping_archive(2000)),
    "archive in archives": ("Archives stand nine deep in each other.", lambda: nest_elements(9)),
    "parts": (
        "20,000 parts.",
        lambda: zip_parts(
            [types_part("word/document.xml", "wordprocessingml.document"), *((f"e/{at}", "") for at in range(20_000))],
            stored=True,
        ),
    ),
}
_OPEN: dict[str, tuple[str, Callable[[], bytes]]] = {
    "sheet of repeated rows": (
        "One cell is repeated over a whole sheet.",
        lambda: make_open_document(
            "spreadsheet",
            '<table:table table:name="t"><table:table-row table:number-rows-repeated="1048576"><table:table-cell '
            'table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell>'
            "</table:table-row></table:table>",
        ),
    ),
    "sheets": (
        "10,000 sheets.",
        lambda: make_open_document(
            "spreadsheet",
            (
                '<table:table table:name="t"><table:table-row><table:table-cell office:value-type="string">'
                "<text:p>x</text:p></table:table-cell></table:table-row></table:table>"
            )
            * 10_000,
        ),
    ),
    "spaces": (
        "Two billion spaces are one element.",
        lambda: make_open_document("text", '<text:p>a<text:s text:c="2000000000"/>b</text:p>'),
    ),
    "spaces, often": (
        "100,000 elements are a thousand spaces each.",
        lambda: make_open_document("text", '<text:p>a<text:s text:c="1000"/>b</text:p>' * 100_000),
    ),
    "lists": (
        "20,000 lists are nested.",
        lambda: make_open_document(
            "text",
            "<text:list><text:list-item>" * 20_000 + "<text:p>deep</text:p>" + "</text:list-item></text:list>" * 20_000,
        ),
    ),
    "text": (
        "A text of 90 MB is packed small.",
        lambda: make_open_document("text", f"<text:p>{'C' * 1000}</text:p>" * 90_000),
    ),
    "entities": (
        "Entities become a billion laughs.",
        lambda: make_open_document("text", "<text:p>&a9;</text:p>", prolog=LAUGHS),
    ),
    "styles in a chain": (
        "30,000 styles have the one before as their parent.",
        lambda: make_open_document(
            "text",
            '<text:p text:style-name="S29999">a</text:p>' * 2000,
            styles="".join(
                f'<style:style style:name="S{at}" style:family="paragraph" style:parent-style-name="S{at - 1}"/>'
                for at in range(30_000)
            ),
        ),
    ),
    "slides": (
        "20,000 slides.",
        lambda: make_open_document(
            "presentation",
            (
                '<draw:page draw:name="p"><draw:frame><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>'
                "</draw:page>"
            )
            * 20_000,
        ),
    ),
    "frames in frames": (
        "1,000 frames are nested.",
        lambda: make_open_document(
            "presentation",
            "<draw:page>"
            + "<draw:frame><draw:text-box>" * 1000
            + "<text:p>a</text:p>"
            + "</draw:text-box></draw:frame>" * 1000
            + "</draw:page>",
        ),
    ),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _DOCUMENTS.items():
        yield Attack(f"document: {what}", tries, Upload(makes))
    for what, (tries, makes) in _OPEN.items():
        yield Attack(f"OpenDocument: {what}", tries, Upload(makes))
