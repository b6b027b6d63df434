"""Presentations: nested bullets with notes, tables, grouped shapes, charts, two columns, hidden slides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from corpora.office.flat import (
    define_numbering,
    define_style,
    draw_chart,
    draw_frame,
    escape,
    paragraph,
    write_document,
    write_list,
)
from corpora.office.texts import BULLETS
from corpora.printed import words
from corpora.truth import Truth

FORMATS = ("pptx", "odp")
_SHAPE = '<draw:custom-shape svg:x="{}cm" svg:y="{}cm" svg:width="4cm" svg:height="2cm">{}</draw:custom-shape>'


@dataclass(slots=True)
class Slides(Truth):
    pages: list[str] = field(default_factory=list)

    def add(self, title: str, inner: str, *, notes: str = "", is_hidden: bool = False) -> None:
        """Add a slide and state its title and notes; the caller states the text of `inner`."""
        frame = (
            _place(f"<draw:text-box>{paragraph(escape(title))}</draw:text-box>", "1 1 24 3", "title") if title else ""
        )
        said = ""
        if notes:
            box = draw_frame(
                f"<draw:text-box>{paragraph(notes)}</draw:text-box>",
                "2 12 16 10",
                kind='presentation:class="notes" presentation:style-name="spoken"',
            )
            said = f"<presentation:notes>{box}</presentation:notes>"
            self.text.append(notes)
            self.state(notes)
        style = "hide" if is_hidden else "show"
        self.pages.append(
            f'<draw:page draw:name="p{len(self.pages) + 1}" draw:style-name="{style}" draw:master-page-name="dp1">'
            f"{frame}{inner}{said}</draw:page>"
        )

    def source(self) -> str:
        automatic = (
            define_style("show", "drawing-page", 'presentation:visibility="visible"', kind="drawing-page")
            + define_style("hide", "drawing-page", 'presentation:visibility="hidden"', kind="drawing-page")
            + define_style("spoken", "presentation", 'draw:fill="none"', kind="graphic")
            + define_numbering("B", BULLETS)
            + define_numbering("N", (("1", "", ".", 1),))
        )
        return write_document("presentation", "".join(self.pages), automatic=automatic)


def _place(inner: str, place: str, kind: str) -> str:
    return draw_frame(inner, place, kind=f'presentation:class="{kind}"')


def _write_bullets(slides: Slides, texts: Sequence[str], inner: Sequence[str], place: str, *, style: str = "B") -> str:
    below = write_list(style, [paragraph(text) for text in inner]) if inner else ""
    items = [paragraph(text) + (below if not at else "") for at, text in enumerate(texts)]
    slides.text += [texts[0], *inner, *texts[1:]]
    slides.state_items(texts, mark="[-*+]" if style == "B" else r"\d+[.)]")
    slides.state_items(inner, mark=r"(?:[-*+]|\d+[.)])", depth=1)
    return _place(f"<draw:text-box>{write_list(style, items)}</draw:text-box>", place, "outline")


def _draw_title(slides: Slides) -> str:
    title = words.phrase(slides.draw, 2, 4)
    slides.state_heading(2, title)
    return title


def make_bullets(draw: Random) -> Slides:
    """Make slides with points on two levels, some numbered, and speaker notes."""
    slides = Slides(draw)
    for _ in range(draw.randint(3, 6)):
        title = _draw_title(slides)
        texts = [words.phrase(draw, 2, 4) for _ in range(draw.randint(2, 5))]
        inner = [words.phrase(draw, 2, 4) for _ in range(draw.choice((0, 2, 3)))]
        body = _write_bullets(slides, texts, inner, "1 5 24 12", style=draw.choice("BBN"))
        slides.add(title, body, notes=words.paragraph(draw) if draw.random() < 0.5 else "")
    return slides


def make_tables(draw: Random) -> Slides:
    """Make a slide with a table and the table's source below it."""
    slides = Slides(draw)
    for _ in range(draw.randint(2, 4)):
        title = _draw_title(slides)
        cells = [["Country", *(str(year) for year in draw.sample(range(2010, 2026), 3))]]
        cells += [
            [country, *("" if draw.random() < 0.1 else words.whole(draw) for _ in range(3))]
            for country in draw.sample(words.COUNTRIES, draw.randint(3, 6))
        ]
        rows = "".join(
            "<table:table-row>"
            + "".join(f"<table:table-cell>{paragraph(escape(cell))}</table:table-cell>" for cell in row)
            + "</table:table-row>"
            for row in cells
        )
        table = f'<table:table table:use-first-row-styles="true">{"<table:table-column/>" * 4}{rows}</table:table>'
        source = f"Source: {words.phrase(draw, 2, 3)}, {draw.randint(2000, 2026)}"
        slides.state_table(cells, 1)
        slides.text.append(source)
        slides.facts.append({"type": "line", "text": source})
        box = draw_frame(f"<draw:text-box>{paragraph(source)}</draw:text-box>", "2 17 20 1")
        slides.add(title, draw_frame(table, "2 5 22 9") + box)
    return slides


def make_groups(draw: Random) -> Slides:
    """Make slides with texts in nested groups of shapes, drawn in another order than the reading order."""
    slides = Slides(draw)
    for _ in range(draw.randint(2, 4)):
        title = _draw_title(slides)
        labels = [words.phrase(draw, 2, 3) for _ in range(4)]
        shapes = [_SHAPE.format(2 + 6 * at, 8, paragraph(label)) for at, label in enumerate(labels)]
        draw.shuffle(shapes)
        inner = f"<draw:g>{shapes[0]}{shapes[1]}<draw:g>{shapes[2]}{shapes[3]}</draw:g></draw:g>"
        slides.record(labels)
        slides.follow(*labels)
        slides.add(title, inner)
    return slides


def make_charts(draw: Random) -> Slides:
    """Make a slide with points and a chart, whose values are read as a table."""
    slides = Slides(draw)
    for _ in range(draw.randint(1, 3)):
        title = _draw_title(slides)
        points = [words.phrase(draw, 2, 4) for _ in range(3)]
        body = _write_bullets(slides, points, [], "1 5 10 12")
        names = draw.sample(words.COUNTRIES, 4)
        series = [(f"{words.phrase(draw, 1, 1)} {letter}", [draw.randint(100, 9999) for _ in names]) for letter in "AB"]
        name = words.phrase(draw, 3, 4)
        cells = [["", *(label for label, _ in series)]]
        cells += [[country, *(str(values[at]) for _, values in series)] for at, country in enumerate(names)]
        slides.state_table(cells, 1)
        slides.text.append(name)
        slides.state(name)
        slides.add(title, body + draw_frame(draw_chart(name, names, series), "12 5 12 10"))
    return slides


def make_columns(draw: Random) -> Slides:
    """Make a slide with two columns of points below one title, read one after the other."""
    slides = Slides(draw)
    for _ in range(draw.randint(2, 4)):
        title = _draw_title(slides)
        left, right = ([words.phrase(draw, 2, 4) for _ in range(3)] for _ in range(2))
        body = _write_bullets(slides, left, [], "1 5 11 12") + _write_bullets(slides, right, [], "13 5 11 12")
        slides.follow(*left, *right)
        slides.add(title, body)
    return slides


def make_hidden(draw: Random) -> Slides:
    """Make hidden slides, slides without a title, and a slide that only has text boxes."""
    slides = Slides(draw)
    for at in range(draw.randint(3, 5)):
        has_title = at != 1
        title = _draw_title(slides) if has_title else ""
        said, other = words.sentence(draw), words.sentence(draw)
        lower = draw_frame(f"<draw:text-box>{paragraph(other)}</draw:text-box>", "2 12 20 3")
        upper = draw_frame(f"<draw:text-box>{paragraph(said)}</draw:text-box>", "2 6 20 3")
        slides.text += [said, other]
        slides.facts.append({"type": "order", "before": said, "after": other})
        slides.add(title, lower + upper, is_hidden=at == 2)
    return slides
