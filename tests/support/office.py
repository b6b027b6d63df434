"""Small office documents made of a few lines of XML."""

from support.packed import packed

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OUTSIDE = ' TargetMode="External"'
_WORD_NAMES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
)
_OPEN_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
        "presentation": "presentation",
        "chart": "chart",
        "meta": "meta",
    }.items()
) + (
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:math="http://www.w3.org/1998/Math/MathML"'
)


def word(root: str, content: str) -> str:
    """A part of a Word document. root: the name of its outermost element."""
    return f"<w:{root} {_WORD_NAMES}>{content}</w:{root}>"


def relations(*targets: tuple[str, str, str]) -> str:
    """targets: id, kind, and the target, outside the file when it is an address."""
    rows = "".join(
        f'<Relationship Id="{identity}" Type="{R}/{kind}" Target="{target}"{_OUTSIDE if "://" in target else ""}/>'
        for identity, kind, target in targets
    )
    return f'<Relationships xmlns="{_PACKAGE}">{rows}</Relationships>'


def docx(
    body: str,
    *,
    styles: str | None = None,
    numbering: str | None = None,
    links: tuple[tuple[str, str, str], ...] = (),
    more: dict[str, str | bytes] | None = None,
) -> bytes:
    """A Word document. body, styles, numbering: what is within `w:body`, `w:styles`, `w:numbering`. links: further
    relations of the text. more: further parts."""
    parts: dict[str, str | bytes] = {
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml"), ("r2", "core-properties", "core.xml")),
        "word/document.xml": word("document", f"<w:body>{body}</w:body>"),
    }
    known = [*links]
    if styles is not None:
        parts["word/styles.xml"] = word("styles", styles)
        known.append(("s1", "styles", "styles.xml"))
    if numbering is not None:
        parts["word/numbering.xml"] = word("numbering", numbering)
        known.append(("n1", "numbering", "numbering.xml"))
    parts["word/_rels/document.xml.rels"] = relations(*known)
    return packed({**parts, **(more or {})})


def odf(
    kind: str, body: str, *, automatic: str = "", styles: str = "", more: dict[str, str | bytes] | None = None
) -> bytes:
    """An OpenDocument file. kind: `text`, `presentation`. body: its content; automatic, styles: styles of the content
    and of the document. more: further parts."""
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": open_part(
                "document-content",
                f"<office:automatic-styles>{automatic}</office:automatic-styles>"
                f"<office:body><office:{kind}>{body}</office:{kind}></office:body>",
            ),
            "styles.xml": open_part("document-styles", f"<office:styles>{styles}</office:styles>"),
            **(more or {}),
        }
    )


def open_part(root: str, content: str) -> str:
    """A part of an OpenDocument file. root: the name of its outermost element."""
    return f"<office:{root} {_OPEN_NAMES}>{content}</office:{root}>"
