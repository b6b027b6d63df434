"""Conversion of a presentation.

For each slide, the title is written as a heading, followed by the content and the speaker notes.
"""

from collections.abc import Iterator
from typing import Final

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document, make_limit_error
from webquarry_convert.file.limits import MAX_PAGES
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.file.text.objects import LeftOut
from webquarry_convert.file.text.ooxml.package import A, Package, R
from webquarry_convert.file.text.output import write_slides
from webquarry_convert.file.text.pptx.placeholders import P, Sheet, read_sheet
from webquarry_convert.file.text.pptx.shapes import SlideReader
from webquarry_convert.file.text.slides import begin_slide, build_slide, warn_of_hidden
from webquarry_convert.file.text.table import Budget
from webquarry_convert.file.xml import Element, get_local_name
from webquarry_convert.tree import Node

_OFF: Final = frozenset({"0", "false"})
_COMMENTS: Final = frozenset({"cm", "reply"})


def read(body: bytes) -> Document:
    """Convert slides to markdown. Raises only `ConversionFailed`."""
    package = Package(body, "ppt/presentation.xml")
    presentation = _Presentation(package)
    page = Node("body", {}, -1)
    names = presentation.list_slides()
    if len(names) > MAX_PAGES:
        raise make_limit_error(f"more than {MAX_PAGES:,} slides")
    for number, name in enumerate(names, 1):
        is_first = len(page.children) < number  # all slides so far are empty
        page.children += [begin_slide(), *presentation.read_slide(name, number, is_first=is_first)]
    core = package.find_related("", "core-properties")
    core_properties = properties.read(None if core is None else package.parse_optional(core, "properties"))
    markdown, starts = write_slides(page)
    return Document(
        markdown=markdown,
        title=core_properties.title,
        author=core_properties.author,
        language=core_properties.language,
        pages=len(names),
        page_starts=starts,
        warnings=(*package.warnings, *presentation.build_warnings()),
    )


class _Presentation:
    """Data that all slides share: layouts, authors of comments, and counts."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._root = package.text()
        self._budget = Budget()
        self._sheets: dict[str, Sheet] = {}
        self._authors: dict[str, str] | None = None
        self._left_out = LeftOut("presentation")
        self._hidden: list[int] = []

    def list_slides(self) -> list[str]:
        """Return the names of the slides' parts, in order."""
        relations = self._package.get_relations(self._package.main)
        listed = self._root.find(f"{P}sldIdLst")
        found = (relations.get(slide.get(f"{R}id", "")) for slide in (listed if listed is not None else ()))
        return [relation.target for relation in found if relation is not None and not relation.is_outside]

    def read_slide(self, name: str, number: int, *, is_first: bool) -> Content:
        root = self._package.parse_optional(name, "slides")
        if root is None:
            return []
        if root.get("show") in _OFF:
            self._hidden.append(number)
        reader = SlideReader(self._package, name, self._read_layout(name), self._budget, self._left_out)
        title, content = reader.read(root)
        content += list(self._read_comments(name))
        return build_slide(title, content, self._read_notes(name), is_first=is_first)

    def build_warnings(self) -> list[str]:
        return [*warn_of_hidden(self._hidden), *self._left_out.build_warnings()]

    def _read_notes(self, slide: str) -> Content:
        name = self._package.find_related(slide, "notesSlide")
        root = None if name is None else self._package.parse_optional(name, "notes")
        return (
            []
            if name is None or root is None
            else SlideReader(self._package, name, Sheet(), self._budget, self._left_out).read_notes(root)
        )

    def _read_layout(self, slide: str) -> Sheet:
        name = self._package.find_related(slide, "slideLayout")
        if name is None:
            return Sheet()
        master = self._package.find_related(name, "slideMaster")
        below = Sheet() if master is None else self._read_sheet(master, None)
        return self._read_sheet(name, below)

    def _read_sheet(self, name: str, below: Sheet | None) -> Sheet:
        known = self._sheets.get(name)
        if known is None:
            known = self._sheets[name] = read_sheet(self._package.parse_optional(name, "layouts"), below)
        return known

    def _read_comments(self, slide: str) -> Iterator[Node]:
        """Yield the comments on a slide, in either of the two formats, with replies."""
        name = self._package.find_related(slide, "comments")
        root = None if name is None else self._package.parse_optional(name, "comments")
        for node in root.iter() if root is not None else ():
            if get_local_name(node.tag) not in _COMMENTS:
                continue
            text = " ".join(_find_comment(node).split())
            if text:
                author = self._find_author(node.get("authorId", ""))
                label = f"Comment of {author}: " if author else "Comment: "
                yield make_element("blockquote", [make_element("p", [label + text])])

    def _find_author(self, identity: str) -> str:
        if self._authors is None:
            self._authors = {}
            for kind in ("commentAuthors", "authors"):
                name = self._package.find_related(self._package.main, kind)
                root = None if name is None else self._package.parse_optional(name, "comments")
                for node in root if root is not None else ():
                    self._authors[node.get("id", "")] = " ".join(node.get("name", "").split())
        return self._authors.get(identity, "")


def _find_comment(node: Element) -> str:
    """Return the text of a comment without its replies."""
    text = node.findtext(f"{P}text")
    if text is not None:
        return str(text)
    body = next((child for child in node if get_local_name(child.tag) == "txBody"), None)
    return "" if body is None else " ".join(part.text or "" for part in body.iter(f"{A}t"))
