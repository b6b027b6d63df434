"""Business papers: invoices, letters, receipts, forms, questionnaires, labels, menus."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import RULINGS, Paper


def make_invoice(draw: Random) -> Paper:
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    firm = draw.choice(words.FIRMS)
    account = f"{draw.randint(10, 99)} NWBK {draw.randint(1000, 9999)} {draw.randint(1000, 9999)}"
    bank = f"IBAN GB{account} · VAT GB {draw.randint(100, 999)} 7702 19"
    if draw.random() < 0.6:
        paper.foot = f"{bank} · Page #"
        paper.text.append(bank)
        paper.facts.append({"type": "present", "text": bank})
    top = [firm, f"{draw.randint(1, 99)} {draw.choice(words.STREETS)}", draw.choice(words.TOWNS)]
    paper.lines(top, style=f"text-align:{draw.choice(('left', 'right'))};margin-bottom:20pt")
    paper.lines(words.address(draw), style="margin-bottom:14pt")
    if draw.random() < 0.5:
        paper.heading(1, f"Invoice {draw.randint(2019, 2026)}-{draw.randint(100, 999)}")
    else:
        paper.lines([f"Invoice no. {draw.randint(2019, 2026)}-{draw.randint(100, 999)}"])
    labels = draw.sample(["Client no.", "Order", "Delivery date", "Due date", "Your reference", "Terms"], 3)
    paper.lines([f"{label}: {words.date(draw)}" for label in labels], style="margin-bottom:10pt")
    long = draw.random() < 0.3
    rows = []
    for place in range(draw.randint(30, 60) if long else draw.randint(2, 9)):
        goods = draw.choice(words.GOODS)
        if draw.random() < 0.25:
            goods += ", " + words.sentence(draw, 2, 2).lower().rstrip(".")
        rows.append(
            [
                (str(place + 1), 1),
                (goods, 1),
                (str(draw.randint(1, 40)), 1),
                (words.amount(draw, 400), 1),
                (words.amount(draw), 1),
            ]
        )
    count = len(rows)
    sums = ("Subtotal", "VAT 20 %", "Total")[draw.randint(0, 2) :]
    rows += [[("", 1), (label, 1), ("", 1), ("", 1), (words.amount(draw, 99_999), 1)] for label in sums]
    head = [[("Pos.", 1), ("Description", 1), ("Qty", 1), ("Unit price", 1), ("Amount", 1)]]
    paper.table(
        head, rows, ruling=draw.choice(RULINGS), labels=2, totals=frozenset(range(count, len(rows))), style="width:100%"
    )
    paper.paragraph(words.sentence(draw), style="margin-top:12pt")
    return paper


def make_letter(draw: Random) -> Paper:
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    firm = draw.choice(words.FIRMS)
    paper.head = f"{firm} · {draw.randint(1, 99)} {draw.choice(words.STREETS)}"
    paper.foot = draw.choice(("Page # of @", f"Registered in Leeds {draw.randint(10_000, 99_999)} · Page #", "#"))
    paper.text.append(paper.head)
    paper.facts.append({"type": "present", "text": paper.head})
    paper.lines(words.address(draw), style="margin:10pt 0 18pt")
    paper.lines([f"Our reference: {draw.randint(100, 999)}/{draw.choice(words.LAST)}", f"Date: {words.date(draw)}"])
    subject = words.phrase(draw, 2, 4)
    paper.add(f"<p style='margin-top:14pt'><b>{subject}</b></p>")
    paper.text.append(subject)
    paper.lines([f"Dear {words.name(draw)},"], style="margin:8pt 0")
    for _ in range(draw.choice((3, 4, 12, 18))):
        paper.paragraph(words.paragraph(draw))
    paper.lines(["Yours sincerely,"], style="margin-top:10pt")
    paper.lines([words.name(draw), words.phrase(draw, 1, 2)], style="margin-top:26pt")
    return paper


def make_receipt(draw: Random) -> Paper:
    paper = Paper(draw, width=draw.choice(("80mm", "72mm", "148mm")))
    paper.dress()
    mono = draw.random() < 0.5
    size = 7 if mono else 8
    paper.css.append(
        f"body{{font-family:'DejaVu Sans{' Mono' if mono else ''}';font-size:{size}pt;line-height:1.3;text-align:left}}"
    )
    paper.lines(
        [draw.choice(words.FIRMS), f"{draw.randint(1, 99)} {draw.choice(words.STREETS)}", draw.choice(words.TOWNS)],
        style="text-align:center;margin-bottom:6pt",
    )
    paper.lines(
        [f"Receipt no. {draw.randint(1000, 9999)}", f"Date: {words.date(draw)}", f"Till: {draw.randint(1, 9)}"],
        style="margin-bottom:6pt",
    )
    for _ in range(draw.randint(4, 14)):
        _put_apart(paper, draw.choice(words.GOODS), words.amount(draw, 90), dots=False)
    paper.add("<div style='border-top:0.8pt dashed #000;margin:3pt 0'></div>")
    _put_apart(paper, "TOTAL EUR", words.amount(draw, 900), dots=False)
    _put_apart(paper, "Card", words.amount(draw, 900), dots=False)
    paper.lines([f"Thank you, {words.name(draw)}", "Goods may be returned within 14 days"], style="margin-top:8pt")
    return paper


def make_menu(draw: Random) -> Paper:
    """Make a menu with dishes and prices at both ends of a line, separated by dots or white space."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"The {words.phrase(draw, 2, 2)}")
    dots = draw.random() < 0.6
    for course in draw.sample(["Starters", "Soups", "Main courses", "From the grill", "Desserts", "Drinks"], 3):
        paper.heading(2, course)
        for _ in range(draw.randint(3, 7)):
            _put_apart(paper, words.phrase(draw, 2, 4), words.amount(draw, 40), dots=dots)
            if draw.random() < 0.2:
                paper.lines([f"with {words.phrase(draw, 1, 3).lower()}"], style="font-style:italic;font-size:0.9em")
    return paper


def _put_apart(paper: Paper, left: str, right: str, *, dots: bool) -> None:
    fill = "." * 400 if dots else ""
    paper.add(
        "<div style='display:flex'><span style='white-space:nowrap'>"
        f"{html.escape(left)} </span><span style='flex:1;overflow:hidden;white-space:nowrap;height:1.2em'>{fill}</span>"
        f"<span style='padding-left:4pt'>{html.escape(right)}</span></div>"
    )
    paper.text.append(f"{left} {right}")
    paper.follow(left, right, from_start=True, to_end=True)


def make_form(draw: Random) -> Paper:
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"Application for {words.phrase(draw, 2, 3).lower()}")
    labels = draw.sample(
        [
            "Surname",
            "First name",
            "Date of birth",
            "Place of birth",
            "Nationality",
            "Street",
            "Town",
            "Telephone",
            "Employer",
        ],
        6,
    )
    values = [draw.choice((words.name(draw), words.date(draw), draw.choice(words.TOWNS))) for _ in labels]
    look = draw.choice(("plain", "boxes", "apart"))
    if look == "plain":
        paper.lines([f"{label}: {value}" for label, value in zip(labels, values, strict=True)])
    elif look == "boxes":
        for label, value in zip(labels, values, strict=True):
            style = "border:0.6pt solid #555;padding:3pt;margin-bottom:3pt"
            paper.add(f"<div style='{style}'>{label}: {html.escape(value)}</div>")
            paper.record([f"{label}: {value}"])
    else:
        for label, value in zip(labels, values, strict=True):
            cells = f"<div style='width:130pt'>{label}</div><div>{html.escape(value)}</div>"
            paper.add(f"<div style='display:flex;margin-bottom:4pt'>{cells}</div>")
            paper.record([f"{label} {value}"])
    for _ in range(draw.randint(1, 3)):
        paper.heading(2, words.phrase(draw, 2, 3))
        options = [words.phrase(draw, 1, 3) for _ in range(draw.randint(2, 5))]
        paper.add("".join(f"<div>\u2610 {option}</div>" for option in options))
        paper.record(options)
    paper.facts.append({"type": "notable"}) if look != "apart" else None
    paper.lines([f"Place: {draw.choice(words.TOWNS)}", f"Date: {words.date(draw)}"], style="margin-top:14pt")
    return paper


def make_questionnaire(draw: Random) -> Paper:
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"Questions about the {words.phrase(draw, 2, 2).lower()}")
    across = draw.choice((1, 2, 3, 4))
    for place in range(draw.randint(4, 9)):
        question = f"{place + 1}. How often does the {words.phrase(draw, 1, 2).lower()} open?"
        paper.add(f"<p style='margin:9pt 0 3pt'>{question}</p>")
        options = [f"\u2610 {words.phrase(draw, 1, 2)}" for _ in range(draw.randint(3, 5))]
        width = 100 / across
        paper.add(
            "<div style='display:flex;flex-wrap:wrap'>"
            + "".join(f"<div style='width:{width:.1f}%'>{option}</div>" for option in options)
            + "</div>"
        )
        paper.record([question, *options])
    paper.facts.append({"type": "notable"})
    return paper


def make_labels(draw: Random) -> Paper:
    paper = Paper(draw)
    paper.dress()
    across = draw.choice((2, 3))
    framed = draw.random() < 0.3
    border = "border:0.4pt solid #999;" if framed else ""
    parts = []
    for _ in range(across * draw.randint(3, 6)):
        lines = words.address(draw)
        inner = "".join(f"<div>{html.escape(line)}</div>" for line in lines)
        style = f"width:{100 / across - 2:.1f}%;height:90pt;{border}box-sizing:border-box;padding:6pt"
        parts.append(f"<div style='{style}'>{inner}</div>")
        paper.record(lines)
    paper.add(f"<div style='display:flex;flex-wrap:wrap'>{''.join(parts)}</div>")
    if not framed:
        paper.facts.append({"type": "notable"})
    return paper
