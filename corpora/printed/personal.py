"""Personal documents: two-column CVs, recipes, tickets."""

from random import Random

from corpora.printed import words
from corpora.printed.paper import Paper

_MEASURES = (("½", r"(?:½|1\s?[/⁄]\s?2)"), ("1½", r"1\s?(?:½|1\s?[/⁄]\s?2)"), ("¾", r"(?:¾|3\s?[/⁄]\s?4)"))
_BUILT = (("1", "3"), ("2", "3"), ("1", "4"), ("3", "8"))


def make_life(draw: Random) -> Paper:
    """Make a CV with dates next to the entries, or with a colored column of skills."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10.5)}pt;text-align:left}}")
    person = words.name(draw)
    paper.heading(1, person)
    contact = [draw.choice(words.TOWNS), f"+44 {draw.randint(100, 999)} {draw.randint(100_000, 999_999)}"]
    side = draw.choice(("none", "left", "right"))
    look = draw.choice(("dates left", "dates right", "dates below"))
    if side == "none":
        paper.paragraph(" · ".join(contact))
        _write_career(paper, look)
        return paper
    panel = draw.choice(("background:#e6ecf0;", "background:#2f4858;color:#fff;", ""))
    skills = f"<div style='width:30%;flex:none;padding:8pt;box-sizing:border-box;{panel}'>"
    paper.add(f"<div style='display:flex;gap:16pt'>{'' if side == 'right' else skills}")
    if side == "left":
        _write_skills(paper, contact)
        paper.add("</div>")
    paper.add("<div style='flex:1'>")
    _write_career(paper, look)
    paper.add("</div>")
    if side == "right":
        paper.add(skills)
        _write_skills(paper, contact)
        paper.add("</div>")
    paper.add("</div>")
    return paper


def _write_skills(paper: Paper, contact: list[str]) -> None:
    draw = paper.draw
    for title, texts in (
        ("Contact", contact),
        ("Skills", [words.phrase(draw, 1, 2) for _ in range(draw.randint(3, 6))]),
        ("Languages", [f"{language}, {draw.choice(('fluent', 'good'))}" for language in ("English", "Polish")]),
    ):
        paper.heading(2, title)
        paper.lines(texts)


def _write_career(paper: Paper, look: str) -> None:
    draw = paper.draw
    for title in ("Experience", "Education"):
        paper.heading(2, title)
        for _ in range(draw.randint(2, 4)):
            dates = f"{draw.randint(1998, 2010)} – {draw.randint(2011, 2026)}"
            post = words.phrase(draw, 2, 3)
            firm = draw.choice(words.FIRMS)
            text = words.sentence(draw, 2, 4)
            body = f"<b>{post}</b><div><i>{firm.replace('&', '&amp;')}</i></div><div>{text}</div>"
            row = "display:flex;margin-bottom:6pt;break-inside:avoid"
            if look == "dates left":
                paper.add(f"<div style='{row}'><div style='width:86pt;flex:none'>{dates}</div><div>{body}</div></div>")
                paper.follow(dates, post)
            elif look == "dates right":
                paper.add(f"<div style='{row}'><div style='flex:1'>{body}</div><div>{dates}</div></div>")
                paper.follow(firm, text)
            else:
                paper.add(f"<div style='margin-bottom:6pt'>{body}<div>{dates}</div></div>")
                paper.follow(text, dates)
            paper.text += [dates, post, firm, text]


def make_recipe(draw: Random) -> Paper:
    """Make a recipe with ingredients with fractions, in one or two columns, followed by numbered steps."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"{words.phrase(draw, 1, 2)} soup")
    paper.lines([f"Serves: {draw.randint(2, 8)}", f"Time: {draw.randint(10, 90)} minutes"], style="margin-bottom:6pt")
    paper.heading(2, "Ingredients")
    paper.add(f"<div style='columns:{draw.choice((1, 2))}'>")
    for _ in range(draw.randint(5, 10)):
        name = words.phrase(draw, 1, 3).lower()
        unit = draw.choice(("cup", "tsp", "kg"))
        if draw.random() < 0.4:
            above, below = draw.choice(_BUILT)
            whole = draw.choice(("", "", "2"))
            small = "font-size:0.65em;line-height:0"
            built = f"<sup style='{small}'>{above}</sup>⁄<sub style='{small}'>{below}</sub>"
            paper.add(f"<div>{whole}{built} {unit} {name}</div>")
            paper.text.append(f"{whole} {above}/{below} {unit} {name}")
            pattern = rf"\b{whole}\s?{above}\s?[/⁄]\s?{below} {unit} {name}"
        else:
            shown, pattern = draw.choice(_MEASURES)
            paper.add(f"<div>{shown} {unit} {name}</div>")
            paper.text.append(f"{shown} {unit} {name}")
            pattern = rf"{pattern} {unit} {name}"
        paper.facts.append({"type": "regex", "pattern": rf"(?m)^[^\w½¾]*{pattern}\W*$"})
    paper.add("</div>")
    paper.heading(2, "Method")
    if draw.random() < 0.5:
        paper.items([words.sentence(draw, 2, 4) for _ in range(draw.randint(3, 6))], numbered=True)
    else:
        for _ in range(draw.randint(2, 4)):
            paper.paragraph(words.paragraph(draw))
    return paper


def make_ticket(draw: Random) -> Paper:
    """Make a ticket with small labels above large values in rows, and a part to tear off."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, draw.choice(("Boarding pass", "Rail ticket", "Admission")))
    edge = draw.choice(("border:0.8pt solid #333;", "border:0.8pt dashed #333;", ""))
    label_first = draw.random() < 0.8
    for _ in range(draw.choice((1, 2, 3))):
        pairs = [
            ("Passenger", words.name(draw)),
            ("From", draw.choice(words.TOWNS).split()[0]),
            ("To", draw.choice(words.COUNTRIES)),
            ("Date", words.date(draw)),
            ("Departure", f"{draw.randint(10, 23)}:{draw.randint(10, 59)}"),
            ("Gate", f"{draw.choice('ABC')}{draw.randint(1, 40)}"),
            ("Seat", f"{draw.randint(1, 40)}{draw.choice('ABCDEF')}"),
            ("Booking", f"{draw.choice(words.LAST)[:3].upper()}{draw.randint(100, 999)}"),
        ]
        across = draw.choice((2, 3, 4))
        parts = []
        for label, value in pairs:
            small = f"<div style='font-size:0.7em;color:#555'>{label}</div>"
            large = f"<div style='font-size:1.2em;font-weight:bold'>{value}</div>"
            inner = small + large if label_first else large + small
            parts.append(f"<div style='width:{100 / across:.1f}%;margin-bottom:7pt'>{inner}</div>")
            paper.text.append(f"{label} {value}")
            paper.follow(*((label, value) if label_first else (value, label)))
        paper.add(
            f"<div style='{edge}padding:8pt;margin-bottom:14pt;display:flex;flex-wrap:wrap'>{''.join(parts)}</div>"
        )
    paper.paragraph(words.paragraph(draw), style="font-size:0.8em")
    return paper
