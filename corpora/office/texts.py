"""Text documents with features of word processors: notes, comments, tracked changes, numbering, fields, boxes."""

from dataclasses import dataclass, field
from random import Random

from corpora.office.flat import (
    define_numbering,
    define_style,
    draw_frame,
    escape,
    heading,
    paragraph,
    write_document,
    write_list,
)
from corpora.printed import words
from corpora.truth import Truth

FORMATS = ("docx", "doc", "odt")
LEGAL = (("1", "", ".", 1), ("1", "", "", 2), ("a", "(", ")", 1), ("i", "(", ")", 1))
BULLETS = (("•", "", "", 1), ("–", "", "", 1), ("▪", "", "", 1))
_PAGE = '<text:page-number text:select-page="current">1</text:page-number>'
_STYLES = (
    define_style("Bold", "text", 'fo:font-weight="bold"')
    + define_style("Up", "text", 'style:text-position="super 58%"')
    + define_style("Down", "text", 'style:text-position="sub 58%"')
    + define_style("Capitals", "text", 'fo:font-variant="small-caps"')
    + define_style("Unseen", "text", 'text:display="none"')
)


@dataclass(slots=True)
class Text(Truth):
    """A text document. head, foot: markup of paragraphs on every page."""

    body: list[str] = field(default_factory=list)
    styles: str = ""
    automatic: str = ""
    head: str = ""
    foot: str = ""

    def heading(self, level: int, text: str, *, number: str = "") -> None:
        """Add a heading. number: the number that the document's numbering puts before it."""
        self.body.append(heading(level, escape(text)))
        self.state_heading(level, f"{number} {text}" if number else text)

    def paragraph(self, text: str, style: str = "") -> None:
        self.body.append(paragraph(escape(text), style))
        self.text.append(text)

    def lines(self, texts: list[str], style: str = "") -> None:
        self.body += [paragraph(escape(text), style) for text in texts]
        self.record(texts)

    def source(self) -> str:
        return write_document(
            "text", "".join(self.body), styles=_STYLES + self.styles, automatic=self.automatic, head=self.head,
            foot=self.foot,
        )  # fmt: skip


def make_notes(draw: Random) -> Text:
    """Make a text with footnotes, endnotes and comments."""
    text = Text(draw)
    text.heading(1, words.phrase(draw, 3, 5))
    count = 0
    for _ in range(draw.randint(2, 4)):
        text.heading(2, words.phrase(draw, 2, 3))
        for _ in range(draw.randint(2, 4)):
            before, after = words.sentence(draw), words.sentence(draw)
            kind = draw.choice(("footnote", "footnote", "endnote", "comment", ""))
            count += 1
            said, author = words.sentence(draw), words.name(draw)
            mark = ""
            if kind == "comment":
                mark = (
                    f"<office:annotation><dc:creator>{author}</dc:creator>"
                    f"<dc:date>2026-03-01T10:00:00</dc:date>{paragraph(said)}</office:annotation>"
                )
            elif kind:
                mark = (
                    f'<text:note text:id="n{count}" text:note-class="{kind}"><text:note-citation>{count}'
                    f"</text:note-citation><text:note-body>{paragraph(said)}</text:note-body></text:note>"
                )
            text.body.append(paragraph(f"{before}{mark} {after}"))
            text.text += [f"{before} {after}", *([author] if kind == "comment" else []), *([said] if kind else [])]
            text.state(before, after, *([said] if kind else []))
            if kind:
                text.match(rf"\[\^[\w-]+\]:[^\n]*{said[:-1]}")
    return text


def make_clauses(draw: Random) -> Text:
    """Make clauses with automatic numbers on four levels, which continue after other paragraphs."""
    text = Text(draw)
    number = draw.choice((1, 1, 3))
    text.automatic = define_numbering("L1", LEGAL, start=number)
    text.heading(1, draw.choice(("Service agreement", "Lease", "Licence")))
    for part in range(draw.randint(2, 3)):
        clauses = []
        for _ in range(draw.randint(2, 3)):
            title = words.phrase(draw, 1, 3)
            _state_clause(text, f"{number}.", title)
            inner = []
            for place in range(draw.randint(1, 4)):
                said = words.sentence(draw)
                _state_clause(text, f"{number}.{place + 1}", said)
                points = ""
                if draw.random() < 0.4:
                    told = [words.sentence(draw, 2, 2) for _ in range(2)]
                    for letter, point in zip("ab", told, strict=True):
                        _state_clause(text, f"({letter})", point)
                    points = write_list("L1", [paragraph(point) for point in told])
                inner.append(paragraph(said) + points)
            clauses.append(paragraph(title) + write_list("L1", inner))
            number += 1
        text.body.append(write_list("L1", clauses, goes_on=part > 0))
        text.paragraph(words.sentence(draw))
    return text


def _state_clause(text: Text, label: str, said: str) -> None:
    text.text.append(f"{label} {said}")
    text.follow(label, *said.split()[:5], from_start=True)


def make_numbered_headings(draw: Random) -> Text:
    """Make a text with outline-numbered headings, a table of contents, numbered captions, and references to them."""
    text = Text(draw)
    levels = "".join(
        f'<text:outline-level-style text:level="{level}" style:num-format="1" text:display-levels="{level}"/>'
        for level in (1, 2, 3)
    )
    text.styles = f'<text:outline-style style:name="Outline">{levels}</text:outline-style>'
    chapters = [(words.phrase(draw, 2, 4), [words.phrase(draw, 2, 3) for _ in range(draw.randint(0, 3))])
                for _ in range(draw.randint(2, 4))]  # fmt: skip
    page, entries = 1, []
    for at, (title, sections) in enumerate(chapters, start=1):
        shown = [(f"{at} {title}", 1), *((f"{at}.{place} {one}", 2) for place, one in enumerate(sections, start=1))]
        for entry, _ in shown:
            page += draw.randint(0, 4)
            entries.append(paragraph(f"{escape(entry)}<text:tab/>{page}"))
            text.text.append(f"{entry} {page}")
            text.follow(entry, str(page), to_end=True)
    if draw.random() < 0.6:
        text.body.append(
            '<text:table-of-content text:name="Contents"><text:table-of-content-source text:outline-level="2"/>'
            f"<text:index-body>{''.join(entries)}</text:index-body></text:table-of-content>"
        )
    else:
        text.text, text.facts = [], []
    for at, (title, sections) in enumerate(chapters, start=1):
        text.heading(1, title, number=str(at))
        text.paragraph(words.paragraph(draw))
        for place, one in enumerate(sections, start=1):
            text.heading(2, one, number=f"{at}.{place}")
            text.paragraph(words.paragraph(draw))
        caption = words.sentence(draw, 2, 2)
        text.body.append(
            paragraph(f'Figure <text:sequence text:name="Figure" style:num-format="1">{at}</text:sequence>: {caption}')
        )
        text.text.append(f"Figure {at}: {caption}")
        text.follow("Figure", str(at), caption, from_start=True, to_end=True)
    return text


def make_letterhead(draw: Random) -> Text:
    """Make a letter with fields in header and footer, an address frame, a text box at the side, and tabs."""
    text = Text(draw)
    firm, bank = draw.choice(words.FIRMS), f"IBAN GB{draw.randint(10, 99)} NWBK {draw.randint(1000, 9999)}"
    text.head = paragraph(escape(firm))
    text.foot = paragraph(f"{bank} · Page {_PAGE}")
    text.text += [firm, bank]
    text.state(firm, bank)
    address, side = words.address(draw), words.sentence(draw)
    text.automatic = define_style("G1", "graphic", 'style:wrap="parallel" style:horizontal-pos="right"', kind="graphic")
    anchor = 'draw:style-name="G1" text:anchor-type="paragraph"'
    box = "".join(paragraph(escape(line)) for line in address)
    frame = draw_frame(f"<draw:text-box>{box}</draw:text-box>", "0 2 8 3", kind=anchor)
    text.body.append(paragraph(frame))
    text.record(address)
    shape = draw_frame(f"<draw:text-box>{paragraph(escape(side))}</draw:text-box>", "11 2 5 3", kind=anchor)
    first = words.paragraph(draw)
    text.body.append(paragraph(f"{shape}{first}"))
    text.text += [side, first]
    text.state(side, first)
    for label, value in (("Our reference", f"{draw.randint(100, 999)}/{draw.choice(words.LAST)}"),
                         ("Date", words.date(draw)), ("Telephone", f"+44 {draw.randint(1000, 9999)}")):  # fmt: skip
        text.body.append(paragraph(f"{label}:<text:tab/>{escape(value)}"))
        text.record([f"{label}: {value}"])
    for _ in range(draw.randint(2, 5)):
        text.paragraph(words.paragraph(draw))
    people = [words.name(draw), words.phrase(draw, 1, 2)]
    text.body.append(paragraph("<text:line-break/>".join(people)))
    text.record(people)
    return text


def make_changes(draw: Random) -> Text:
    """Make a text with tracked changes: inserted text is kept, deleted text is not."""
    text = Text(draw)
    regions, body = [], []
    title = words.phrase(draw, 2, 4)
    text.state_heading(1, title)
    for place in range(draw.randint(3, 6)):
        before, put, out, after = (words.sentence(draw) for _ in range(4))
        put, out = f"{words.name(draw)}: {put}", f"{words.amount(draw)} {words.name(draw)}: {out}"
        who = f"<office:change-info><dc:creator>{words.name(draw)}</dc:creator><dc:date>2026-03-01T10:00:00</dc:date></office:change-info>"  # noqa: E501 - markup
        regions += [
            f'<text:changed-region text:id="i{place}"><text:insertion>{who}</text:insertion></text:changed-region>',
            f'<text:changed-region text:id="o{place}"><text:deletion>{who}{paragraph(escape(out))}</text:deletion>'
            "</text:changed-region>",
        ]
        body.append(
            paragraph(
                f'{before} <text:change-start text:change-id="i{place}"/>{escape(put)}'
                f'<text:change-end text:change-id="i{place}"/><text:change text:change-id="o{place}"/> {after}'
            )
        )
        text.text.append(f"{before} {put} {after}")
        text.state(f"{before} {put} {after}")
        text.deny(out)
    text.body = [f"<text:tracked-changes>{''.join(regions)}</text:tracked-changes>", heading(1, title), *body]
    return text


def make_columns(draw: Random) -> Text:
    """Make a text with sections in columns, verses with line breaks, a drop cap, and a list in between."""
    text = Text(draw)
    text.automatic = (
        '<style:style style:name="S1" style:family="section"><style:section-properties>'
        '<style:columns fo:column-count="2" fo:column-gap="0.5cm"/></style:section-properties></style:style>'
        '<style:style style:name="D1" style:family="paragraph"><style:paragraph-properties>'
        '<style:drop-cap style:lines="3" style:length="1" style:distance="0.1cm"/></style:paragraph-properties>'
        f"</style:style>{define_numbering('L2', BULLETS)}"
    )
    text.heading(1, words.phrase(draw, 2, 4))
    for part in range(draw.randint(2, 3)):
        text.heading(2, words.phrase(draw, 2, 3))
        text.body.append(f'<text:section text:style-name="S1" text:name="Part{part}">')
        first = words.paragraph(draw)
        text.paragraph(first, "D1" if draw.random() < 0.6 else "")
        text.state(first)
        verses = [words.sentence(draw, 2, 2).rstrip(".") for _ in range(draw.choice((3, 4)))]
        text.body.append(paragraph("<text:line-break/>".join(verses)))
        text.record(verses)
        if draw.random() < 0.6:
            items = [words.phrase(draw, 2, 4) for _ in range(3)]
            text.body.append(write_list("L2", [paragraph(item) for item in items]))
            text.text += items
            text.state_items(items)
        text.paragraph(words.paragraph(draw))
        text.body.append("</text:section>")
    return text
