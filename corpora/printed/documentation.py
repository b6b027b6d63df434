"""Documentation as printed by browsers and word processors.

Nested lists, code, narrow tables, definitions, headings that look like text, and pages laid out by a table.
"""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from corpora.printed import words
from corpora.printed.paper import Cell, Paper

_STEP = 2
"""Minimum number of spaces by which each level of a list is indented."""


def make_documentation(draw: Random) -> Paper:
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.is_tagged = True
    if draw.random() < 0.4:
        paper.css.append("h3,h4{font-size:1em;font-weight:normal;margin:6pt 0 2pt}")
    if draw.random() < 0.3:
        paper.css.append("li{margin:3pt 0}")
    paper.heading(1, words.phrase(draw, 2, 4))
    for place, part in enumerate(draw.sample(list(_WRITERS), draw.randint(4, 6))):
        paper.heading(2 if place % 3 == 0 else 3, words.phrase(draw, 1, 3))
        if draw.random() < 0.8:
            paper.paragraph(words.paragraph(draw))
        _WRITERS[part](paper)
        if draw.random() < 0.5:
            paper.paragraph(words.paragraph(draw))
    return paper


def make_framed(draw: Random) -> Paper:
    """Make a page whose columns are cells of a layout table, with a small data table."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.is_tagged = True
    paper.heading(1, words.phrase(draw, 2, 4))
    columns = []
    for _ in range(draw.choice((2, 2, 3))):
        texts = [words.paragraph(draw, 2, 4) for _ in range(draw.randint(2, 3))]
        paper.text += texts
        paper.facts += [{"type": "present", "text": text} for text in texts]
        columns.append("".join(f"<p>{html.escape(text)}</p>" for text in texts))
    look = draw.choice(("", "border:0.6pt solid #999"))
    cells = "".join(f"<td style='padding:4pt 9pt;width:{100 // len(columns)}%;{look}'>{text}</td>" for text in columns)
    paper.add(f"<table width=100%><tr>{cells}</tr></table>")
    if not look:
        paper.facts.append({"type": "notable"})
    return paper


def _state_item(paper: Paper, text: str, depth: int, mark: str = "[-*+]") -> None:
    """State an item with its marker, indented according to its depth, which is 0 for the outermost list."""
    inner = r"\W+".join(map(re.escape, re.findall(r"\w+", text)))
    indent = f" {{{_STEP * depth},}}" if depth else " {0,1}"
    paper.facts.append({"type": "regex", "pattern": rf"(?m)^{indent}{mark} {inner}"})
    paper.text.append(text)


def _write_nested(paper: Paper) -> None:
    """Write a list of three levels, the second of which may be numbered."""
    draw = paper.draw
    is_numbered = draw.random() < 0.4
    start = draw.choice((1, 1, 3, 8))
    inner, end = (f"<ol start={start}>", "</ol>") if is_numbered else ("<ul>", "</ul>")
    parts = ["<ul>"]
    for _ in range(draw.randint(2, 4)):
        text = words.sentence(draw, 2, draw.choice((2, 4)))
        _state_item(paper, text, 0)
        parts.append(f"<li>{text}")
        if draw.random() < 0.7:
            parts.append(inner)
            for place in range(draw.randint(1, 3)):
                text = words.phrase(draw, 2, draw.choice((4, 14)))
                _state_item(paper, text, 1, rf"{start + place}[.)]" if is_numbered else "[-*+]")
                parts.append(f"<li>{text}")
                if draw.random() < 0.4:
                    text = words.phrase(draw, 2, 4)
                    _state_item(paper, text, 2)
                    parts.append(f"<ul><li>{text}</li></ul>")
                parts.append("</li>")
            parts.append(end)
        parts.append("</li>")
    paper.add("".join(parts) + "</ul>")


def _write_numbered(paper: Paper) -> None:
    draw = paper.draw
    start = draw.choice((1, 4, 9, 98))
    texts = [words.sentence(draw, 2, draw.choice((2, 4))) for _ in range(draw.randint(2, 5))]
    paper.add(f"<ol start={start}>{''.join(f'<li>{text}</li>' for text in texts)}</ol>")
    for place, text in enumerate(texts):
        _state_item(paper, text, 0, rf"{start + place}[.)]")


def _write_plain_list(paper: Paper) -> None:
    """Write items without markers, as in styled menus and file lists."""
    draw = paper.draw
    texts = [words.phrase(draw, 1, draw.choice((2, 14))) for _ in range(draw.randint(3, 6))]
    paper.add(f"<ul style='list-style:none;padding-left:0'>{''.join(f'<li>{text}</li>' for text in texts)}</ul>")
    paper.record(texts)


def _write_long_items(paper: Paper) -> None:
    """Write items of two paragraphs."""
    draw = paper.draw
    parts = []
    for _ in range(draw.randint(2, 3)):
        text, more = words.sentence(draw, 2, 4), words.sentence(draw, 2, 4)
        _state_item(paper, text, 0)
        paper.record([more])
        parts.append(f"<li><p>{text}</p><p>{more}</p></li>")
    paper.add(f"<ul>{''.join(parts)}</ul>")


def _write_code(paper: Paper) -> None:
    draw = paper.draw
    name, other, third = draw.sample(words.NOUNS, 3)
    texts: Sequence[str] = draw.choice(
        (
            [f"def {name}({other}):", f"    for {third} in {other}:", f"        if {third}:",
             f"            yield {third}", "", f"    return {other}"],
            [f"[{name}]", f"{other} = {draw.randint(1, 99)}", "", f"[{name}.{third}]", "  deep = true"],
            [f"{name}:", f"  {other}:", f"    - {third}", f"    - {name}", f"  {third}: {draw.randint(1, 99)}"],
            [f"curl https://example.org/{name} \\", f"  --header 'Accept: {other}' \\", f"  --output {third}.json"],
        )
    )  # fmt: skip
    joined = "\n".join(texts)
    look = draw.choice(("background:#eee;padding:5pt", "border:0.5pt solid #999;padding:4pt", ""))
    paper.add(f'<pre style="font-size:0.88em;{look}"><code>{html.escape(joined)}</code></pre>')
    paper.text += filter(None, texts)
    paper.facts.append({"type": "regex", "pattern": rf"(?m)^ *```\w*\n{re.escape(joined)}\n *```"})


def _write_definitions(paper: Paper) -> None:
    draw = paper.draw
    parts = []
    for _ in range(draw.randint(2, 5)):
        term, text = words.phrase(draw, 1, 2), words.sentence(draw, 2, 3)
        parts.append(f"<dt>{term}</dt><dd>{text}</dd>")
        paper.record([term, text])
    paper.add(f"<dl>{''.join(parts)}</dl>")


def _write_details(paper: Paper) -> None:
    draw = paper.draw
    summary, text = words.phrase(draw, 1, 3), words.paragraph(draw)
    paper.add(f"<details open><summary>{summary}</summary><p>{text}</p></details>")
    paper.text += [summary, text]
    paper.facts.append({"type": "present", "text": text})


def _write_note(paper: Paper) -> None:
    """Write a box whose first line is bold but not a heading."""
    draw = paper.draw
    title, text = draw.choice(("Note", "Warning", "Tip")), words.paragraph(draw)
    paper.add(f"<div style='border-left:3pt solid #888;padding:2pt 8pt'><p><b>{title}</b></p><p>{text}</p></div>")
    paper.record([title])
    paper.paragraph(words.paragraph(draw))
    paper.text.append(text)


def _write_narrow_table(paper: Paper) -> None:
    """Write a table of two or three short columns close to each other."""
    draw = paper.draw
    columns = draw.choice((2, 2, 3))
    head: list[list[Cell]] = [[(words.phrase(draw, 1, 1), 1) for _ in range(columns)]]
    rows = [[_draw_cell(draw) for _ in range(columns)] for _ in range(draw.randint(2, 6))]
    ruling = draw.choice(("grid", "rows", "head", "none", "none"))
    paper.table(head, rows, ruling=ruling, labels=9, gutter=draw.choice((2, 3, 5, 12)))


def _draw_cell(draw: Random) -> Cell:
    return draw.choice((words.phrase(draw, 1, 2), draw.choice(words.NOUNS), str(draw.randint(1, 999)))), 1


def _write_spanning_table(paper: Paper) -> None:
    """Write a table with headers over several columns, cells over several rows, and wrapped cells."""
    draw = paper.draw
    groups = draw.choice((2, 3))
    head: list[list[Cell]] = [
        [(words.phrase(draw, 1, 1), 1, 2), *((words.phrase(draw, 1, 2), 2) for _ in range(groups))],
        [(words.phrase(draw, 1, 1), 1) for _ in range(2 * groups)],
    ]
    rows: list[list[Cell]] = []
    for _ in range(draw.randint(2, 4)):
        label = words.phrase(draw, 1, 2)
        count = draw.choice((1, 1, 2))
        for place in range(count):
            values: list[Cell] = [(draw.choice((str(draw.randint(1, 99)), words.phrase(draw, 1, 3))), 1)
                                  for _ in range(2 * groups)]  # fmt: skip
            rows.append(values if place else [(label, 1, count), *values])
    paper.table(head, rows, ruling=draw.choice(("grid", "rows", "head", "none")), labels=9)


_WRITERS: Mapping[str, Callable[[Paper], None]] = {
    "nested": _write_nested,
    "numbered": _write_numbered,
    "plain": _write_plain_list,
    "long": _write_long_items,
    "code": _write_code,
    "definitions": _write_definitions,
    "details": _write_details,
    "note": _write_note,
    "narrow": _write_narrow_table,
    "spanning": _write_spanning_table,
}
