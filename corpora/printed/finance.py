"""Financial documents: bank statements, payslips, annual accounts, tax forms, insurance terms."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import RULINGS, Cell, Paper

_CARRIED = 14
"""Rows per page of a bank statement before the balance is carried forward."""


def make_bank(draw: Random) -> Paper:
    """Make a statement with transactions of several lines and a balance carried from page to page."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt}} .page{{break-after:page}}")
    paper.foot = draw.choice(("", "Page # of @", "#"))
    bank = draw.choice(words.FIRMS).split()[0] + " Bank"
    paper.lines([bank, f"{draw.randint(1, 99)} {draw.choice(words.STREETS)}"], style="margin-bottom:12pt")
    paper.lines(words.address(draw), style="margin-bottom:12pt")
    paper.heading(1, f"Statement {draw.randint(1, 12)}/{draw.randint(2019, 2026)}")
    paper.lines([f"Account: {draw.randint(10_000_000, 99_999_999)}", f"Period: {words.date(draw)}"])
    is_single = draw.random() < 0.4
    values = ["Amount", "Balance"] if is_single else ["Debit", "Credit", "Balance"]
    head: list[list[Cell]] = [[("Date", 1), ("Details", 1), *((value, 1) for value in values)]]
    blank: list[Cell] = [("", 1)] * (len(values) - 1)
    style = "width:100%;table-layout:fixed;margin-top:8pt"
    ruling = draw.choice(("head", "rows", "none", "stripes", "grid"))
    widths = "width:16%"
    pages = draw.choice((1, 2, 3))
    for page in range(pages):
        rows: list[list[Cell]] = []
        start = "Opening balance" if not page else "Balance brought forward"
        rows.append([("", 1), (start, 1), *blank, (words.amount(draw, 99_999), 1)])
        rows += [_draw_booking(draw, is_single=is_single) for _ in range(draw.randint(5, _CARRIED))]
        end = "Closing balance" if page == pages - 1 else "Balance carried forward"
        rows.append([("", 1), (end, 1), *blank, (words.amount(draw, 99_999), 1)])
        totals = frozenset({0, len(rows) - 1})
        paper.add(f"<div class='{'page' if page < pages - 1 else ''}'>")
        paper.table(head, rows, ruling=ruling, labels=2, totals=totals, style=style, first=widths)
        paper.add("</div>")
    return paper


def _draw_booking(draw: Random, *, is_single: bool) -> list[Cell]:
    text = draw.choice(("Card payment", "Transfer", "Direct debit", "Salary", "Fee"))
    for _ in range(draw.choice((0, 0, 1, 2, 3))):
        text += "\n" + draw.choice(
            (
                words.name(draw),
                f"Ref. {draw.randint(10_000, 99_999)}",
                words.phrase(draw, 2, 3),
                draw.choice(words.FIRMS),
            )
        )
    value = words.amount(draw)
    day = (f"{draw.randint(1, 28):02}/{draw.randint(1, 12):02}/2026", 1)
    balance = (words.amount(draw, 99_999) if draw.random() < 0.6 else "", 1)
    if is_single:
        return [day, (text, 1), (value + draw.choice(("-", "+", "")), 1), balance]
    is_in = draw.random() < 0.3
    return [day, (text, 1), ("" if is_in else value, 1), (value if is_in else "", 1), balance]


def make_payslip(draw: Random) -> Paper:
    """Make a payslip with boxes of labels and values, and adjacent tables of earnings and deductions."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt}}")
    paper.heading(1, f"Payslip {draw.choice(words.MONTHS)} {draw.randint(2018, 2026)}")
    pool = [
        ("Employee", words.name(draw)),
        ("Employee no.", str(draw.randint(1000, 9999))),
        ("Department", words.phrase(draw, 1, 2)),
        ("Tax code", f"{draw.randint(500, 1300)}L"),
        ("Pay date", words.date(draw)),
        ("Bank", f"{draw.randint(10, 99)}-{draw.randint(10, 99)}-{draw.randint(10, 99)}"),
        ("Hours", words.amount(draw, 180)),
        ("Grade", f"{draw.choice('ABCDE')}{draw.randint(1, 9)}"),
    ]
    across = draw.choice((2, 4))
    is_stacked = draw.random() < 0.5
    border = draw.choice(("border:0.6pt solid #555;", "background:#eef;", ""))
    parts = []
    for label, value in pool:
        inner = (
            f"<div style='font-size:0.75em;color:#444'>{label}</div><div>{value}</div>"
            if is_stacked
            else f"{label}: <b>{value}</b>"
        )
        parts.append(f"<div style='width:{100 / across}%;box-sizing:border-box;padding:3pt;{border}'>{inner}</div>")
        paper.text.append(f"{label} {value}")
        paper.follow(label, value)
    paper.add(f"<div style='display:flex;flex-wrap:wrap;margin-bottom:10pt'>{''.join(parts)}</div>")
    ruling = draw.choice(RULINGS)
    paper.add("<div style='display:flex;gap:18pt;align-items:flex-start'>")
    for title, labels in (
        ("Earnings", ["Basic pay", "Overtime", "Bonus", "Travel allowance", "Holiday pay"]),
        ("Deductions", ["Income tax", "National insurance", "Pension", "Union fee", "Season ticket loan"]),
    ):
        chosen = draw.sample(labels, draw.randint(2, 5))
        rows: list[list[Cell]] = [[(label, 1), (words.amount(draw), 1)] for label in chosen]
        rows.append([(f"Total {title.lower()}", 1), (words.amount(draw, 20_000), 1)])
        head: list[list[Cell]] = [[(title, 1), ("Amount", 1)]]
        paper.add("<div style='flex:1'>")
        paper.table(head, rows, ruling=ruling, totals=frozenset({len(rows) - 1}), style="width:100%")
        paper.add("</div>")
    paper.add("</div>")
    net = words.amount(draw, 9_999)
    paper.add(f"<p style='margin-top:12pt;text-align:right'><b>Net pay {net}</b></p>")
    paper.text.append(f"Net pay {net}")
    paper.follow("Net pay", net)
    return paper


def make_annual(draw: Random) -> Paper:
    """Make a page of an annual report: indented items, notes, two years, negative values in brackets."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    if draw.random() < 0.5:
        paper.head = f"{draw.choice(words.FIRMS)} · Annual report {draw.randint(2018, 2026)}"
        paper.foot = "#"
        paper.text.append(paper.head)
    paper.heading(1, draw.choice(("Consolidated balance sheet", "Statement of cash flows", "Profit and loss account")))
    if draw.random() < 0.6:
        paper.paragraph(words.paragraph(draw))
    last = draw.randint(2016, 2026)
    years = [last - place for place in range(draw.choice((2, 2, 2, 3)))]
    has_notes = draw.random() < 0.6
    unit = draw.choice(("EUR million", "£000", "in thousands of EUR", "31 December"))
    note: list[Cell] = [("Note", 1)] if has_notes else []
    head: list[list[Cell]] = []
    if draw.random() < 0.35:
        head.append([("", 1 + has_notes), (unit, len(years))])
        head.append([("", 1), *note, *((str(year), 1) for year in years)])
    elif draw.random() < 0.4:
        head.append([("", 1), *note, *((f"{year}\n{unit}", 1) for year in years)])
    else:
        head.append([(unit, 1), *note, *((str(year), 1) for year in years)])
    rows: list[list[Cell]] = []
    totals = set()
    indent = "\u00a0" * draw.choice((2, 4))
    for _ in range(draw.randint(2, 4)):
        rows.append([(words.phrase(draw, 1, 2), 1 + has_notes + len(years))])
        for _ in range(draw.randint(2, 6)):
            number: list[Cell] = [(draw.choice(("", str(draw.randint(1, 29)))), 1)] if has_notes else []
            values: list[Cell] = [(draw.choice((*[words.whole(draw)] * 5, "–")), 1) for _ in years]
            rows.append([(indent * draw.choice((1, 1, 2)) + words.phrase(draw, 2, 3), 1), *number, *values])
        totals.add(len(rows))
        empty: list[Cell] = [("", 1)] if has_notes else []
        sums: list[Cell] = [(words.whole(draw, 999_999), 1) for _ in years]
        rows.append([(f"Total {words.phrase(draw, 1, 2).lower()}", 1), *empty, *sums])
    ruling = draw.choice(("sums", "sums", "head", "none", "stripes", "rows"))
    style = draw.choice(("width:100%", "width:100%", ""))
    paper.table(head, rows, ruling=ruling, totals=frozenset(totals), style=style)
    if draw.random() < 0.5:
        paper.heading(2, f"Note {draw.randint(1, 29)} {words.phrase(draw, 2, 3)}")
        paper.paragraph(words.paragraph(draw), style="margin-top:10pt")
    return paper


def make_tax(draw: Random) -> Paper:
    """Make a form of numbered boxes with printed labels and values."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"Tax return {draw.randint(2015, 2026)}")
    across = draw.choice((1, 2, 3))
    look = draw.choice(("box", "line", "value"))
    number = 0
    for _ in range(draw.randint(2, 3)):
        paper.heading(2, words.phrase(draw, 1, 3))
        parts = []
        for _ in range(across * draw.randint(2, 4)):
            number += draw.choice((1, 1, 2))
            label = words.phrase(draw, 2, 3 if across == 3 else 5)
            value = draw.choice((words.amount(draw, 99_999), words.amount(draw, 99_999), words.date(draw)))
            shown = f"<span style='font-size:0.8em'><b>{number}</b> {label}</span>"
            if look == "box":
                inner = f"{shown}<div style='padding-top:2pt'>{value}</div>"
                edge = "border:0.6pt solid #333"
            elif look == "line":
                inner = f"{shown}<div style='border-bottom:0.6pt solid #000'>{value}</div>"
                edge = ""
            else:
                inner = f"{shown}<div style='border:0.6pt solid #333;padding:2pt;width:90pt'>{value}</div>"
                edge = ""
            parts.append(
                f"<div style='width:{100 / across:.2f}%;box-sizing:border-box;padding:4pt;{edge}'>{inner}</div>"
            )
            paper.text.append(f"{number} {label} {value}")
            paper.follow(str(number), label, value)
        paper.add(f"<div style='display:flex;flex-wrap:wrap'>{''.join(parts)}</div>")
    return paper


def make_insurance(draw: Random) -> Paper:
    """Make a table of benefits in wrapped cells with little space between the columns."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 9.5)}pt;text-align:left}}")
    paper.heading(1, f"Terms of {words.phrase(draw, 1, 2).lower()} insurance")
    paper.paragraph(words.sentence(draw))
    plans = draw.sample(["Basic", "Comfort", "Premium", "Exclusive"], draw.choice((2, 3, 4)))
    rows: list[list[Cell]] = []
    for _ in range(draw.randint(4, 10)):
        if draw.random() < 0.15:
            rows.append([(words.phrase(draw, 2, 2), 1 + len(plans))])
        cells: list[Cell] = [(words.phrase(draw, 2, 6), 1)]
        for _ in plans:
            kind = draw.random()
            text = words.sentence(draw, 2, 2).rstrip(".") if kind < 0.5 else f"{draw.choice((50, 80, 100))} %"
            cells.append(("–" if kind > 0.85 else f"up to EUR {words.whole(draw, 9_000)}" if kind > 0.7 else text, 1))
        rows.append(cells)
    head: list[list[Cell]] = [[("Benefit", 1), *((plan, 1) for plan in plans)]]
    if draw.random() < 0.3:
        head.insert(0, [("", 1), ("Plan", len(plans))])
    ruling = draw.choice(("grid", "rows", "head", "stripes", "none"))
    gutter = draw.choice((4, 6, 9))
    paper.table(head, rows, ruling=ruling, labels=9, style="width:100%", first="width:28%", gutter=gutter)
    paper.add(f"<p style='margin-top:8pt;font-size:0.85em'>{html.escape(note := words.sentence(draw))}</p>")
    paper.text.append(note)
    return paper
