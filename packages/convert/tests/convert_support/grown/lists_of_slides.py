"""PowerPoint and OpenDocument slides in which everything except the shapes is as long as possible."""

from collections.abc import Mapping

from convert_support.grown.kinds import Builder
from convert_support.office import P, odf, pptx, slide_part

_RUN = "<a:r><a:t>a</a:t></a:r>"
_NOTE = '<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>'
_HOLDER = (
    '<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="{0}"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="1" y="{0}"/>'
    '<a:ext cx="5" cy="9"/></a:xfrm></p:spPr><p:txBody><a:p>{1}</a:p></p:txBody></p:sp>'
)


def _noted(slides: int, notes: int, note: str) -> bytes:
    """Build slides that alternate between several notes pages."""
    return pptx(
        *[f"<p:sp><p:txBody><a:p>{_RUN}</a:p></p:txBody></p:sp>"] * slides,
        links={at + 1: [("n", "notesSlide", f"../notes{at % notes}.xml")] for at in range(slides)},
        more={f"ppt/notes{at}.xml": slide_part("notes", note) for at in range(notes)},
    )


def _placed(slides: int, holders: int) -> bytes:
    """Build slides whose shapes inherit their positions from the same layout."""
    shapes = "".join(_HOLDER.format(at, _RUN) for at in range(holders))
    own = "".join(_HOLDER.format(at, _RUN).replace("<p:spPr>", "<!--").replace("</p:spPr>", "-->")
                  for at in range(holders))  # fmt: skip
    return pptx(
        *[own] * slides,
        links={at + 1: [("l", "slideLayout", "../layout.xml")] for at in range(slides)},
        more={
            "ppt/layout.xml": slide_part("sldLayout", shapes),
            "ppt/_rels/layout.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
            'relationships"/>',
        },
    )


def _remarked(number: int, authors: int) -> bytes:
    comments = "".join(f'<p:cm authorId="{at % authors}"><p:text>said</p:text></p:cm>' for at in range(number))
    names = "".join(f'<p:cmAuthor id="{at}" name="n{at}"/>' for at in range(authors))
    return pptx(
        "",
        links={1: [("c", "comments", "../comments.xml")]},
        main_links=(("a", "commentAuthors", "authors.xml"),),
        more={
            "ppt/comments.xml": f'<p:cmLst xmlns:p="{P}">{comments}</p:cmLst>',
            "ppt/authors.xml": f'<p:cmAuthorLst xmlns:p="{P}">{names}</p:cmAuthorLst>',
        },
    )


def make_pptx_lists() -> Mapping[str, Builder]:
    return {
        "pptx notes": lambda n: _noted(n // 8, n // 8, _NOTE.format(f"<a:p>{_RUN}</a:p>")),
        "pptx paragraphs of a note": lambda n: _noted(1, 1, _NOTE.format(f"<a:p>{_RUN}</a:p>" * n)),
        "pptx runs of a note": lambda n: _noted(1, 1, _NOTE.format(f"<a:p>{_RUN * n}</a:p>")),
        "pptx shapes of a note": lambda n: _noted(1, 1, _NOTE.format(f"<a:p>{_RUN}</a:p>") * n),
        "pptx one note of many slides": lambda n: _noted(n // 16, 1, _NOTE.format(f"<a:p>{_RUN}</a:p>" * (n // 4))),
        "pptx places by a layout": lambda n: _placed(1, n),
        "pptx slides of one layout": lambda n: _placed(n // 8, 4),
        "pptx comments": lambda n: _remarked(n, 1),
        "pptx authors of comments": lambda n: _remarked(n, n),
        "pptx answers within each other": lambda n: pptx(
            "",
            links={1: [("c", "comments", "../comments.xml")]},
            more={"ppt/comments.xml": f'<p:cmLst xmlns:p="{P}">' + "<p:cm>" * min(n, 200) + "<p:text>a</p:text>"
                  + "</p:cm>" * min(n, 200) + "</p:cmLst>"},
        ),
    }  # fmt: skip


def make_odp_lists() -> Mapping[str, Builder]:
    paragraph = "<text:p>a</text:p>"
    box = f'<draw:frame svg:x="{{}}cm" svg:y="{{}}cm" svg:width="2cm" svg:height="1cm"><draw:text-box>{paragraph}'
    box += "</draw:text-box></draw:frame>"
    note = '<presentation:notes><draw:frame presentation:class="notes"><draw:text-box>{}</draw:text-box></draw:frame>'
    note += "</presentation:notes>"
    comment = f"<office:annotation><dc:creator>Ada</dc:creator>{paragraph}</office:annotation>"

    def slides(*content: str, automatic: str = "") -> bytes:
        pages = "".join(f'<draw:page draw:style-name="d{at}">{each}</draw:page>' for at, each in enumerate(content))
        return odf("presentation", pages, automatic=automatic)

    def hidden(number: int) -> str:
        said = '<style:drawing-page-properties presentation:visibility="hidden"/>'
        return "".join(
            f'<style:style style:name="d{at}" style:family="drawing-page">{said}</style:style>' for at in range(number)
        )

    return {
        "odp notes": lambda n: slides(*[note.format(paragraph)] * (n // 8)),
        "odp paragraphs of a note": lambda n: slides(note.format(paragraph * n)),
        "odp shapes of a note": lambda n: slides(
            "<presentation:notes>" + f'<draw:frame presentation:class="notes"><draw:text-box>{paragraph}'
            "</draw:text-box></draw:frame>" * n + "</presentation:notes>"
        ),
        "odp placed shapes": lambda n: slides("".join(box.format(at % 7, at * 37 % 101) for at in range(n))),
        "odp shapes of one place": lambda n: slides(box.format(1, 1) * n),
        "odp groups": lambda n: slides(f"<draw:g>{box.format(1, 1)}</draw:g>" * n),
        "odp groups within each other": lambda n: slides(
            "<draw:g>" * min(n, 60) + box.format(1, 1) + "</draw:g>" * min(n, 60)
        ),
        "odp titles": lambda n: slides(
            f'<draw:frame presentation:class="title"><draw:text-box>{paragraph}</draw:text-box></draw:frame>' * n
        ),
        "odp titles without text": lambda n: slides('<draw:frame presentation:class="title"/>' * n),
        "odp comments": lambda n: slides(comment * n),
        "odp paragraphs of a comment": lambda n: slides(f"<office:annotation>{paragraph * n}</office:annotation>"),
        "odp hidden slides": lambda n: slides(*[paragraph] * (n // 8), automatic=hidden(n // 8)),
        "odp items": lambda n: slides(
            f"<draw:frame><draw:text-box><text:list>{f'<text:list-item>{paragraph}</text:list-item>' * n}</text:list>"
            "</draw:text-box></draw:frame>"
        ),
        "odp rows": lambda n: slides(
            "<draw:frame><table:table>" + f"<table:table-row><table:table-cell>{paragraph}</table:table-cell>"
            "</table:table-row>" * n + "</table:table></draw:frame>"
        ),
        "odp forms": lambda n: slides(
            "<office:forms>" + '<form:form><form:text form:id="a" form:current-value="b"/></form:form>' * n
            + "</office:forms>"
        ),
    }  # fmt: skip
