"""Builds small office documents from a few lines of XML."""

from collections.abc import Mapping, Sequence

from convert_support.packed import packed

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
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
    ' xmlns:o="urn:schemas-microsoft-com:office:office"'
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
        "form": "form",
        "meta": "meta",
    }.items()
) + (
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:math="http://www.w3.org/1998/Math/MathML"'
    ' xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"'
)


def word(root: str, content: str) -> str:
    """Build a part of a Word document.

    root: the name of its outermost element.
    """
    return f"<w:{root} {_WORD_NAMES}>{content}</w:{root}>"


def relations(*targets: tuple[str, str, str]) -> str:
    """Build a relationships part. targets: the id, type and target of each relationship.

    An absolute URL is external to the file.
    """
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
    """Build a Word document.

    body, styles, numbering: the contents of `w:body`, `w:styles` and `w:numbering`. links: further relationships of the
    text. more: further parts.
    """
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


_SLIDE_NAMES = (
    f'xmlns:p="{P}" xmlns:r="{R}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


def slide_part(root: str, shapes: str, more: str = "", attributes: str = "") -> str:
    """Build a part of a presentation that contains shapes. root: `sld`, `sldLayout`, `sldMaster` or `notes`."""
    return f"<p:{root} {_SLIDE_NAMES} {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>{more}</p:{root}>"


def pptx(
    *slides: str,
    links: Mapping[int, Sequence[tuple[str, str, str]]] | None = None,
    more: Mapping[str, str | bytes] | None = None,
    main_links: tuple[tuple[str, str, str], ...] = (),
) -> bytes:
    """Build a presentation.

    slides: complete parts, or the shapes of a slide. links: the relationships of slides, by slide number from 1. more:
    further parts.
    """
    listed = "".join(f'<p:sldId id="{255 + at}" r:id="s{at}"/>' for at in range(1, len(slides) + 1))
    return packed(
        {
            "_rels/.rels": relations(
                ("r1", "officeDocument", "ppt/presentation.xml"), ("r2", "core-properties", "core.xml")
            ),
            "ppt/presentation.xml": (
                f"<p:presentation {_SLIDE_NAMES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
            ),
            "ppt/_rels/presentation.xml.rels": relations(
                *((f"s{at}", "slide", f"slides/slide{at}.xml") for at in range(1, len(slides) + 1)), *main_links
            ),
            **{
                f"ppt/slides/slide{at}.xml": slide if slide.startswith("<p:sld ") else slide_part("sld", slide)
                for at, slide in enumerate(slides, 1)
            },
            **{f"ppt/slides/_rels/slide{at}.xml.rels": relations(*found) for at, found in (links or {}).items()},
            **(more or {}),
        }
    )


def odf(
    kind: str, body: str, *, automatic: str = "", styles: str = "", more: dict[str, str | bytes] | None = None
) -> bytes:
    """Build an OpenDocument file.

    kind: `text` or `presentation`. body: its content. automatic, styles: styles of the content and of the document.
    more: further parts.
    """
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
    """Build a part of an OpenDocument file.

    root: the name of its outermost element.
    """
    return f"<office:{root} {_OPEN_NAMES}>{content}</office:{root}>"
