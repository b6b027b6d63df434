"""EPUB books: chapters in order, notes, tables, pictures, and unusual packages."""

import html
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from corpora.printed import words
from corpora.printed.paper import Cell, Paper

_CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_PAGE = (
    '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" '
    'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{}</title></head><body>{}</body></html>'
)


@dataclass(slots=True)
class Book(Paper):
    """A book. chapters: file name, title and markup of each chapter, in spine order. extras: other files by name."""

    chapters: list[tuple[str, str, str]] = field(default_factory=list)
    extras: dict[str, bytes] = field(default_factory=dict)
    package: str = "OEBPS/content.opf"
    version: str = "3.0"

    def close_chapter(self, name: str, title: str) -> None:
        self.chapters.append((name, title, "".join(self.body)))
        self.body = []

    def content(self) -> bytes:
        folder = self.package.rpartition("/")[0]
        up = f"{folder}/" if folder else ""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
            archive.writestr("META-INF/container.xml", _CONTAINER.format(self.package))
            stored = list(self.chapters)
            self.draw.shuffle(stored)
            for name, title, markup in stored:
                archive.writestr(up + name.replace("%20", " "), _PAGE.format(html.escape(title), markup))
            for name, content in self.extras.items():
                archive.writestr(up + name, content)
            contents = self._write_contents()
            archive.writestr(up + ("nav.xhtml" if self.version == "3.0" else "toc.ncx"), contents)
            archive.writestr(self.package, self._write_package(stored))
        return out.getvalue()

    def _write_contents(self) -> str:
        if self.version == "3.0":
            links = "".join(f'<li><a href="{name}">{html.escape(title)}</a></li>' for name, title, _ in self.chapters)
            return _PAGE.format("Contents", f'<nav epub:type="toc"><ol>{links}</ol></nav>')
        points = "".join(
            f'<navPoint id="n{at}" playOrder="{at}"><navLabel><text>{html.escape(title)}</text></navLabel>'
            f'<content src="{name}"/></navPoint>'
            for at, (name, title, _) in enumerate(self.chapters, start=1)
        )
        return (
            '<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
            f"<navMap>{points}</navMap></ncx>"
        )

    def _write_package(self, stored: Sequence[tuple[str, str, str]]) -> str:
        numbers = {name: f"c{at}" for at, (name, _, _) in enumerate(stored)}
        items = "".join(
            f'<item id="{number}" href="{name}" media-type="application/xhtml+xml"/>'
            for name, number in numbers.items()
        )
        items += "".join(
            f'<item id="x{at}" href="{name}" media-type="image/svg+xml"/>' for at, name in enumerate(self.extras)
        )
        items += (
            '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
            if self.version == "3.0"
            else '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        )
        spine = "".join(f'<itemref idref="{numbers[name]}"/>' for name, _, _ in self.chapters)
        toc = "" if self.version == "3.0" else ' toc="ncx"'
        return (
            f'<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="{self.version}" '
            'unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f'<dc:identifier id="id">urn:x:1</dc:identifier><dc:title>{html.escape(self.title)}</dc:title>'
            f"<dc:creator>{words.name(self.draw)}</dc:creator><dc:language>en</dc:language></metadata>"
            f"<manifest>{items}</manifest><spine{toc}>{spine}</spine></package>"
        )


def make_novel(draw: Random) -> Book:
    """Make a book with chapters of prose, a dedication, verses and scene breaks."""
    book = Book(draw, title=words.phrase(draw, 2, 4))
    if draw.random() < 0.6:
        said = f"For {words.name(draw)}"
        book.state_heading(1, "Dedication")
        book.paragraph(said)
        book.state(said)
        book.close_chapter("dedication.xhtml", "Dedication")
    last = ""
    for at in range(draw.randint(2, 5)):
        title = words.phrase(draw, 2, 4)
        book.heading(draw.choice((1, 2)), title)
        first = words.paragraph(draw)
        book.paragraph(first)
        if last:
            book.facts.append({"type": "order", "before": last[:60], "after": first[:60]})
        for _ in range(draw.randint(2, 6)):
            last = words.paragraph(draw)
            book.paragraph(last)
            if draw.random() < 0.2:
                book.add("<hr/>")
        if draw.random() < 0.4:
            verses = [words.sentence(draw, 2, 2).rstrip(".") for _ in range(4)]
            book.add(f"<p>{'<br/>'.join(verses)}</p>")
            book.record(verses)
        book.close_chapter(f"ch{at}.xhtml", title)
    return book


def make_textbook(draw: Random) -> Book:
    """Make a book with notes at the end of chapters, tables, lists, code, and pictures with alternative text and a
    caption.
    """
    book = Book(draw, title=words.phrase(draw, 2, 4), extras={"a.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>'})
    for at in range(draw.randint(2, 3)):
        title = f"{at + 1} {words.phrase(draw, 2, 4)}"
        book.heading(1, title)
        for shape in draw.sample(["note", "table", "list", "code", "picture", "definitions"], 4):
            book.heading(2, words.phrase(draw, 2, 3))
            if shape == "note":
                said, noted, after = words.sentence(draw), words.sentence(draw), words.sentence(draw)
                book.add(
                    f'<p>{said}<sup><a epub:type="noteref" id="r{at}" href="#n{at}">{at + 1}</a></sup> {after}</p>'
                    f'<aside epub:type="footnote" id="n{at}"><p><a href="#r{at}">{at + 1}</a> {noted}</p></aside>'
                )
                book.text += [f"{said} {after}", noted]
                book.state(said, noted, after)
            elif shape == "table":
                head: list[list[Cell]] = [[(name, 1) for name in ("Country", "Women", "Men")]]
                rows: list[list[Cell]] = [
                    [(country, 1), (words.whole(draw), 1), (words.whole(draw), 1)]
                    for country in draw.sample(words.COUNTRIES, 4)
                ]
                book.table(head, rows, ruling="grid")
            elif shape == "list":
                book.items(
                    [words.sentence(draw) for _ in range(3)], numbered=draw.random() < 0.5, inner=[words.phrase(draw)]
                )
            elif shape == "code":
                book.code([f"def {draw.choice(words.NOUNS)}(value):", "    return value * 2"])
            elif shape == "picture":
                seen, caption = words.sentence(draw), words.sentence(draw)
                book.add(f'<figure><img src="a.svg" alt="{seen}"/><figcaption>{caption}</figcaption></figure>')
                book.text.append(caption)
                book.state(caption)
                book.match(match_words(seen))
            else:
                parts = []
                for _ in range(2):
                    term, meaning = words.phrase(draw, 2, 3), words.sentence(draw)
                    parts.append(f"<dt>{term}</dt><dd>{meaning}</dd>")
                    book.text += [term, meaning]
                    book.follow(term, meaning, from_start=True, to_end=True)
                book.add(f"<dl>{''.join(parts)}</dl>")
        book.close_chapter(f"ch{at}.xhtml", title)
    return book


def match_words(text: str) -> str:
    """Return a pattern of the words of a text."""
    return r"\W+".join(text.rstrip(".").split())


def make_odd(draw: Random) -> Book:
    """Make an EPUB 2 package in another folder or none, with spaces in file names and two chapters in one file."""
    book = Book(
        draw, title=words.phrase(draw, 2, 4), package=draw.choice(("book.opf", "a/b/package.opf")), version="2.0"
    )
    last = ""
    for at in range(draw.randint(2, 5)):
        titles = [words.phrase(draw, 2, 4) for _ in range(draw.choice((1, 2)))]
        for title in titles:
            book.heading(2, title)
            said = words.paragraph(draw)
            book.add(f"<div><span>{said}</span></div>")
            book.text.append(said)
            if last:
                book.facts.append({"type": "order", "before": last[:60], "after": said[:60]})
            last = said
        book.close_chapter(f"part%20{draw.randint(10, 99)}{at}.html", titles[0])
    return book
