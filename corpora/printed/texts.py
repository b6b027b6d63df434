"""Documents that mostly consist of text: reports, columns, manuals, slides, listings, right-to-left texts."""

import html
from random import Random

from corpora.printed import words
from corpora.printed.paper import Paper

_SIGNS = (
    ("an area of 14 m<sup>2</sup> in all", r"14 m(?:²|\^\{?2|<sup>2)"),
    ("a mass of 24.91<sup>3</sup> units", r"24\.91(?:³|\^\{?3|<sup>3)"),
    ("with H<sub>2</sub>O added", r"H(?:₂|_\{?2|<sub>2|2)O"),
    ("at \u221212.5 degrees", r"[-\u2212]12\.5"),
    ("about 3½ hours", r"3\s?½"),
    ("signed by Ján Mináč", "Ján Mináč"),
    ("10<sup>\u22123</sup> of it", r"10(?:⁻³|\^\{?[-\u2212]3|<sup>[-\u2212]3)"),
)


def make_report(draw: Random) -> Paper:
    paper = Paper(draw, programs=("chromium", "libreoffice"))
    paper.dress()
    title = words.phrase(draw, 3, 5)
    if draw.random() < 0.6:
        paper.head = draw.choice((f"{title} · {draw.choice(words.FIRMS)}", f"Report {draw.randint(100, 999)}", ""))
        paper.foot = draw.choice(("#", "Page # of @", f"Confidential · {words.date(draw)} · #", ""))
        kept = [part for part in (paper.head,) if part and part != title]
        paper.text += kept
    paper.heading(1, title)
    numbered = draw.random() < 0.4
    for section in range(draw.randint(2, 5)):
        number = f"{section + 1} " if numbered else ""
        paper.heading(2, f"{number}{words.phrase(draw, 2, draw.choice((3, 4, 12)))}")
        _write_section(paper, draw)
        for inner in range(draw.choice((0, 0, 2))):
            number = f"{section + 1}.{inner + 1} " if numbered else ""
            paper.heading(3, f"{number}{words.phrase(draw, 2, 3)}")
            _write_section(paper, draw)
    return paper


def _write_section(paper: Paper, draw: Random) -> None:
    for _ in range(draw.randint(1, 3)):
        if draw.random() < 0.3:
            sign, pattern = draw.choice(_SIGNS)
            before, after = words.sentence(draw).rstrip("."), words.sentence(draw)
            paper.add(f"<p>{before}, {sign}. {after}</p>")
            paper.text.append(f"{before}, {_strip_tags(sign)}. {after}")
            paper.facts.append({"type": "regex", "pattern": pattern})
        else:
            lead = words.phrase(draw, 1, 2) if draw.random() < 0.15 else ""
            text = words.paragraph(draw)
            style = draw.choice(("bold", "italic"))
            tag = "b" if style == "bold" else "i"
            paper.add(f"<p>{f'<{tag}>{lead}:</{tag}> ' if lead else ''}{html.escape(text)}</p>")
            paper.text.append(f"{lead}: {text}" if lead else text)
    if draw.random() < 0.35:
        inner = [words.phrase(draw, 2, 3) for _ in range(2)] if draw.random() < 0.4 else []
        texts = [draw.choice((words.phrase(draw, 2, 4), words.sentence(draw))) for _ in range(draw.randint(3, 6))]
        paper.items(texts, numbered=draw.random() < 0.4, inner=inner)


def _strip_tags(text: str) -> str:
    for tag in ("<sup>", "</sup>", "<sub>", "</sub>"):
        text = text.replace(tag, " " if "/" not in tag else "")
    return text


def make_article(draw: Random) -> Paper:
    """Make an article in two or three columns below a title and an abstract, with footnotes."""
    paper = Paper(draw)
    paper.dress()
    paper.css.append(f"body{{font-size:{min(paper.size, 10)}pt}}")
    centred = ";text-align:center" if draw.random() < 0.5 else ""
    title = f"{words.phrase(draw, 4, 6)} and the {words.phrase(draw, 4, 7).lower()}"
    paper.add(f"<h1 style='margin-top:0{centred}'>{title}</h1>")
    paper.text.append(title)
    paper.headings.append((1, title))
    paper.paragraph(f"{words.name(draw)} and {words.name(draw)}", style=f"font-style:italic{centred}")
    paper.paragraph(words.paragraph(draw), style="margin:0 24pt 10pt;font-size:0.92em")
    columns = draw.choice((2, 2, 3))
    paper.add(f"<div style='columns:{columns};column-gap:{draw.choice((14, 20, 28))}pt'>")
    numbered = draw.random() < 0.5
    for section in range(draw.randint(3, 6)):
        paper.heading(2, f"{section + 1}. {words.phrase(draw, 1, 3)}" if numbered else words.phrase(draw, 1, 3))
        for _ in range(draw.randint(2, 5)):
            before, after = words.sentence(draw), words.paragraph(draw)
            mark = draw.randint(1, 9)
            paper.add(
                f"<p>{before[:-1]}<sup>{mark}</sup>. {after}</p>" if draw.random() < 0.3 else f"<p>{before} {after}</p>"
            )
            paper.text.append(f"{before} {after}")
            paper.facts.append({"type": "order", "before": before, "after": after[:60]})
    paper.add("</div>")
    return paper


def make_manual(draw: Random) -> Paper:
    """Make a manual as programmers print it from a browser: code, lists, narrow tables."""
    paper = Paper(draw)
    paper.dress()
    paper.is_tagged = draw.random() < 0.6
    paper.heading(1, draw.choice(words.NOUNS) + draw.choice(("watch", "kit", "ctl", "db")))
    paper.paragraph(words.sentence(draw))
    for _ in range(draw.randint(2, 4)):
        paper.heading(
            2,
            draw.choice(("Install", "Configure", "Usage", "Options", "Steps", "Files"))
            + " "
            + draw.choice(words.NOUNS),
        )
        paper.paragraph(words.sentence(draw))
        shape = draw.choice(("code", "list", "table", "steps"))
        if shape == "code":
            tool = draw.choice(words.NOUNS)
            paper.code(
                draw.choice(
                    (
                        ["python -m venv env", ". env/bin/activate", f"pip install {tool}"],
                        [
                            f"[{tool}]",
                            'name = "Cardiff"',
                            f"every = {draw.randint(10, 900)}",
                            "retry:",
                            "  - 5",
                            "  - 25",
                        ],
                        [f"def {tool}(value):", "    if value is None:", "        return 0", "    return value * 2"],
                        [f"{tool} --all --since 2026-01-01", f"{tool} --list | sort", f"{tool} --help"],
                    )
                )
            )
        elif shape == "table":
            rows = [
                [(f"--{noun}", 1), (words.sentence(draw, 2, 3).rstrip("."), 1), (draw.choice(("none", "all", "5")), 1)]
                for noun in draw.sample(words.NOUNS, 4)
            ]
            paper.table(
                [[("Option", 1), ("Meaning", 1), ("Default", 1)]],
                rows,
                ruling=draw.choice(("grid", "rows", "stripes", "head", "none")),
                labels=9,
            )
        else:
            inner = [words.phrase(draw, 2, 3) for _ in range(2)] if draw.random() < 0.5 else []
            paper.items(
                [words.sentence(draw, 2, 3) for _ in range(draw.randint(3, 5))], numbered=shape == "steps", inner=inner
            )
    return paper


def make_slides(draw: Random) -> Paper:
    paper = Paper(draw, is_landscape=True)
    paper.dress()
    paper.css.append("body{font-size:20pt} h1{font-size:34pt;margin:0 0 20pt} section{break-after:page;padding:20pt}")
    paper.foot = draw.choice(("Quarterly review · #", "#", f"{draw.choice(words.FIRMS)} · #"))
    for _ in range(draw.randint(3, 7)):
        paper.add("<section>")
        paper.heading(1, words.phrase(draw, 2, 3))
        texts = [words.phrase(draw, 2, 4) for _ in range(draw.randint(2, 5))]
        paper.items(texts, inner=[words.phrase(draw, 2, 3) for _ in range(draw.choice((0, 2)))])
        paper.add("</section>")
    return paper


def make_listing(draw: Random) -> Paper:
    """Make a monospaced configuration file or log over several pages."""
    paper = Paper(draw)
    paper.dress()
    paper.is_tagged = False
    if draw.random() < 0.6:
        paper.heading(1, words.phrase(draw, 2, 3))
    texts = []
    style = draw.choice(("interfaces", "log", "plain"))
    for place in range(draw.choice((12, 40, 90))):
        if style == "interfaces":
            texts += [
                f"interface GigabitEthernet0/{place}",
                f" description {words.phrase(draw, 1, 2).lower()}",
                f" ip address 10.0.{place}.1 255.255.255.0",
                "!",
            ]
        elif style == "log":
            day = f"2026-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
            time = f"{draw.randint(10, 23)}:{draw.randint(10, 59)}"
            level = draw.choice(("INFO", "WARN"))
            texts.append(f"{day} {time} {level} {draw.choice(words.NOUNS)} {draw.randint(100, 999)}")
        else:
            texts.append(f"{draw.choice(words.NOUNS)}.{draw.choice(words.NOUNS)} = {draw.randint(1, 9999)}")
    joined = html.escape("\n".join(texts))
    paper.add(f"<pre style=\"font-family:'DejaVu Sans Mono';font-size:{draw.choice((8, 9, 10))}pt\">{joined}</pre>")
    paper.text += texts
    told = draw.sample([text for text in texts if text != "!"], 10)
    paper.facts += [{"type": "line", "text": text} for text in told]
    return paper


def make_columns_of_records(draw: Random) -> Paper:
    """Make keys and values next to each other, in one or two blocks without lines."""
    paper = Paper(draw)
    paper.dress()
    paper.heading(1, words.phrase(draw, 2, 3))
    for _ in range(draw.randint(1, 3)):
        paper.heading(2, words.phrase(draw, 1, 2))
        keys = draw.sample(words.NOUNS, draw.randint(3, 8))
        values = [draw.choice((words.date(draw), words.amount(draw), words.phrase(draw, 2, 3))) for _ in keys]
        colon = draw.choice((":", ""))
        rows = "".join(
            "<div style='display:flex'>"
            f"<div style='width:{draw.choice((90, 90, 90))}pt'>{key.capitalize()}{colon}</div><div>{value}</div></div>"
            for key, value in zip(keys, values, strict=True)
        )
        paper.add(f"<div style='margin-bottom:8pt'>{rows}</div>")
        paper.record([f"{key.capitalize()}{colon} {value}" for key, value in zip(keys, values, strict=True)])
        paper.paragraph(words.paragraph(draw))
    return paper


def make_right_to_left(draw: Random) -> Paper:
    language, pool = draw.choice((("ar", words.ARABIC), ("he", words.HEBREW)))
    paper = Paper(draw, language=language)
    paper.dress()
    paper.css.append("body{font-family:'DejaVu Sans';text-align:right}")
    paper.is_tagged = False

    def write(least: int, most: int) -> str:
        return " ".join(draw.choice(pool) for _ in range(draw.randint(least, most)))

    paper.add(f"<h1 style='text-align:right'>{(title := write(2, 4))}</h1>")
    paper.text.append(title)
    paper.headings.append((1, title))
    for _ in range(draw.randint(2, 6)):
        paper.paragraph(" ".join(f"{write(6, 14)}." for _ in range(3)))
    return paper
