"""Web pages printed from a browser, and forms with form fields."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import Cell, Paper


def make_page(draw: Random) -> Paper:
    """Make a page with navigation, nested lists, definitions, code, quotations, and a narrow table next to text."""
    paper = Paper(draw)
    paper.dress()
    paper.is_tagged = draw.random() < 0.75
    paper.head = draw.choice(("", f"{words.date(draw)} · {words.phrase(draw, 1, 2)}"))
    paper.text += [paper.head] if paper.head else []
    paper.foot = draw.choice(("", "#/@"))
    if draw.random() < 0.5:
        links = [words.phrase(draw, 1, 1) for _ in range(4)]
        parts = "".join(f"<a href='https://example.org/{place}'>{link}</a> " for place, link in enumerate(links))
        paper.add(f"<nav style='display:flex;gap:14pt;margin-bottom:10pt'>{parts}</nav>")
        paper.text.append(" ".join(links))
    paper.heading(1, words.phrase(draw, 2, 4))
    parts_of_page = draw.sample(
        ["list", "definitions", "code", "quotation", "table", "aside", "steps"], draw.randint(3, 5)
    )
    for part in parts_of_page:
        paper.heading(2, words.phrase(draw, 1, 3))
        paper.paragraph(words.paragraph(draw))
        _WRITERS[part](paper)
        if draw.random() < 0.5:
            paper.paragraph(words.paragraph(draw))
    return paper


def _write_list(paper: Paper) -> None:
    draw = paper.draw
    inner = [words.phrase(draw, 2, 3) for _ in range(draw.choice((0, 2, 3)))]
    paper.items([words.sentence(draw, 2, 4) for _ in range(draw.randint(3, 6))], inner=inner)


def _write_steps(paper: Paper) -> None:
    draw = paper.draw
    paper.items([words.sentence(draw, 2, 4) for _ in range(draw.randint(3, 12))], numbered=True)


def _write_definitions(paper: Paper) -> None:
    draw = paper.draw
    parts = []
    for _ in range(draw.randint(2, 5)):
        term, text = words.phrase(draw, 1, 2), words.sentence(draw, 2, 4)
        parts.append(f"<dt><b>{term}</b></dt><dd>{text}</dd>")
        paper.record([term, text])
    paper.add(f"<dl>{''.join(parts)}</dl>")


def _write_code(paper: Paper) -> None:
    draw = paper.draw
    name, other = draw.sample(words.NOUNS, 2)
    texts = draw.choice(
        (
            [f"class {name.title()}:", f"    def {other}(self):", f'        return "{other}"', "", f"{name} = None"],
            ["{", f'  "{name}": {draw.randint(1, 99)},', f'  "{other}": [', "    1,", "    2", "  ]", "}"],
            [f"$ {name} build --all", f"Reading {other}.toml", "3 files, 0 errors"],
            [f"SELECT {name}, count(*)", f"FROM {other}", f"WHERE {name} > {draw.randint(1, 9)}", f"GROUP BY {name};"],
        )
    )
    paper.code(texts)
    paper.facts.append({"type": "regex", "pattern": r"(?m)^```"})


def _write_quotation(paper: Paper) -> None:
    text = words.paragraph(paper.draw)
    paper.add(f"<blockquote style='border-left:2pt solid #999;padding-left:8pt'>{text}</blockquote>")
    paper.text.append(text)
    paper.facts.append({"type": "present", "text": text})


def _write_table(paper: Paper) -> None:
    draw = paper.draw
    columns = draw.choice((2, 3, 4))
    head: list[list[Cell]] = [[(words.phrase(draw, 1, 1), 1) for _ in range(columns)]]
    rows: list[list[Cell]] = [
        [
            (words.phrase(draw, 1, 2), 1),
            *(
                (draw.choice((str(draw.randint(1, 99)), "yes", "no", words.phrase(draw, 1, 2))), 1)
                for _ in range(columns - 1)
            ),
        ]
        for _ in range(draw.randint(2, 7))
    ]
    ruling = draw.choice(("grid", "rows", "head", "stripes", "none"))
    paper.table(head, rows, ruling=ruling, labels=draw.choice((1, 9)), style=draw.choice(("", "", "width:60%")))


def _write_aside(paper: Paper) -> None:
    """Write a floating box of labels and values."""
    draw = paper.draw
    keys = draw.sample(words.NOUNS, draw.randint(3, 5))
    rows = ""
    for key in keys:
        value = draw.choice((words.date(draw), words.amount(draw)))
        rows += f"<div><b>{key.capitalize()}</b>: {value}</div>"
        paper.text.append(f"{key.capitalize()}: {value}")
        paper.follow(key.capitalize(), value)
    look = "float:right;width:150pt;border:0.6pt solid #888;padding:5pt;margin:0 0 6pt 10pt"
    paper.add(f"<div style='{look}'>{rows}</div>")
    for _ in range(2):
        text = words.paragraph(draw, 3, 5)
        paper.paragraph(text)
        paper.facts.append({"type": "present", "text": text})
    paper.add("<div style='clear:both'></div>")


_WRITERS = {
    "list": _write_list,
    "steps": _write_steps,
    "definitions": _write_definitions,
    "code": _write_code,
    "quotation": _write_quotation,
    "table": _write_table,
    "aside": _write_aside,
}


def make_fields(draw: Random) -> Paper:
    """Make a form printed by LibreOffice: text fields, check boxes, radio groups, drop-down lists."""
    paper = Paper(draw, programs=("libreoffice",))
    paper.dress()
    paper.heading(1, f"Registration for the {words.phrase(draw, 1, 2).lower()}")
    paper.add("<form>")
    for place, label in enumerate(draw.sample(["Name", "Town", "Telephone", "Employer", "Nationality"], 3)):
        value = draw.choice((words.name(draw), draw.choice(words.COUNTRIES)))
        paper.add(f"<p>{label}: <input type=text name='t{place}' size=24 value='{html.escape(value)}'></p>")
        paper.text.append(f"{label}: {value}")
        paper.follow(label, value, from_start=True, to_end=True)
    for group in range(draw.randint(2, 4)):
        question = f"{group + 1}. Which {words.phrase(draw, 1, 2).lower()} do you use?"
        is_radio, is_across = draw.random() < 0.5, draw.random() < 0.5
        options = [words.phrase(draw, 1, 2) for _ in range(draw.randint(2, 4))]
        chosen = draw.randrange(len(options))
        kind = "radio" if is_radio else "checkbox"
        parts = [
            f"<input type={kind} name='g{group}{'' if is_radio else place}' value='{place}'"
            f"{' checked' if place == chosen else ''}> {option}"
            for place, option in enumerate(options)
        ]
        paper.paragraph(question)
        paper.follow(question, from_start=True)
        joint = " &nbsp; " if is_across else "<br>"
        paper.add(f"<p>{joint.join(parts)}</p>")
        paper.text += options
        for place, option in enumerate(options):
            mark = r"\[[xX]\]|☒|☑|\(x\)|\(•\)|◉" if place == chosen else r"\[ ?\]|☐|\( ?\)|○"
            paper.facts.append({"type": "regex", "pattern": rf"(?:{mark})\W*{option}"})
    paper.add("</form>")
    return paper
