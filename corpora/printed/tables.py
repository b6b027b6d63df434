"""Documents that mostly consist of a table: statements, price lists, ledgers, timetables, statistics."""

from random import Random

from corpora.printed import words
from corpora.printed.paper import RULINGS, Cell, Paper


def make_statement(draw: Random) -> Paper:
    """Make a statement with years as columns, notes and sums."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, f"{draw.choice(words.FIRMS)}: {draw.choice(('income statement', 'balance sheet', 'cash flows'))}")
    years = draw.choice((2, 3, 4, 5, 8))
    has_notes = draw.random() < 0.5
    head: list[list[Cell]] = []
    if draw.random() < 0.3 and years in (4, 8):
        half = years // 2
        head.append([("", 1 + has_notes), ("Group", half), ("Company", half)])
    last = draw.randint(2015, 2026)
    names = [str(last - place) for place in range(years)]
    if draw.random() < 0.3 and not head:
        head.append([("EUR thousand", 1), *([("Note", 1)] if has_notes else []), *((year, 1) for year in names)])
    else:
        head.append([("", 1), *([("Note", 1)] if has_notes else []), *((year, 1) for year in names)])
    rows: list[list[Cell]] = []
    totals = set()
    for _ in range(draw.randint(2, 5)):
        if draw.random() < 0.6:
            rows.append([(words.phrase(draw, 2, 3), 1 + has_notes + years)])
        for _ in range(draw.randint(2, 5)):
            label = words.phrase(draw, 2, 4)
            if draw.random() < 0.2:
                label += f" and {words.phrase(draw, 3, 5).lower()} of the {words.phrase(draw, 2, 4).lower()}"
            note = [(str(draw.randint(1, 30)) if draw.random() < 0.5 else "", 1)] if has_notes else []
            values = [
                ("" if draw.random() < 0.06 else draw.choice((words.whole(draw), words.whole(draw), "-")), 1)
                for _ in names
            ]
            rows.append([(label, 1), *note, *values])
        totals.add(len(rows))
        note = [("", 1)] if has_notes else []
        rows.append(
            [(f"Total {words.phrase(draw, 1, 2).lower()}", 1), *note, *((words.whole(draw, 999_999), 1) for _ in names)]
        )
    ruling = draw.choice(("sums", "sums", "none", "head", *RULINGS))
    wide = draw.random() < 0.7
    paper.table(
        head, rows, ruling=ruling, totals=frozenset(totals), style="width:100%" if wide else "", first="width:38%"
    )
    if draw.random() < 0.5:
        paper.paragraph(words.paragraph(draw), style="margin-top:10pt")
    return paper


def make_pricelist(draw: Random) -> Paper:
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, f"Price list {draw.randint(2019, 2026)}")
    if draw.random() < 0.5:
        paper.paragraph(words.sentence(draw))
    groups = draw.random() < 0.5
    rows: list[list[Cell]] = []
    for place in range(draw.randint(6, 70)):
        if groups and place % 6 == 0:
            rows.append([(words.phrase(draw, 1, 2) + "s", 4)])
        goods = draw.choice(words.GOODS)
        if draw.random() < 0.2:
            goods += f", for the {words.phrase(draw, 3, 5).lower()} and the {words.phrase(draw, 3, 5).lower()}"
        unit = draw.choice(("piece", "box", "metre", ""))
        rows.append(
            [
                (f"{draw.choice('ABCD')}-{draw.randint(1000, 9999)}", 1),
                (goods, 1),
                (unit, 1),
                (words.amount(draw, 900), 1),
            ]
        )
    head: list[list[Cell]] = [[("Article", 1), ("Description", 1), ("Unit", 1), ("Price EUR", 1)]]
    paper.table(head, rows, ruling=draw.choice(RULINGS), labels=3, style=draw.choice(("width:100%", "width:80%", "")))
    return paper


def make_ledger(draw: Random) -> Paper:
    """Make a bank statement or log over several pages, in which some rows have several lines."""
    paper = Paper(draw, programs=("chromium", "libreoffice"), is_landscape=draw.random() < 0.3)
    paper.dress()
    paper.foot = draw.choice(("", "Page # of @", "Statement of account · page #"))
    paper.heading(1, f"Account {draw.randint(10_000, 99_999)}")
    paper.lines(
        [f"Holder: {words.name(draw)}", f"Period: {words.date(draw)} to {words.date(draw)}"], style="margin-bottom:8pt"
    )
    rows: list[list[Cell]] = []
    for _ in range(draw.choice((6, 12, 45, 80))):
        day = f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.2026"
        text = words.phrase(draw, 2, 3)
        if draw.random() < 0.35:
            text += f" {words.name(draw)}, ref. {draw.randint(1000, 9999)} {words.phrase(draw, 3, 5).lower()}"
        is_in = draw.random() < 0.4
        value = words.amount(draw)
        rows.append(
            [
                (day, 1),
                (text, 1),
                ("" if is_in else value, 1),
                (value if is_in else "", 1),
                (words.amount(draw, 99_999), 1),
            ]
        )
    head: list[list[Cell]] = [[("Date", 1), ("Text", 1), ("Debit", 1), ("Credit", 1), ("Balance", 1)]]
    rows.append([("", 1), ("Closing balance", 1), ("", 1), ("", 1), (words.amount(draw, 99_999), 1)])
    paper.table(
        head, rows, ruling=draw.choice(RULINGS), labels=2, totals=frozenset({len(rows) - 1}), style="width:100%"
    )
    return paper


def make_timetable(draw: Random) -> Paper:
    """Make a timetable with empty cells where a service does not stop."""
    paper = Paper(draw, is_landscape=draw.random() < 0.5, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, f"Line {draw.randint(1, 99)} {draw.choice(words.TOWNS).split()[0]}")
    columns = draw.randint(4, 9)
    paper.css.append(f"body{{font-size:{min(paper.size, 9)}pt}}")
    rows: list[list[Cell]] = []
    for _ in range(draw.randint(6, 20)):
        times = [
            (f"{draw.randint(5, 23)}:{draw.randint(0, 59):02}" if draw.random() > 0.2 else "", 1)
            for _ in range(columns)
        ]
        rows.append([(words.phrase(draw, 1, 2), 1), *times])
    days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Hol", "Night"][:columns]
    head: list[list[Cell]] = [[("Stop", 1), *((day, 1) for day in days)]]
    paper.table(head, rows, ruling=draw.choice(RULINGS), style=draw.choice(("width:100%", "")))
    return paper


def make_statistics(draw: Random) -> Paper:
    """Make captioned tables between paragraphs, with grouped headers and text cells."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, words.phrase(draw, 2, 4))
    for number in range(draw.randint(1, 3)):
        paper.paragraph(words.paragraph(draw))
        caption = f"Table {number + 1}. {words.phrase(draw, 2, 4)} by country"
        paper.paragraph(caption, style="font-size:0.92em;margin-bottom:3pt")
        head: list[list[Cell]]
        if draw.random() < 0.4:
            head = [
                [("", 1), ("Women", 2), ("Men", 2)],
                [("Country", 1), ("2024", 1), ("2025", 1), ("2024", 1), ("2025", 1)],
            ]
        else:
            head = [[("Country", 1), *((words.phrase(draw, 1, 2), 1) for _ in range(4))]]
        rows: list[list[Cell]] = [
            [
                (country, 1),
                *((draw.choice((words.whole(draw, 999), f"{draw.random() * 100:.1f}", "-")), 1) for _ in range(4)),
            ]
            for country in draw.sample(words.COUNTRIES, draw.randint(3, 10))
        ]
        paper.table(head, rows, ruling=draw.choice(RULINGS), style=draw.choice(("width:100%", "", "margin:auto")))
    paper.paragraph(words.paragraph(draw), style="margin-top:10pt")
    return paper


def make_comparison(draw: Random) -> Paper:
    """Make a table with adjacent cells of running text."""
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    paper.heading(1, words.phrase(draw, 2, 3))
    columns = draw.choice((2, 3, 4))
    rows: list[list[Cell]] = []
    for _ in range(draw.randint(3, 9)):
        texts = [("" if draw.random() < 0.1 else words.sentence(draw, 2, 4).rstrip("."), 1) for _ in range(columns - 1)]
        rows.append([(words.phrase(draw, 2, 3), 1), *texts])
    head: list[list[Cell]] = [
        [("Subject", 1), *((f"{words.phrase(draw, 1, 1)} {'ABC'[place]}", 1) for place in range(columns - 1))]
    ]
    ruling = draw.choice(("grid", "grid", "rows", "stripes", "head", "none"))
    paper.table(head, rows, ruling=ruling, labels=9, style="width:100%", first=f"width:{draw.choice((18, 25))}%")
    return paper
