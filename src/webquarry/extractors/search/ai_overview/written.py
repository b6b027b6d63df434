"""An overview as markdown."""

from webquarry.extractors.search.ai_overview.overview import Block, Item, Overview, Reference, markers
from webquarry.render import Bold, Line, Link, Md
from webquarry_convert.text import escape

_NOT_THE_ENGINES_OWN = {
    "gemini_grounding": "This is Gemini's answer from a web search, not the search engine's own AI overview."
}


def render(overview: Overview) -> str:
    document = Md(f"AI overview: {overview.query}").paragraph(_NOT_THE_ENGINES_OWN.get(overview.source))
    for block in overview.text_blocks:
        _write(block, document)
    return (
        document.numbered("References", ([_reference(reference)] for reference in overview.references))
        .source(f"{overview.source}, by {overview.provider}")
        .text()
    )


def _write(block: Block, document: Md) -> None:
    cited = markers(block.reference_indexes).strip()
    if block.type == "heading":
        document.heading(block.text or "", block.level or 2)
    elif block.items is not None:
        document.nested(((item.level, _item(item)) for item in block.items), ordered=bool(block.ordered))
        document.paragraph(cited)
    elif block.rows:
        document.table("", block.rows[0], block.rows[1:])
        document.paragraph(cited)
    elif block.type == "code":
        document.code(block.text or "", block.language)
        document.paragraph(cited)
    else:
        document.paragraph((block.text, cited))


def _item(item: Item) -> Line:
    return (Bold(f"{item.title}:") if item.title else None, item.text, markers(item.reference_indexes).strip())


def _reference(reference: Reference) -> Line:
    name = reference.source or reference.domain
    return (Link(reference.title or reference.domain, reference.link), f"- {escape.clean_line(name)}")
