"""Text documents with difficult lists and tables."""

from random import Random

from corpora.office.flat import define_numbering, escape, paragraph, write_list, write_table
from corpora.office.texts import BULLETS, Text
from corpora.printed import words


def make_lists(draw: Random) -> Text:
    """Make lists of three levels, with numbers within bullets, items of two paragraphs, letters, and starts other than
    1.
    """
    text = Text(draw)
    text.automatic = (
        define_numbering("B", BULLETS)
        + define_numbering("N", (("1", "", ".", 1), ("a", "", ")", 1), ("i", "", ".", 1)))
        + define_numbering("A", (("A", "", ".", 1),))
    )
    text.heading(1, words.phrase(draw, 2, 4))
    for place in range(draw.randint(2, 4)):
        text.paragraph(words.sentence(draw))
        outer, inner, deep = ([words.phrase(draw, 3, 4) for _ in range(3)] for _ in range(3))
        shape = draw.choice(("bullets", "mixed", "second", "letters", "start"))
        if shape == "letters":
            text.body.append(write_list("A", [paragraph(item) for item in outer]))
            text.text += [f"{letter}. {item}" for letter, item in zip("ABC", outer, strict=True)]
            for letter, item in zip("ABC", outer, strict=True):
                text.follow(letter, item, from_start=True, to_end=True)
            continue
        if shape == "start":
            first = draw.randint(4, 30)
            text.automatic += define_numbering(f"S{place}", (("1", "", ".", 1),), start=first)
            text.body.append(write_list(f"S{place}", [paragraph(item) for item in outer]))
            for at, item in enumerate(outer, start=first):
                text.text.append(f"{at}. {item}")
                text.follow(str(at), item, from_start=True, to_end=True)
            continue
        style = "B" if shape == "bullets" else "N"
        mark = "[-*+]" if shape == "bullets" else r"\d+[.)]"
        lowest = write_list("B", [paragraph(item) for item in deep])
        middle = write_list(
            "B", [paragraph(inner[0]) + lowest if style == "B" else paragraph(inner[0]), *map(paragraph, inner[1:])]
        )
        more = words.sentence(draw)
        second = paragraph(more) if shape == "second" else ""
        text.body.append(write_list(style, [paragraph(outer[0]) + second + middle, *map(paragraph, outer[1:])]))
        text.text += [outer[0], *([more] if second else []), inner[0], *(deep if style == "B" else []), *inner[1:],
                      *outer[1:]]  # fmt: skip
        text.state_items(outer, mark=mark)
        text.state_items(inner, mark=r"(?:[-*+]|\w[.)])", depth=1)
        if style == "B":
            text.state_items(deep, depth=2)
        if second:
            text.match(rf"(?m)^\s+{more[:-1]}")
    return text


def make_tables(draw: Random) -> Text:
    """Make tables whose cells span columns and rows, contain paragraphs, lists and tables, or are empty."""
    text = Text(draw)
    text.automatic = define_numbering("B", BULLETS)
    text.heading(1, words.phrase(draw, 2, 4))
    for place in range(draw.randint(2, 3)):
        text.paragraph(words.sentence(draw))
        shape = draw.choice(("groups", "rows", "paragraphs", "nested", "sparse"))
        name = f"T{place}"
        if shape == "nested":
            _write_nested(text, name)
        elif shape == "paragraphs":
            _write_paragraphs(text, name)
        else:
            _write_spanned(text, name, shape)
    text.paragraph(words.sentence(draw))
    return text


def _write_spanned(text: Text, name: str, shape: str) -> None:
    draw = text.draw
    columns = 5
    first, second = words.phrase(draw, 1, 2), words.phrase(draw, 1, 2)
    years = [str(draw.randint(2000, 2012)), str(draw.randint(2013, 2026))]
    if shape == "groups":
        rows = [[("Country", 1, 2), (f"{first} A", 2, 1), (f"{second} B", 2, 1)], [(year, 1, 1) for year in years * 2]]
        cells = [["Country", f"{first} A", "", f"{second} B", ""], ["", *years * 2]]
    else:
        heads = ["Region", "Town", *(f"{words.phrase(draw, 1, 1)} {letter}" for letter in "ABC")]
        rows, cells = [[(head, 1, 1) for head in heads]], [heads]
    heads_count = len(rows)
    for country in draw.sample(words.COUNTRIES, draw.randint(3, 5)):
        if shape == "rows":
            down = draw.randint(1, 3)
            for at in range(down):
                values = [words.phrase(draw, 2, 3), *(words.amount(draw) for _ in range(3))]
                rows.append([*([(country, 1, down)] if not at else []), *((value, 1, 1) for value in values)])
                cells.append([country if not at else "", *values])
        else:
            values = [words.amount(draw) if draw.random() < (0.5 if shape == "sparse" else 1) else "" for _ in range(4)]
            rows.append([(country, 1, 1), *((value, 1, 1) for value in values)])
            cells.append([country, *values])
    marked = [[(paragraph(escape(cell)), across, down) for cell, across, down in row] for row in rows]
    text.body.append(write_table(name, marked, columns, heads=heads_count))
    text.state_table(cells, heads_count)


def _write_paragraphs(text: Text, name: str) -> None:
    draw = text.draw
    rows, cells = (
        [[(paragraph(head), 1, 1) for head in ("Subject", "Remarks", "Parts")]],
        [["Subject", "Remarks", "Parts"]],
    )
    for _ in range(draw.randint(2, 4)):
        subject, one, two = words.phrase(draw, 2, 3), words.sentence(draw, 2, 2), words.sentence(draw, 2, 2)
        items = [words.phrase(draw, 2, 3) for _ in range(3)]
        broken = f"{one}<text:line-break/>{two}" if draw.random() < 0.3 else ""
        rows.append(
            [
                (paragraph(subject), 1, 1),
                (paragraph(broken) if broken else paragraph(one) + paragraph(two), 1, 1),
                (write_list("B", [paragraph(item) for item in items]), 1, 1),
            ]
        )
        cells.append([subject, f"{one} {two}", " ".join(items)])
        text.facts += [{"type": "line", "text": part} for part in (one, two, *items)]
    text.body.append(write_table(name, rows, 3))
    text.tables.append(cells)
    text.text += [" ".join(row) for row in cells]


def _write_nested(text: Text, name: str) -> None:
    """Write a layout table: two adjacent cells, one of which contains a table."""
    draw = text.draw
    said = words.paragraph(draw)
    inner = [["Item", "Number", "Price"]] + [
        [words.phrase(draw, 2, 3), str(draw.randint(1000, 9999)), words.amount(draw)] for _ in range(3)
    ]
    marked = [[(paragraph(cell), 1, 1) for cell in row] for row in inner]
    outer = [[(paragraph(said), 1, 1), (write_table(f"{name}i", marked, 3), 1, 1)]]
    text.body.append(write_table(name, outer, 2, heads=0))
    text.text.append(said)
    text.state(said)
    text.state_table(inner, 1)
