"""Directories and tables of contents, with dot leaders to the right edge."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import Paper


def make_directory(draw: Random) -> Paper:
    """Make a directory of people with telephone numbers, in columns, under letters."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt;text-align:left}}")
    paper.heading(1, f"{words.phrase(draw, 1, 2)} directory")
    columns = draw.choice((1, 2, 2, 3))
    fill = draw.choice((".", " .", ""))
    paper.add(f"<div style='columns:{columns};column-gap:22pt'>")
    for letter in sorted(draw.sample([last[0] for last in words.LAST if last[0].isascii()], draw.randint(3, 6))):
        if letter not in {text for _, text in paper.headings}:
            paper.heading(2, letter)
        for _ in range(draw.randint(3, 9)):
            person = f"{letter}{draw.choice(words.NOUNS)[1:]}, {draw.choice(words.FIRST)}"
            lead(paper, person, f"{draw.randint(100, 999)} {draw.randint(1000, 9999)}", fill)
            if draw.random() < 0.15:
                paper.lines([words.phrase(draw, 1, 2).lower()], style="margin-left:10pt;font-size:0.9em")
    paper.add("</div>")
    return paper


def make_contents(draw: Random) -> Paper:
    """Make a table of contents of two levels, followed by the first chapters."""
    paper = Paper(draw)
    paper.dress()
    paper.foot = "#"
    paper.heading(1, f"{words.phrase(draw, 2, 3)} handbook")
    paper.heading(2, "Contents")
    fill, indent = draw.choice((".", " .", " .", "")), draw.choice((0, 12, 20))
    is_numbered = draw.random() < 0.7
    page = 1
    chapters = [words.phrase(draw, 2, 4) for _ in range(draw.randint(4, 8))]
    for place, chapter in enumerate(chapters):
        page += draw.randint(1, 9)
        lead(paper, f"{place + 1} {chapter}" if is_numbered else chapter, str(page), fill, weight="bold")
        for inner in range(draw.randint(0, 4)):
            page += draw.randint(0, 4)
            title = words.phrase(draw, 2, draw.choice((3, 3, 9)))
            shown = f"{place + 1}.{inner + 1} {title}" if is_numbered else title
            lead(paper, shown, str(page), fill, left_by=indent)
    paper.add("<div style='break-after:page'></div>")
    for place, chapter in enumerate(chapters[:2]):
        paper.heading(2, f"{place + 1} {chapter}" if is_numbered else chapter)
        for _ in range(draw.randint(2, 4)):
            paper.paragraph(words.paragraph(draw))
    paper.facts.append({"type": "notable"})
    return paper


def lead(paper: Paper, left: str, right: str, fill: str, *, weight: str = "normal", left_by: int = 0) -> None:
    """Write a line with a leader. fill: text repeated between both ends. left_by: indentation in points."""
    dots = html.escape(fill * 200)
    paper.add(
        f"<div style='display:flex;font-weight:{weight};margin-left:{left_by}pt'><span>{html.escape(left)} </span>"
        f"<span style='flex:1;min-width:12pt;overflow:hidden;white-space:nowrap;height:1.1em'>{dots}</span>"
        f"<span style='padding-left:3pt;white-space:nowrap'>{html.escape(right)}</span></div>"
    )
    paper.text.append(f"{left} {right}")
    paper.follow(left, right, from_start=True, to_end=True)
