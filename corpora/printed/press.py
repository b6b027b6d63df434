"""Publications: newsletters, catalogs, event programs, book chapters."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import Paper


def make_newsletter(draw: Random) -> Paper:
    """Make articles in two or three columns, with a boxed quotation and captioned pictures."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt}}")
    title = f"The {words.phrase(draw, 1, 1)} Gazette"
    letters = draw.choice(("", "letter-spacing:3pt;", "letter-spacing:6pt;"))
    paper.add(f"<h1 style='text-align:center;{letters}border-bottom:1pt solid #000'>{title}</h1>")
    paper.text.append(title)
    paper.headings.append((1, title))
    issue = f"Issue {draw.randint(1, 99)} · {words.date(draw)}"
    paper.lines([issue], style="text-align:center;margin-bottom:8pt")
    columns = draw.choice((2, 3, 3))
    rule = draw.choice(("", "column-rule:0.5pt solid #888;"))
    paper.add(f"<div style='columns:{columns};column-gap:{draw.choice((14, 20, 26))}pt;{rule}'>")
    for _ in range(draw.randint(3, 5)):
        paper.heading(2, words.phrase(draw, 2, 5))
        if draw.random() < 0.5:
            paper.paragraph(f"By {words.name(draw)}", style="font-style:italic")
        places = draw.randint(2, 4)
        for place in range(places):
            before, after = words.sentence(draw), words.paragraph(draw)
            paper.paragraph(f"{before} {after}")
            paper.facts.append({"type": "order", "before": before, "after": after[:60]})
            if place == 0 and draw.random() < 0.3:
                _box_quotation(paper)
            elif place == 1 and draw.random() < 0.3:
                _add_picture(paper)
    paper.add("</div>")
    return paper


def _box_quotation(paper: Paper) -> None:
    quotation = f"“{words.sentence(paper.draw, 2, 3)}”"
    look = paper.draw.choice(("border:0.8pt solid #333", "background:#e6ecf4", "border-top:1.5pt solid #333"))
    paper.add(f"<div style='{look};padding:6pt;margin:6pt 0;font-size:1.25em;break-inside:avoid'>{quotation}</div>")
    paper.text.append(quotation)
    paper.facts.append({"type": "present", "text": quotation})


def _add_picture(paper: Paper) -> None:
    caption = words.sentence(paper.draw, 2, 2)
    paper.add("<div style='break-inside:avoid'><div style='height:70pt;background:#9ab'></div>")
    paper.add(f"<div style='font-size:0.82em;margin-bottom:6pt'>{caption}</div></div>")
    paper.text.append(caption)
    paper.facts.append({"type": "present", "text": caption})


def make_catalogue(draw: Random) -> Paper:
    """Make a grid of products with picture, name, text and price."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append("body{text-align:left}")
    paper.heading(1, f"{words.phrase(draw, 1, 2)} catalogue")
    across = draw.choice((2, 3, 4))
    edge = draw.choice(("", "", "border:0.5pt solid #888;"))
    for _ in range(draw.randint(1, 2)):
        paper.heading(2, words.phrase(draw, 1, 2))
        parts = []
        for _ in range(across * draw.randint(2, 4)):
            name = draw.choice(words.GOODS)
            text = words.sentence(draw, 2, 2)
            price = f"€ {words.amount(draw, 300)}"
            number = f"Art. {draw.randint(1000, 9999)}"
            inner = (
                "<div style='height:44pt;background:#cdd;margin-bottom:3pt'></div>"
                f"<div><b>{html.escape(name)}</b></div><div style='font-size:0.85em'>{text}</div>"
                f"<div style='display:flex;justify-content:space-between'><span>{number}</span><b>{price}</b></div>"
            )
            width = f"width:{100 / across - 2:.1f}%;margin:0 1% 8pt 1%;padding:4pt;box-sizing:border-box"
            parts.append(f"<div style='{width};{edge}break-inside:avoid'>{inner}</div>")
            paper.text += [name, text, f"{number} {price}"]
            paper.follow(name, text)
            paper.follow(text, number, price)
        paper.add(f"<div style='display:flex;flex-wrap:wrap'>{''.join(parts)}</div>")
    return paper


def make_programme(draw: Random) -> Paper:
    """Make a program with days, times, talks, speakers and rooms."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, f"{words.phrase(draw, 2, 3)} conference {draw.randint(2018, 2026)}")
    look = draw.choice(("plain", "rows", "bars"))
    edge = {
        "plain": "",
        "rows": "border-bottom:0.5pt solid #999;",
        "bars": "border-left:2pt solid #48a;padding-left:6pt;",
    }
    for _ in range(draw.randint(1, 3)):
        paper.heading(2, f"{draw.choice(('Monday', 'Tuesday', 'Friday', 'Saturday'))}, {words.date(draw)}")
        hour = 9
        for _ in range(draw.randint(4, 8)):
            start = f"{hour:02}:{draw.choice(('00', '15', '30'))}"
            hour += 1
            shown = draw.choice((start, f"{start} – {hour:02}:00"))
            talk = words.phrase(draw, 3, 6)
            speaker = words.name(draw)
            room = f"Room {draw.randint(1, 9)}"
            is_break = draw.random() < 0.2
            inner = (
                f"<b>{talk}</b><div style='font-style:italic'>{speaker}, {room}</div>"
                if not is_break
                else "Coffee break"
            )
            paper.add(
                f"<div style='display:flex;padding:3pt 0;break-inside:avoid;{edge[look]}'>"
                f"<div style='width:92pt;flex:none'>{shown}</div><div>{inner}</div></div>"
            )
            texts = ("Coffee break",) if is_break else (talk, f"{speaker}, {room}")
            paper.text += [shown, *texts]
            paper.follow(shown, *texts, from_start=True, to_end=True)
    return paper


def make_book(draw: Random) -> Paper:
    """Make chapters with letterspaced titles, drop caps, running heads, footnotes and verses."""
    paper = Paper(draw)
    paper.dress()
    paper.head = draw.choice(("", f"{words.name(draw)} · {words.phrase(draw, 2, 3)}"))
    paper.text += [paper.head] if paper.head else []
    paper.foot = draw.choice(("#", "– # –"))
    spaced = draw.choice((0, 2, 4, 7))
    paper.css.append("h1{text-align:center;break-before:page} h1:first-of-type{break-before:auto}")
    paper.css.append(f"h1{{letter-spacing:{spaced}pt}} .i::first-letter{{float:left;font-size:3em;line-height:0.9}}")
    has_initials, indent = draw.random() < 0.5, draw.choice((0, 12, 18))
    for chapter in range(draw.randint(2, 3)):
        words_of_title = words.phrase(draw, 2, 3)
        paper.heading(1, words_of_title.upper() if draw.random() < 0.5 else words_of_title)
        paper.facts.append({"type": "regex", "pattern": rf"(?im)^#+ \W*{words_of_title}\W*$"})
        for place in range(draw.randint(4, 9)):
            text = words.paragraph(draw)
            if not place and has_initials:
                paper.add(f"<p class='i'>{text}</p>")
                paper.text.append(text)
                paper.facts.append({"type": "present", "text": text})
            else:
                paper.paragraph(text, style=f"text-indent:{indent}pt;margin:0")
        if draw.random() < 0.5:
            verses = [words.sentence(draw, 2, 2).rstrip(".") for _ in range(draw.choice((4, 8)))]
            paper.lines(verses, style="margin:8pt 0 8pt 60pt;font-style:italic")
        note = words.sentence(draw)
        paper.add("<div style='border-top:0.5pt solid #000;width:80pt;margin-top:12pt'></div>")
        paper.add(f"<p style='font-size:0.8em'><sup>{chapter + 1}</sup> {note}</p>")
        paper.text.append(f"{chapter + 1} {note}")
        paper.follow(str(chapter + 1), note, from_start=True, to_end=True)
    return paper
