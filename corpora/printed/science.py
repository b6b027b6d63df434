"""Scientific documents: two-column papers, data sheets, laboratory reports, examinations."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import RULINGS, Cell, Paper

_SUBSTANCES = (
    ("Haemoglobin", "g/l"), ("Leucocytes", "10^9/l"), ("Platelets", "10^9/l"), ("Sodium", "mmol/l"),
    ("Potassium", "mmol/l"), ("Creatinine", "µmol/l"), ("Glucose", "mmol/l"), ("Ferritin", "µg/l"),
    ("Total protein", "g/l"), ("Bilirubin, total", "µmol/l"), ("C-reactive protein", "mg/l"), ("Calcium", "mmol/l"),
)  # fmt: skip
_PARAMETERS = (
    ("Supply voltage", "VDD", "V"), ("Supply current", "IDD", "mA"), ("Input leakage current", "ILI", "µA"),
    ("Clock frequency", "fCLK", "MHz"), ("Output voltage low", "VOL", "V"), ("Rise time", "tr", "ns"),
    ("Operating temperature", "TA", "°C"), ("Thermal resistance", "RthJA", "K/W"), ("Start-up time", "tSU", "ms"),
)  # fmt: skip
_FRACTIONS = ((1, 2), (2, 3), (3, 4), (5, 8), (7, 12), (11, 15))


def make_paper(draw: Random) -> Paper:
    """Make a two-column paper: authors with superscripts, abstract, numbered sections, table, figure, references."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt;text-align:justify}} h2{{font-size:1.2em}}")
    paper.css.append("h3{font-size:1.05em} h2,h3{font-weight:bold}")
    paper.foot = draw.choice(("", "#", f"Preprint · {words.date(draw)} · #"))
    centred = "text-align:center;" if draw.random() < 0.8 else ""
    title = f"On the {words.phrase(draw, 2, 4).lower()} of {words.phrase(draw, 3, 6).lower()}"
    paper.add(f"<h1 style='{centred}'>{title}</h1>")
    paper.text.append(title)
    paper.headings.append((1, title))
    authors = [words.name(draw) for _ in range(draw.randint(2, 4))]
    marks = [str(place % 2 + 1) for place, _ in enumerate(authors)]
    names = ", ".join(f"{name}<sup>{mark}</sup>" for name, mark in zip(authors, marks, strict=True))
    paper.add(f"<div style='{centred}'>{names}</div>")
    paper.text.append(", ".join(f"{name} {mark}" for name, mark in zip(authors, marks, strict=True)))
    for mark in sorted(set(marks)):
        home = f"University of {draw.choice(words.COUNTRIES)}, {draw.choice(words.TOWNS)}"
        paper.add(f"<div style='{centred}font-size:0.9em'><sup>{mark}</sup> {home}</div>")
        paper.text.append(f"{mark} {home}")
        paper.follow(mark, home, from_start=True, to_end=True)
    abstract = words.paragraph(draw)
    in_columns = draw.random() < 0.4
    columns = f"<div style='columns:2;column-gap:{draw.choice((14, 20))}pt;margin-top:10pt'>"
    paper.add(columns if in_columns else "")
    if draw.random() < 0.5:
        paper.add("<p style='margin:8pt 20pt 0'><b>Abstract.</b> ")
        paper.add(f"{abstract}</p>")
        paper.text.append(f"Abstract. {abstract}")
    else:
        paper.heading(2, "Abstract")
        paper.paragraph(abstract, style="font-size:0.94em")
    paper.add("" if in_columns else columns)
    titles = ["Introduction", "Related work", "Method", "Results", "Discussion"][: draw.randint(3, 5)]
    with_table, with_figure = draw.randrange(len(titles)), draw.randrange(len(titles))
    for place, name in enumerate(titles):
        paper.heading(2, f"{place + 1} {name}")
        for inner in range(draw.choice((0, 0, 2))):
            paper.heading(3, f"{place + 1}.{inner + 1} {words.phrase(draw, 2, 3)}")
            _write_cited(paper)
        for _ in range(draw.randint(2, 3)):
            _write_cited(paper)
        if place == with_table:
            _write_results(paper)
        if place == with_figure:
            _draw_figure(paper)
    paper.heading(2, "References")
    for place in range(draw.randint(5, 12)):
        source = f"In: {words.phrase(draw, 2, 3)}, {draw.randint(1980, 2026)}."
        text = f"{words.name(draw)}: {words.phrase(draw, 3, 5)}. {source}"
        paper.add(f"<p style='margin:0 0 2pt 18pt;text-indent:-18pt;font-size:0.9em'>[{place + 1}] {text}</p>")
        paper.text.append(f"[{place + 1}] {text}")
        paper.follow(str(place + 1), text, from_start=True)
    paper.add("</div>")
    return paper


def _write_cited(paper: Paper) -> None:
    draw = paper.draw
    before, after = words.sentence(draw), words.paragraph(draw)
    cited = f"{before[:-1]} [{draw.randint(1, 9)}]. {after}"
    paper.paragraph(cited)
    paper.facts.append({"type": "order", "before": before, "after": after[:60]})


def _write_results(paper: Paper) -> None:
    draw = paper.draw
    caption = f"Table 1: {words.sentence(draw, 2, 3)}"
    paper.paragraph(caption, style="font-size:0.88em;margin:8pt 0 3pt;break-after:avoid")
    heads = draw.sample(["Train", "Test", "Near", "Far"], 2)
    head: list[list[Cell]] = [
        [("Method", 1, 2), (heads[0], 2), (heads[1], 2)],
        [("Mean", 1), ("Dev.", 1), ("Mean", 1), ("Dev.", 1)],
    ]
    rows: list[list[Cell]] = [
        [(words.phrase(draw, 1, 1), 1), *((f"{draw.random() * 100:.2f}", 1) for _ in range(4))]
        for _ in range(draw.randint(3, 7))
    ]
    ruling = draw.choice(("head", "head", "rows", "none"))
    paper.table(head, rows, ruling=ruling, style="margin:auto;font-size:0.88em;break-inside:avoid", gutter=8)
    paper.add("<div style='height:8pt'></div>")


def _draw_figure(paper: Paper) -> None:
    draw = paper.draw
    bars = "".join(
        f"<rect x='{20 * place + 12}' y='{80 - tall}' width='12' height='{tall}' fill='#68a'/>"
        f"<text x='{20 * place + 14}' y='92' font-size='8'>{place + 1}</text>"
        for place, tall in enumerate(draw.randint(10, 70) for _ in range(6))
    )
    caption = f"Figure 1: {words.sentence(draw, 2, 3)}"
    paper.add(f"<svg width='140' height='96'>{bars}</svg>")
    paper.paragraph(caption, style="font-size:0.88em")
    paper.facts.append({"type": "present", "text": caption})


def make_datasheet(draw: Random) -> Paper:
    """Make a data sheet with minimum, typical and maximum values, parameters over several rows, and notes."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt;text-align:left}}")
    paper.head = draw.choice(("", f"{draw.choice(words.FIRMS)} · Data sheet"))
    paper.text += [paper.head] if paper.head else []
    paper.heading(1, f"{draw.choice('ABCX')}{draw.choice('KLMN')}{draw.randint(100, 9999)} {words.phrase(draw, 2, 3)}")
    paper.items([words.phrase(draw, 3, 5) for _ in range(draw.randint(3, 6))])
    for title in draw.sample(["Absolute maximum ratings", "Electrical characteristics", "Timing"], draw.choice((1, 2))):
        paper.heading(2, title)
        rows: list[list[Cell]] = []
        for name, symbol, unit in draw.sample(_PARAMETERS, draw.randint(4, 8)):
            note = draw.choice(("", "", "", " 1)", " 2)"))
            down = draw.choice((1, 1, 1, 2, 3))
            for place in range(down):
                lead: list[Cell] = [(name + note, 1, down), (symbol, 1, down)] if not place else []
                condition = draw.choice(
                    (f"VDD = {draw.randint(2, 5)} V", "no load", f"TA = {draw.randint(20, 85)} °C", "")
                )
                values: list[Cell] = [
                    (f"{draw.uniform(-40, 125):.{draw.choice((0, 1, 2))}f}" if draw.random() < 0.7 else "", 1)
                    for _ in range(3)
                ]
                rows.append([*lead, (condition, 1), *values, (unit, 1)])
        names = ("Parameter", "Symbol", "Conditions", "Min.", "Typ.", "Max.", "Unit")
        head: list[list[Cell]] = [[(name, 1) for name in names]]
        if draw.random() < 0.35:
            head = [
                [*((name, 1, 2) for name in names[:3]), ("Value", 3), (names[6], 1, 2)],
                [(name, 1) for name in names[3:6]],
            ]
        ruling = draw.choice(("grid", "grid", "rows", "head", "none"))
        paper.table(head, rows, ruling=ruling, labels=3, style="width:100%")
        for mark in (1, 2):
            text = words.sentence(draw, 2, 2)
            paper.add(f"<p style='font-size:0.85em;margin:2pt 0'>{mark}) {text}</p>")
            paper.text.append(f"{mark}) {text}")
            paper.follow(str(mark), text, from_start=True)
    return paper


def make_laboratory(draw: Random) -> Paper:
    """Make a report with the patient's details, followed by groups of values with marks, units and ranges."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.lines([f"Laboratory {draw.choice(words.LAST)}", draw.choice(words.TOWNS)], style="margin-bottom:8pt")
    paper.heading(1, draw.choice(("Laboratory report", "Findings", "Blood test")))
    pairs = [
        ("Patient", words.name(draw)),
        ("Born", words.date(draw)),
        ("Taken", words.date(draw)),
        ("Order", str(draw.randint(10_000, 99_999))),
    ]
    if draw.random() < 0.5:
        paper.lines([f"{label}: {value}" for label, value in pairs], style="margin-bottom:8pt")
    else:
        cells = "".join(f"<div style='width:50%'>{label}: {value}</div>" for label, value in pairs)
        paper.add(f"<div style='display:flex;flex-wrap:wrap;margin-bottom:8pt'>{cells}</div>")
        paper.text += [f"{label}: {value}" for label, value in pairs]
        for label, value in pairs:
            paper.follow(label, value)
    rows: list[list[Cell]] = []
    for group in range(draw.randint(1, 3)):
        if group or draw.random() < 0.6:
            rows.append([(words.phrase(draw, 1, 2), 5)])
        for name, unit in draw.sample(_SUBSTANCES, draw.randint(3, 6)):
            low = draw.uniform(1, 90)
            limits = draw.choice((f"{low:.1f} – {low * 1.8:.1f}", f"< {low:.1f}"))
            flag = draw.choice(("", "", "", "H", "L", "+", "*"))
            rows.append([(name, 1), (f"{draw.uniform(1, 150):.1f}", 1), (flag, 1), (unit, 1), (limits, 1)])
    head: list[list[Cell]] = [[("Test", 1), ("Result", 1), ("Flag", 1), ("Unit", 1), ("Reference range", 1)]]
    paper.table(
        head, rows, ruling=draw.choice(RULINGS), labels=draw.choice((1, 9)), style=draw.choice(("width:100%", ""))
    )
    comment = words.paragraph(draw)
    paper.add(f"<p style='margin-top:10pt'><b>Comment:</b> {comment}</p>")
    paper.text.append(f"Comment: {comment}")
    return paper


def make_examination(draw: Random) -> Paper:
    """Make an examination with numbered questions, lettered answers, marks at the right edge, and stacked fractions."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"Examination in {draw.choice(('mathematics', 'physics', 'geography', 'biology'))}")
    paper.lines([f"Name: {'_' * 24}", f"Time: {draw.randint(30, 180)} minutes"], style="margin-bottom:8pt")
    across = draw.choice((1, 2, 4))
    for place in range(draw.randint(4, 9)):
        text = f"{words.sentence(draw, 2, 3).rstrip('.')}?"
        marks = f"[{draw.randint(1, 9)}]"
        shown = f"<span>{place + 1}. {html.escape(text)}</span><span>{marks}</span>"
        paper.add(f"<div style='display:flex;justify-content:space-between;margin-top:9pt'>{shown}</div>")
        paper.text.append(f"{place + 1}. {text} {marks}")
        paper.follow(str(place + 1), *text.split()[:4], from_start=True)
        if draw.random() < 0.3:
            _write_sum(paper)
            continue
        parts = []
        for letter in "abcd":
            answer = words.phrase(draw, 1, 2)
            parts.append(f"<div style='width:{100 / across}%'>{letter}) {answer}</div>")
            paper.record([f"{letter}) {answer}"])
        style = "display:flex;flex-wrap:wrap;margin:3pt 0 0 16pt"
        paper.add(f"<div style='{style}'>{''.join(parts)}</div>")
    paper.facts.append({"type": "notable"})
    return paper


def _write_sum(paper: Paper) -> None:
    """Write fractions with the numerator above a line."""
    draw = paper.draw
    chosen = draw.sample(_FRACTIONS, 2)
    style = "display:inline-block;vertical-align:middle;text-align:center;font-size:0.85em;line-height:1.1"
    parts = [
        f"<span style='{style}'><span style='display:block;border-bottom:0.6pt solid #000;padding:0 2pt'>{above}</span>"
        f"<span style='display:block'>{below}</span></span>"
        for above, below in chosen
    ]
    sign = draw.choice(("+", "×"))
    paper.add(f"<div style='margin:4pt 0 0 16pt'>Work out {parts[0]} {sign} {parts[1]} as a decimal.</div>")
    first, second = (f"{above}/{below}" for above, below in chosen)
    paper.text.append(f"Work out {first} {sign} {second} as a decimal.")
    patterns = [rf"(?:{above}\s?[/⁄]\s?{below}|\\frac\{{{above}\}}\{{{below}\}})" for above, below in chosen]
    paper.facts.append({"type": "regex", "pattern": rf"Work out {patterns[0]} .? ?{patterns[1]} as a decimal"})
