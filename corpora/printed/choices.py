"""Forms with form fields for choices.

Radio buttons and boxes before or after their labels, questions with one scale as a table, drop-down lists, and text of
several lines.
"""

import html
import re
from collections.abc import Callable
from random import Random
from urllib.parse import quote

from corpora.printed import words
from corpora.printed.paper import Paper

_CHOSEN = r"(?:\[[xX]\]|☒|☑|\(x\)|◉)"
_OPEN = r"(?:\[ ?\]|☐|\( ?\)|○)"
_SCALES = (("Never", "Sometimes", "Often"), ("Agree", "Neutral", "Disagree"), ("Poor", "Fair", "Good", "Excellent"))


def make_choices(draw: Random) -> Paper:
    paper = Paper(draw)
    paper.dress()
    paper.css.append("p{text-align:left} .box{display:inline-block;width:8pt;height:8pt;border:0.7pt solid #000}")
    paper.has_fields = draw.random() < 0.6
    paper.is_tagged = not paper.has_fields
    paper.heading(1, f"Questions on the {words.phrase(draw, 1, 2).lower()}")
    paper.add("<form>")
    writers: list[Callable[[Paper, int], None]] = [
        _write_stacked, _write_across, _write_behind, _write_behind, _write_yes_or_no, _write_scale, _write_list,
        _write_text,
    ]  # fmt: skip
    for number, write in enumerate(draw.sample(writers, draw.randint(4, 6)), 1):
        write(paper, number)
    paper.add("</form>")
    return paper


def _ask(paper: Paper, number: int) -> None:
    question = f"{number}. Which {words.phrase(paper.draw, 1, 2).lower()} do you use?"
    paper.paragraph(question)
    paper.follow(question, from_start=True)


def _draw_options(draw: Random) -> list[tuple[str, bool]]:
    options = draw.sample(words.NOUNS, draw.randint(2, 4))
    chosen = draw.randrange(len(options))
    return [
        (f"{draw.choice(words.ADJECTIVES).capitalize()} {option}", at == chosen) for at, option in enumerate(options)
    ]


def _make_button(paper: Paper, name: str, at: int, *, is_radio: bool, is_chosen: bool) -> str:
    kind, group = ("radio", name) if is_radio else ("checkbox", f"{name}-{at}")
    if paper.has_fields:
        return f"<a class=box href='field:{kind}/{group}/{at}/{'on' if is_chosen else 'off'}'></a>"
    return f"<input type={kind} name='{group}' value='{at}'{' checked' if is_chosen else ''}>"


def _state(paper: Paper, option: str, is_chosen: bool) -> None:
    inner = r"\W+".join(map(re.escape, option.split()))
    paper.text.append(f"{'[x] ' if is_chosen else ''}{option}")
    paper.facts.append({"type": "regex", "pattern": rf"{_CHOSEN if is_chosen else _OPEN} {inner}"})


def _write_options(paper: Paper, number: int, joint: str, *, is_behind: bool = False) -> None:
    draw = paper.draw
    is_radio = draw.random() < 0.6
    _ask(paper, number)
    parts = []
    for at, (option, is_chosen) in enumerate(_draw_options(draw)):
        button = _make_button(paper, f"q{number}", at, is_radio=is_radio, is_chosen=is_chosen)
        parts.append(f"{option} {button}" if is_behind else f"{button} {option}")
        _state(paper, option, is_chosen)
    paper.add(f"<p>{joint.join(parts)}</p>")


def _write_stacked(paper: Paper, number: int) -> None:
    _write_options(paper, number, "<br>")


def _write_across(paper: Paper, number: int) -> None:
    _write_options(paper, number, " &nbsp; &nbsp; ")


def _write_behind(paper: Paper, number: int) -> None:
    """Write adjacent boxes that follow their labels."""
    _write_options(paper, number, paper.draw.choice((" &nbsp; &nbsp; &nbsp; ", " &nbsp; ", "<br>")), is_behind=True)


def _write_yes_or_no(paper: Paper, number: int) -> None:
    """Write a question and its answer on one line."""
    draw = paper.draw
    rows = []
    is_behind = draw.random() < 0.5
    for place in range(draw.randint(2, 4)):
        question = f"{number}.{place + 1} Is there a {words.phrase(draw, 1, 2).lower()}?"
        is_yes = draw.random() < 0.5
        buttons = [
            _make_button(paper, f"q{number}-{place}", at, is_radio=True, is_chosen=is_yes == (not at)) for at in (0, 1)
        ]
        pairs = [f"{word} {button}" if is_behind else f"{button} {word}"
                 for word, button in zip(("Yes", "No"), buttons, strict=True)]  # fmt: skip
        rows.append(f"<tr><td style='padding:2pt 14pt 2pt 0'>{question}</td><td>{' &nbsp; '.join(pairs)}</td></tr>")
        paper.text.append(f"{question} {'[x] Yes No' if is_yes else 'Yes [x] No'}")
        marks = (_CHOSEN, _OPEN) if is_yes else (_OPEN, _CHOSEN)
        words_of = r"\W+".join(map(re.escape, re.findall(r"\w+", question)))
        paper.facts.append(
            {"type": "regex", "pattern": rf"{words_of}[^\w\[\]☐☒☑]+{marks[0]} Yes[^\w\[\]]+{marks[1]} No"}
        )
    paper.add(f"<table>{''.join(rows)}</table>")


def _write_scale(paper: Paper, number: int) -> None:
    """Write a table of questions by answers, with a button in each cell."""
    draw = paper.draw
    scale = draw.choice(_SCALES)
    head = "".join(f"<th style='padding:2pt 9pt'>{answer}</th>" for answer in scale)
    cells = [["", *scale]]
    rows = []
    for place in range(draw.randint(2, 4)):
        label = words.phrase(draw, 1, 3)
        chosen = draw.randrange(len(scale))
        buttons = [
            _make_button(paper, f"q{number}-{place}", at, is_radio=True, is_chosen=at == chosen)
            for at in range(len(scale))
        ]
        inner = "".join(f"<td align=center>{button}</td>" for button in buttons)
        rows.append(f"<tr><td style='padding:2pt 9pt 2pt 0'>{label}</td>{inner}</tr>")
        cells.append([label, *("[x]" if at == chosen else "[ ]" for at in range(len(scale)))])
        paper.facts.append({"type": "table", "cell": "[x]", "top_heading": scale[chosen], "left_heading": label})
    look = draw.choice(("", "border=1 cellspacing=0"))
    paper.add(f"<table {look}><tr><th></th>{head}</tr>{''.join(rows)}</table>")
    paper.tables.append(cells)
    paper.text += [" ".join(row).replace("[ ]", "") for row in cells]


def _write_list(paper: Paper, number: int) -> None:
    """Write a drop-down list, which has one visible line."""
    draw = paper.draw
    label, options = words.phrase(draw, 1, 2), draw.sample(words.COUNTRIES, 3)
    chosen = draw.choice(options)
    if paper.has_fields:
        value = "|".join(f"{'*' if option == chosen else ''}{option}" for option in options)
        field = _make_field("list", f"l{number}", value, 14)
    else:
        inner = "".join(f"<option{' selected' if option == chosen else ''}>{option}</option>" for option in options)
        field = f"<select name='l{number}'>{inner}</select>"
    paper.add(f"<p>{label}: {field}</p>")
    paper.text.append(f"{label}: {chosen}")
    paper.follow(label, chosen, from_start=True, to_end=True)


def _write_text(paper: Paper, number: int) -> None:
    draw = paper.draw
    label, lines = words.phrase(draw, 1, 2), [words.phrase(draw, 2, 3) for _ in range(2)]
    if paper.has_fields:
        field = _make_field("text", f"a{number}", r"\n".join(lines), 40)
    else:
        shown = "\n".join(html.escape(line) for line in lines)
        field = f"<textarea name='a{number}' rows=3 cols=40>{shown}</textarea>"
    paper.add(f"<p>{label}:</p><p>{field}</p>")
    paper.text += [f"{label}:", *lines]
    paper.facts += [{"type": "line", "text": line} for line in lines]


def _make_field(kind: str, name: str, value: str, height: int) -> str:
    """Return a field. height: height in points."""
    look = f"width:160pt;height:{height}pt;vertical-align:middle"
    return f"<a class=box style='{look}' href='field:{kind}/{name}/{quote(value)}/on'></a>"
