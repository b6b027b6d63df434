"""Pages of companies and public offices: pricing plans, questions, contact details and opening hours, facts."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page
from corpora.sites.words import DAYS


def make_pricing(draw: Random) -> Page:
    page = Page("pricing", draw)
    title = page.words.heading()
    plans = []
    for number in range(draw.randint(2, 4)):
        name, price = page.words.title(), page.words.price()
        page.fact("price", price)
        features = "".join(
            f'<li><svg class="check"></svg><span>{page.item(0, page.words.sentence())}</span></li>'
            for _ in range(draw.randint(2, 5))
        )
        plans.append(
            f'<div{page.classed("plan")}>{page.heading(3, name)}<div class="amount"><span class="value">{escape(price)}</span><span class="period">/ month</span></div><p>{page.says(page.words.sentence())}</p><ul>{features}</ul><a class="button" href="/buy/{number}">{page.around("Start now")}</a></div>'
        )
    heads = ["Feature", "Small", "Large"]
    rows = [[page.words.title(), draw.choice(("10", "25")), draw.choice(("100", "250"))] for _ in range(4)]
    finish(
        page,
        title,
        f'<section class="hero">{page.heading(1, title)}<p>{page.says(page.words.sentence())}</p></section><section class="plans">{"".join(plans)}</section><section>{page.heading(2, page.words.heading())}{page.table(heads, rows)}</section>',
    )
    return page


def make_questions_answered(draw: Random) -> Page:
    """Make questions and answers in an accordion: details, buttons, or definition lists with microdata."""
    page = Page("faq", draw)
    title, manner = page.words.heading(), draw.choice(("details", "button", "dl", "headings"))
    rows = []
    for number in range(draw.randint(4, 9)):
        asked = page.words.heading() + "?"
        question, answer = page.says(asked), page.says(page.words.paragraph(1, 3))
        if manner in ("button", "headings"):
            page.truth.headings.append(asked)
        if manner == "details":
            rows.append(f"<details><summary>{question}</summary><div><p>{answer}</p></div></details>")
        elif manner == "button":
            rows.append(
                f'<div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button collapsed" type="button" aria-expanded="false" aria-controls="c{number}">{question}</button></h3><div id="c{number}" class="accordion-collapse collapse"><div class="accordion-body">{answer}</div></div></div>'
            )
        elif manner == "dl":
            rows.append(f"<dt>{question}</dt><dd>{answer}</dd>")
        else:
            rows.append(
                f'<div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><h3 itemprop="name">{question}</h3><div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><div itemprop="text">{answer}</div></div></div>'
            )
    inside = "".join(rows)
    finish(
        page,
        title,
        f'{page.heading(1, title)}<div class="accordion">{f"<dl>{inside}</dl>" if manner == "dl" else inside}</div>',
    )
    return page


def make_contact(draw: Random) -> Page:
    page = Page("contact", draw)
    title, word = page.words.heading(), page.words.label
    phone = f"+44 20 7946 {draw.randint(1000, 9999)}"
    page.fact("phone", word("phone"), phone)
    street, town = f"Mill Lane {draw.randint(1, 99)}", draw.choice(("YO1 7HH York", "50667 Köln", "69001 Lyon"))
    for line in (street, town):
        page.fact("address", line)
    manner, days = draw.choice(("table", "list", "divs", "dl")), []
    for day in DAYS[page.words.language]:
        hours = word("closed") if draw.random() < 0.2 else f"{draw.randint(7, 10)}:00 – {draw.randint(16, 20)}:30"
        page.fact("hours", day, hours)
        days.append((day, hours))
    if manner == "table":
        opened = f'<table class="hours">{"".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in days)}</table>'
    elif manner == "list":
        opened = f'<ul class="hours">{"".join(f"<li><span>{a}</span><span>{b}</span></li>" for a, b in days)}</ul>'
    elif manner == "divs":
        opened = "".join(
            f'<div class="day"><div class="name">{a}</div><div class="time">{b}</div></div>' for a, b in days
        )
    else:
        opened = f"<dl>{''.join(f'<dt>{a}</dt><dd>{b}</dd>' for a, b in days)}</dl>"
    form = f"<form><label>{page.around('Your message')}</label><textarea></textarea><button>{page.around('Send')}</button></form>"
    label = draw.choice((f"<strong>{word('phone')}</strong> ", f"{word('phone')}: ", f"<span>{word('phone')}</span>"))
    main = f'{page.heading(1, title)}<p>{page.says(page.words.paragraph())}</p><div class="row"><div class="col"><address>{street}<br>{town}</address><p>{label}<a href="tel:{phone.replace(" ", "")}">{phone}</a></p></div><div class="col">{page.heading(2, word("hours"))}{opened}</div></div>{form}'
    finish(page, title, main)
    return page


def make_profile(draw: Random) -> Page:
    """Make facts in pairs of boxes, figures above the names of what they count, and cards of people."""
    page = Page("profile", draw)
    title = page.words.heading()
    figures = []
    for _ in range(draw.randint(3, 5)):
        figure, what = str(draw.randint(1000, 9999)), page.words.title()
        page.fact("figure", figure, what)
        figures.append(
            f'<div class="stat"><div class="stat__number">{figure}</div><div class="stat__label">{what}</div></div>'
        )
    people = []
    for number in range(draw.randint(2, 5)):
        name, role = page.words.name(), page.words.title()
        page.truth.content.extend((name, role))
        people.append(
            f'<li class="person"><img src="/p/{number}.jpg" alt="{name}"><h3>{name}</h3><p class="role">{role}</p><a href="mailto:x{number}@firm.example">x{number}@firm.example</a></li>'
        )
        page.truth.headings.append(name)
    main = f'{page.heading(1, title)}{page.paragraphs()}<div class="stats">{"".join(figures)}</div>{page.heading(2, page.words.heading())}<ul class="people">{"".join(people)}</ul>'
    finish(page, title, main)
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "pricing": make_pricing,
    "faq": make_questions_answered,
    "contact": make_contact,
    "profile": make_profile,
}
