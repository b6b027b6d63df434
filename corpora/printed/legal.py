"""Legal documents: judgments with margin numbers, statutes, contracts, minutes."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import RULINGS, Cell, Paper

_LETTERS = "abcdefgh"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


def make_judgment(draw: Random) -> Paper:
    """Make a judgment with court, parties, and reasons numbered in the margin or in the line."""
    paper = Paper(draw)
    paper.dress()
    number = f"C-{draw.randint(10, 799)}/{draw.randint(10, 26)}"
    if draw.random() < 0.5:
        paper.foot = draw.choice(("#", f"Case {number} · #"))
    centred = "text-align:center;" if draw.random() < 0.6 else ""
    court = f"Court of Appeal of {draw.choice(words.COUNTRIES)}"
    letters = "letter-spacing:2pt;" if draw.random() < 0.4 else ""
    paper.add(f"<h1 style='{centred}{letters}'>{court}</h1>")
    paper.text.append(court)
    paper.headings.append((1, court))
    paper.lines([f"Judgment of {words.date(draw)}", f"Case {number}"], style=f"{centred}margin-bottom:10pt")
    paper.lines([f"{words.name(draw)}, applicant,"], style="margin-left:40pt")
    paper.lines(["v"], style="margin:4pt 0 4pt 120pt")
    paper.lines([f"{draw.choice(words.FIRMS)}, defendant"], style="margin:0 0 12pt 40pt")
    place = 0
    look = draw.choice(("margin", "right", "line"))
    titles = draw.sample(["Background", "Facts", "Law", "The question referred", "Findings of the Court", "Costs"], 4)
    for title in titles:
        paper.heading(2, title)
        for _ in range(draw.randint(2, 5)):
            place += 1
            _write_numbered(paper, str(place), words.paragraph(draw), look)
    paper.lines([f"Delivered in {draw.choice(words.TOWNS)} on {words.date(draw)}"], style="margin:14pt 0")
    judges = [words.name(draw) for _ in range(draw.choice((2, 3)))]
    parts = "".join(f"<div style='flex:1'><div>{name}</div><div>Judge</div></div>" for name in judges)
    paper.add(f"<div style='display:flex;margin-top:30pt'>{parts}</div>")
    paper.text += [part for name in judges for part in (name, "Judge")]
    return paper


def _write_numbered(paper: Paper, number: str, text: str, look: str) -> None:
    inner = html.escape(text)
    if look == "margin":
        paper.add(f"<div style='display:flex;margin-bottom:6pt'><div style='width:28pt'>{number}</div>")
        paper.add(f"<div style='flex:1'>{inner}</div></div>")
    elif look == "right":
        paper.add(f"<div style='display:flex;margin-bottom:6pt'><div style='flex:1'>{inner}</div>")
        paper.add(f"<div style='width:28pt;text-align:right;font-size:0.8em'>{number}</div></div>")
    else:
        paper.add(f"<p>{number}. {inner}</p>")
    paper.text.append(f"{number} {text}")
    if look != "right":
        paper.follow(number, *text.split()[:5], from_start=True)
    paper.facts.append({"type": "present", "text": text})


def make_statute(draw: Random) -> Paper:
    """Make a statute with parts, sections with or without the section sign, and nested paragraphs."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, f"{words.phrase(draw, 2, 2)} Act {draw.randint(1950, 2026)}")
    paper.paragraph(f"of {words.date(draw)}", style="font-style:italic")
    sign = draw.choice(("§ ", "Article ", "Section ", "Art. "))
    centred = ";text-align:center" if draw.random() < 0.4 else ""
    number = 0
    for part in range(draw.randint(2, 4)):
        title = f"Part {part + 1} {words.phrase(draw, 1, 2)}"
        paper.add(f"<h2 style='margin-top:14pt{centred}'>{title}</h2>")
        paper.text.append(title)
        paper.headings.append((2, title))
        for _ in range(draw.randint(2, 4)):
            number += 1
            title = f"{sign}{number} {words.phrase(draw, 1, 3)}"
            paper.add(f"<h3 style='margin-top:8pt{centred}'>{title}</h3>")
            paper.text.append(title)
            paper.headings.append((3, title))
            for place in range(draw.randint(1, 4)):
                _write_indented(paper, f"({place + 1})", words.sentence(draw), 0)
                if draw.random() < 0.4:
                    for point in range(draw.randint(2, 4)):
                        label = draw.choice((f"{point + 1}.", f"{_LETTERS[point]})"))
                        _write_indented(paper, label, words.sentence(draw, 2, 3), 1)
    return paper


def _write_indented(paper: Paper, label: str, text: str, depth: int) -> None:
    style = f"margin:0 0 3pt {depth * 20 + 22}pt;text-indent:-22pt"
    paper.add(f"<p style='{style}'><span style='display:inline-block;width:22pt;text-indent:0'>{label}</span> ")
    paper.add(f"{html.escape(text)}</p>")
    paper.text.append(f"{label} {text}")
    paper.follow(label, *text.split()[:5], from_start=True)


def make_contract(draw: Random) -> Paper:
    """Make a contract with numbered clauses, hanging labels, and fields for two signatures next to each other."""
    paper = Paper(draw)
    paper.dress()
    paper.foot = draw.choice(("", "Page # of @", "#"))
    paper.heading(1, draw.choice(("Service agreement", "Lease agreement", "Contract of employment", "Licence")))
    parties = [draw.choice(words.FIRMS), words.name(draw)]
    for party, role in zip(parties, ("Supplier", "Customer"), strict=True):
        paper.paragraph(f"{party}, {draw.choice(words.TOWNS)} (the “{role}”)")
    upper = draw.random() < 0.5
    hanging = draw.choice((18, 26, 34))
    bold = draw.random() < 0.7
    for clause in range(draw.randint(3, 7)):
        title = words.phrase(draw, 1, 3)
        shown = title.upper() if upper else title
        heading = f"{clause + 1}. {shown}"
        if bold:
            paper.add(f"<h2 style='font-size:1.05em;font-weight:bold'>{heading}</h2>")
        else:
            paper.add(f"<h2>{heading}</h2>")
        paper.text.append(heading)
        paper.headings.append((2, heading))
        for place in range(draw.randint(1, 4)):
            _hang(paper, f"{clause + 1}.{place + 1}", words.sentence(draw, 3, 6), 0, hanging)
            if draw.random() < 0.3:
                for point in range(draw.randint(2, 4)):
                    _hang(paper, f"({_LETTERS[point]})", words.sentence(draw, 2, 3), hanging, 22)
                    if draw.random() < 0.2:
                        for inner in range(2):
                            _hang(paper, f"({_ROMAN[inner]})", words.sentence(draw, 2, 2), hanging + 22, 22)
    _sign(paper, parties)
    return paper


def _hang(paper: Paper, label: str, text: str, left: int, width: int) -> None:
    paper.add(f"<div style='display:flex;margin:0 0 4pt {left}pt'><div style='width:{width}pt;flex:none'>{label}</div>")
    paper.add(f"<div>{html.escape(text)}</div></div>")
    paper.text.append(f"{label} {text}")
    paper.follow(label, *text.split()[:5], from_start=True)


def _sign(paper: Paper, parties: list[str]) -> None:
    draw = paper.draw
    columns = []
    for party in parties:
        lines = [f"Signed for {party}", f"Name: {words.name(draw)}", f"Date: {words.date(draw)}"]
        rule = "<div style='border-bottom:0.6pt solid #000;height:26pt;width:150pt'></div>"
        columns.append(
            f"<div style='flex:1'><div>{html.escape(lines[0])}</div>{rule}"
            + "".join(f"<div>{line}</div>" for line in lines[1:])
            + "</div>"
        )
        paper.record(lines)
    paper.add(f"<div style='display:flex;margin-top:18pt;break-inside:avoid'>{''.join(columns)}</div>")


def make_minutes(draw: Random) -> Paper:
    """Make minutes with attendees, numbered items with resolutions, and a table of action items."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, f"Minutes of the {words.phrase(draw, 1, 2).lower()} committee")
    paper.lines([f"Date: {words.date(draw)}", f"Place: {draw.choice(words.TOWNS)}", "Start: 18:30"])
    paper.heading(2, "Present")
    people = [(words.name(draw), words.phrase(draw, 1, 2).lower()) for _ in range(draw.randint(3, 9))]
    look = draw.choice(("tabbed", "comma", "columns"))
    if look == "tabbed":
        for person, role in people:
            paper.add(f"<div><span style='display:inline-block;width:120pt'>{person}</span> {role}</div>")
            paper.text.append(f"{person} {role}")
            paper.follow(person, role, from_start=True, to_end=True)
    elif look == "comma":
        paper.lines([f"{person}, {role}" for person, role in people])
    else:
        inner = "".join(f"<div>{person} ({role})</div>" for person, role in people)
        paper.add(f"<div style='columns:2'>{inner}</div>")
        paper.record([f"{person} ({role})" for person, role in people])
    for place in range(draw.randint(2, 5)):
        paper.heading(2, f"{place + 1}. {words.phrase(draw, 2, 3)}")
        paper.paragraph(words.paragraph(draw))
        if draw.random() < 0.6:
            text = words.sentence(draw)
            paper.add(f"<p><b>Resolved:</b> {text}</p>")
            paper.text.append(f"Resolved: {text}")
            paper.follow("Resolved", *text.split()[:5], from_start=True)
    paper.heading(2, "Actions")
    rows: list[list[Cell]] = [
        [
            (str(place + 1), 1),
            (words.sentence(draw, 2, 3).rstrip("."), 1),
            (words.name(draw), 1),
            (words.date(draw), 1),
        ]
        for place in range(draw.randint(2, 7))
    ]
    head: list[list[Cell]] = [[("No.", 1), ("What", 1), ("Who", 1), ("Until", 1)]]
    paper.table(head, rows, ruling=draw.choice(RULINGS), labels=9, style=draw.choice(("width:100%", "")))
    return paper
