"""A book from its bytes: the chapters in their order, each one after the other."""

from typing import Final

from webquarry_convert.file.document import Document, make_corrupt_error, make_limit_error
from webquarry_convert.file.epub.contents import read_labels
from webquarry_convert.file.epub.package import Item, Package
from webquarry_convert.file.hypertext import convert_hypertext
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.text import escape
from webquarry_convert.text.charset import decode

MAX_MARKUP: Final = 20_000_000
"""Bytes of all chapters."""
MAX_TAGS: Final = 800_000
"""Tags of all chapters, which are what takes time."""


def read(body: bytes) -> Document:
    """The book as markdown. Raises `ConversionFailed` only."""
    package = Package(body)
    chapters = package.spine
    sizes = [package.archive.size(item.name) for item in chapters]
    if sum(size or 0 for size in sizes) > MAX_MARKUP:
        raise make_limit_error(f"more than {MAX_MARKUP // 1_000_000} MB of text with its marks")
    missing = sum(size is None for size in sizes)
    if missing == len(chapters):
        raise make_corrupt_error("its chapters are missing")
    labels = read_labels(package)
    texts: list[str] = []
    hidden = length = tags = 0
    for number, item in enumerate(chapters, 1):
        chapter = package.archive.read(item.name)
        if chapter is None:
            continue
        tags += chapter.count(b"<")
        if tags > MAX_TAGS:
            raise make_limit_error(f"more than {MAX_TAGS:,} marks in its text")
        text, unseen = _read_chapter(chapter, item, number, labels.get(item.name))
        hidden += unseen
        length += len(text)
        if length > MAX_MARKDOWN:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text")
        if text:
            texts.append(text)
    warnings = [*package.warnings]
    if missing:
        warnings.append(f"Chapters that the book lists and does not hold are left out: {missing}.")
    if hidden:
        warnings.append(f"Text of {hidden:,} characters is left out: the book hides it from its readers.")
    return Document(
        markdown="\n".join(texts),
        title=package.metadata.title,
        author=package.metadata.author,
        language=package.metadata.language,
        warnings=tuple(warnings),
    )


def _read_chapter(body: bytes, item: Item, number: int, label: str | None) -> tuple[str, int]:
    """The markdown of a chapter and how many characters are hidden. One without a heading gets the name that the table
    of contents gives it."""
    made = convert_hypertext(decode(body, item.media_type).text, is_xml=True, note_prefix=f"{number}-")
    text = made.markdown
    is_named = made.has_heading or label is None or text.startswith(label)
    return text if not text or is_named else f"## {escape.heading(label or '')}\n\n{text}", made.hidden
