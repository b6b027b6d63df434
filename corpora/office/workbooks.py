"""Workbooks: budgets, several tables on a sheet, hidden parts, lines in cells, dates, errors, outlines, charts."""

import datetime as dt
import re
from random import Random

from corpora.office.flat import draw_chart, draw_frame, escape, paragraph
from corpora.office.sheets import Cell, Sheet, Workbook, count, day, error, fraction, say, span, truth_value
from corpora.printed import words

_EMPTY = Cell()


def _draw_day(draw: Random) -> dt.datetime:
    return dt.datetime(draw.randint(1995, 2026), draw.randint(1, 12), draw.randint(13, 28), draw.randint(0, 23), 30)


def make_budget(draw: Random) -> Workbook:
    """Make a workbook with a title over all columns, two header rows, sums by formula, shares, and negatives in
    brackets.
    """
    book = Workbook(draw)
    for name in draw.sample(["Plan", "Actual 2026", "Q1-Q4", "Übersicht"], draw.choice((1, 2))):
        columns = draw.choice((2, 3, 4))
        style = draw.choice(("two", "euro", "accounts", "thousands"))
        rows: list[list[Cell]] = [[] for _ in range(draw.choice((0, 0, 2)))]
        rows.append([say(f"Budget of {draw.choice(words.FIRMS)}", across=2 * columns + 2)])
        halves = (words.phrase(draw, 1, 1) + " one", words.phrase(draw, 1, 1) + " two")
        rows.append([_EMPTY, say(halves[0], across=columns), say(halves[1], across=columns), say("Share")])
        months = draw.sample(words.MONTHS, 2 * columns)
        rows.append([say("Post"), *map(say, months), say("of total")])
        heads = len([row for row in rows if row])
        first = len(rows) + 1
        for _ in range(draw.randint(4, 9)):
            values = [round(draw.uniform(-900, 9000)) for _ in months]
            rows.append(
                [
                    say(words.phrase(draw, 2, 4)),
                    *(count(value, style) for value in values),
                    count(draw.random(), "percent"),
                ]
            )
        last = len(rows)
        sums = []
        for at, _ in enumerate(months):
            letter = chr(66 + at)
            total = sum(_read_value(row[at + 1]) for row in rows[first - 1 :])
            sums.append(count(total, style, formula=f"of:=SUM([.{letter}{first}:.{letter}{last}])"))
        rows.append([say("Total"), *sums])
        book.add(Sheet(name, rows), heads=heads)
    return book


def _read_value(cell: Cell) -> float:
    found = re.search(r'office:value="([^"]+)"', cell.markup)
    return float(found[1]) if found else 0.0


def make_several(draw: Random) -> Workbook:
    """Make a sheet with titled tables below and next to each other, and notes next to them."""
    book = Workbook(draw)
    rows: list[list[Cell]] = []
    for place in range(draw.randint(2, 3)):
        rows.append([say(f"{words.phrase(draw, 2, 3)} {place + 1}")])
        rows.append([say(f"{head} {place}") for head in ("Town", "Visits", "Income")])
        rows += [
            [
                say(draw.choice(words.TOWNS)),
                count(draw.randint(1, 99_999), "thousands"),
                count(draw.randint(1, 9999) / 4, "two"),
            ]
            for _ in range(draw.randint(2, 5))
        ]
        rows.append([])
    if draw.random() < 0.6:
        said = words.sentence(draw)
        rows[1] += [_EMPTY, _EMPTY, say(said)]
        book.state(said)
    if draw.random() < 0.5:
        for at in range(3):
            rows[at] += [_EMPTY] * (8 - len(rows[at])) + [say(f"Key {at}"), count(draw.randint(100_000, 999_999))]
            book.follow(f"Key {at}", rows[at][-1].shown)
    book.add(Sheet("Figures", rows), has_relations=False)
    title = rows[0][0].shown
    book.state(title)
    return book


def make_hidden(draw: Random) -> Workbook:
    """Make a workbook with hidden rows, columns and sheets, and a filter. The converter must keep all of these."""
    book = Workbook(draw)
    heads = ["No.", "Name", "Code", "Amount"]
    rows = [[say(head) for head in heads]]
    rows += [
        [
            count(at + 1),
            say(words.name(draw)),
            say(f"{draw.choice('ABC')}{draw.randint(100, 999)}"),
            count(draw.randint(1, 9999) + 0.5, "two"),
        ]
        for at in range(draw.randint(6, 14))
    ]
    hidden = frozenset(draw.sample(range(2, len(rows)), 2))
    columns = frozenset({2}) if draw.random() < 0.5 else frozenset()
    book.add(Sheet("List", rows, hidden_rows=hidden, hidden_columns=columns))
    book.filters = (
        '<table:database-ranges><table:database-range table:name="f" table:display-filter-buttons="true" '
        f'table:target-range-address="List.A1:List.D{len(rows)}"/></table:database-ranges>'
    )
    other = [
        [say("Rate"), say("Value")],
        *([say(words.phrase(draw, 2, 3)), count(draw.random(), "percent")] for _ in range(3)),
    ]
    book.add(Sheet("Rates", other, is_hidden=True))
    return book


def make_lines(draw: Random) -> Workbook:
    """Make a sheet with line breaks, links, comments, numbers stored as text, long numbers, and markdown syntax."""
    book = Workbook(draw)
    rows = [[say(head) for head in ("Article", "Text", "Number", "Remark")]]
    for _ in range(draw.randint(4, 8)):
        one, two = words.phrase(draw, 2, 3), words.phrase(draw, 2, 3)
        shape = draw.choice(("lines", "link", "comment", "signs"))
        number = draw.choice(
            (
                say(f"00{draw.randint(100, 9999)}"),
                count(draw.randint(10**11, 10**13)),
                say(f"+49 {draw.randint(1000, 9999)}"),
                count(draw.randint(1, 9999), "padded"),
                say(f"{draw.randint(1, 9)}-{draw.randint(1, 9)}"),
            )
        )
        goods = draw.choice(words.GOODS)
        if shape == "lines":
            text = say(f"{one}\n{two}")
            book.match(rf"{one}\s*<br\s*/?>\s*{two}")
        elif shape == "link":
            address = f"https://example.org/{draw.randint(1, 999)}?a=b"
            text = say(one, link=address)
            book.match(rf"\[{one}\]\(<?{re.escape(address)}>?\)")
        elif shape == "comment":
            said = words.sentence(draw)
            text = say(one, comment=said)
            book.state(said)
        else:
            text = say(draw.choice((f"a|b {one}", f"*{one}* #1", f"<b>{one}</b>", f"`{one}` [x](y)", f"= {one}")))
        rows.append([say(goods), text, number, say("" if draw.random() < 0.5 else two)])
    book.add(Sheet("Articles", rows))
    return book


def make_kinds(draw: Random) -> Workbook:
    """Make a sheet with dates, times, durations, shares, fractions, powers of ten, booleans and errors."""
    book = Workbook(draw)
    style = draw.choice(("iso", "german", "named", "minute"))
    rows = [[say(head) for head in ("Name", "Day", "Start", "Worked", "Share", "Part", "Mass", "Paid", "Check")]]
    for at in range(draw.randint(4, 9)):
        below = draw.choice((2, 3, 4, 8))
        rows.append(
            [
                say(f"{words.name(draw)} {at}"),
                day(_draw_day(draw), style),
                span(draw.randint(0, 1439), "clock"),
                span(draw.randint(1500, 9999), "duration"),
                count(draw.randint(-500, 1500) / 1000, "percent"),
                fraction(1, below),
                count(draw.uniform(1, 9) * 10 ** draw.randint(-7, 9), "scientific"),
                truth_value(value=draw.random() < 0.5),
                error(draw.choice(("#DIV/0!", "#N/A", "#VALUE!")))
                if draw.random() < 0.4
                else count(draw.randint(1, 99)),
            ]
        )
    book.add(Sheet("Hours", rows))
    return book


def make_outline(draw: Random) -> Workbook:
    """Make a sheet with collapsible groups and sums, and labels in separate columns with empty cells below."""
    book = Workbook(draw)
    rows = [[say(head) for head in ("Region", "Town", "Product", "Units", "Income")]]
    groups = []
    for country in draw.sample(words.COUNTRIES, draw.randint(2, 4)):
        first = len(rows)
        units, income = 0, 0.0
        for at in range(draw.randint(2, 5)):
            one, two = draw.randint(1, 900), draw.randint(100, 99_999) / 4
            units, income = units + one, income + two
            rows.append(
                [
                    say("" if at else country),
                    say(draw.choice(words.TOWNS)),
                    say(draw.choice(words.GOODS)),
                    count(one),
                    count(two, "two"),
                ]
            )
        groups.append((first, len(rows) - 1))
        rows.append([say(f"{country} total"), _EMPTY, _EMPTY, count(units), count(income, "two")])
    book.add(Sheet("Pivot", rows, groups=tuple(groups)))
    return book


def make_sparse(draw: Random) -> Workbook:
    """Make a sheet with a form: scattered labels and values, the lines of an invoice, and a note far to the right."""
    book = Workbook(draw)
    firm, said = draw.choice(words.FIRMS), words.sentence(draw)
    rows = [[], [_EMPTY, say(firm, across=3)], []]
    for label in draw.sample(["Customer", "Date", "Invoice no.", "Terms", "Telephone"], 3):
        value = draw.choice((words.name(draw), words.date(draw), str(draw.randint(1000, 9999))))
        rows.append([_EMPTY, say(f"{label}:"), _EMPTY, say(value)])
        book.follow(label, value)
    rows += [[], [_EMPTY, say("Pos."), say("Goods"), say("Qty"), say("Price"), say("Sum")]]
    for at in range(draw.randint(2, 7)):
        amount, price = draw.randint(1, 20), draw.randint(100, 9900) / 4
        rows.append(
            [
                _EMPTY,
                count(at + 1),
                say(draw.choice(words.GOODS)),
                count(amount),
                count(price, "euro"),
                count(amount * price, "euro"),
            ]
        )
    rows += [
        [_EMPTY, _EMPTY, _EMPTY, _EMPTY, say("Total"), count(draw.randint(1, 99_999), "euro")],
        [],
        [_EMPTY, say(said, across=5)],
    ]
    book.state(firm, said)
    book.add(Sheet("Invoice", rows), has_relations=False)
    return book


def make_chart(draw: Random) -> Workbook:
    """Make a sheet with a chart and a text box next to the values."""
    book = Workbook(draw)
    names = draw.sample(words.COUNTRIES, 4)
    values = [draw.randint(100, 999) for _ in names]
    rows = [
        [say("Country"), say("Value")],
        *([say(name), count(value)] for name, value in zip(names, values, strict=True)),
    ]
    title, said = words.phrase(draw, 3, 4), words.sentence(draw)
    box = draw_frame(f"<draw:text-box>{paragraph(escape(said))}</draw:text-box>", "9 1 5 3")
    chart = draw_frame(draw_chart(title, names, [("Value", values)]), "9 5 10 7")
    book.add(Sheet("Chart", rows, shapes=box + chart))
    book.state(said, title)
    return book
