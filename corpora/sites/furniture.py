"""Elements around the content of a page: menus, dialogs, sidebars, footers."""

from html import escape

from corpora.sites.page import Page


def finish(page: Page, title: str, main: str, *, head: str = "", body: str = "", site: str = "") -> None:
    """Build the document, with the content between other elements in one of several common layouts."""
    pick, word = page.draw.choice, page.words.label
    site = site or page.host.partition(".")[0].capitalize()
    top = _write_top(page, site)
    side = _write_side(page) if page.draw.random() < 0.5 else ""
    dialogs = _write_cookies(page) if page.draw.random() < 0.6 else ""
    foot = _write_foot(page)
    frame = pick(("main", "div", "nested", "grid"))
    if frame == "main":
        middle = f'<main id="content">{main}</main>{side}'
    elif frame == "div":
        middle = f'<div id="content"><div class="inner">{main}</div></div>{side}'
    elif frame == "nested":
        middle = f'<div{page.classed("page")}><div class="wrap"><div class="row"><div class="col-8">{main}</div>{side}</div></div></div>'
    else:
        middle = f'<div{page.classed("grid")}>{side}<div{page.classed("cell")} role="main">{main}</div></div>'
    crumbs = _write_crumbs(page) if page.draw.random() < 0.5 else ""
    skip = (
        f'<a class="skip-link" href="#content">{page.around("Skip to content")}</a>' if page.draw.random() < 0.4 else ""
    )
    share = _write_share(page) if page.draw.random() < 0.4 else ""
    page.html = (
        f'<!doctype html><html lang="{page.words.language}"><head><meta charset="utf-8"><title>{escape(title)}'
        f"{pick((' | ', ' - ', ' – '))}{site}</title>"
        f'<link rel="canonical" href="{page.url}">{head}<style>.a{{color:red}}</style></head><body{body}>'
        f"{skip}{top}{crumbs}{middle}{share}{foot}{dialogs}"
        f'<script>window.dataLayer=[];var t="{word("search")}";</script></body></html>'
    )


def _write_top(page: Page, site: str) -> str:
    word = page.words.label
    links = [page.words.title() for _ in range(page.draw.randint(3, 7))]
    menu = "".join(f'<li><a href="/{i}">{page.around(text)}</a></li>' for i, text in enumerate(links))
    enter = f'<a href="/login">{page.around(word("login"))}</a> <a href="/join">{page.around(word("register"))}</a>'
    search = f'<form action="/search"><input name="q" placeholder="{escape(word("search"))}"><button>{page.around(word("search"))}</button></form>'
    tag = page.draw.choice(("header", "div"))
    return f'<{tag}{page.classed("header")}><a class="logo" href="/"><img src="/logo.svg" alt="{site}"></a><nav><ul>{menu}</ul></nav>{search}{enter}</{tag}>'


def _write_crumbs(page: Page) -> str:
    links = [page.words.label("home"), page.words.title(), page.words.title()]
    if page.draw.random() < 0.5:
        steps = "".join(f'<li><a href="/c/{i}">{page.around(text)}</a></li>' for i, text in enumerate(links))
        return f'<nav aria-label="breadcrumb"><ol class="breadcrumb">{steps}</ol></nav>'
    steps = " » ".join(f'<a href="/c/{i}">{page.around(text)}</a>' for i, text in enumerate(links))
    return f"<div{page.classed('crumbs')}>{steps}</div>"


def _write_side(page: Page) -> str:
    word = page.words.label
    links = [page.words.heading() for _ in range(page.draw.randint(3, 8))]
    rows = "".join(f'<li><a href="/s/{i}">{page.around(text)}</a></li>' for i, text in enumerate(links))
    box = f'<div class="widget"><h3>{page.around(word("popular"))}</h3><ul>{rows}</ul></div>'
    if page.draw.random() < 0.6:
        box += (
            f'<div class="widget"><h3>{page.around(word("newsletter"))}</h3><form><input type="email">'
            f"<button>{page.around(word('register'))}</button></form></div>"
        )
    tag = page.draw.choice(("aside", "div"))
    return f"<{tag}{page.classed('sidebar')}>{box}</{tag}>"


def _write_foot(page: Page) -> str:
    word = page.words.label
    columns = "".join(
        f'<div class="col"><h4>{page.around(page.words.title())}</h4><ul>'
        + "".join(f'<li><a href="/f/{column}{i}">{page.around(page.words.title())}</a></li>' for i in range(4))
        + "</ul></div>"
        for column in range(page.draw.randint(0, 3))
    )
    legal = (
        f'<a href="/privacy">{page.around(word("privacy"))}</a> · <a href="/imprint">{page.around(word("imprint"))}</a>'
    )
    tag = page.draw.choice(("footer", "div"))
    name = f"© 2026 {page.words.title()}"
    return f"<{tag}{page.classed('footer')}>{columns}<p>{page.around(name)} {legal}</p></{tag}>"


def _write_cookies(page: Page) -> str:
    word = page.words.label
    box = page.draw.choice(("cookie-banner", "onetrust-banner-sdk", "cc-window", "consent"))
    return (
        f'<div id="{box}" class="{box}" role="dialog" aria-label="cookies"><p>{page.around(word("cookies"))}</p>'
        f"<button>{page.around(word('accept'))}</button><button>{page.around(word('reject'))}</button></div>"
    )


def _write_share(page: Page) -> str:
    names = page.draw.sample(("Facebook", "Mastodon", "WhatsApp", "LinkedIn", "Pinterest"), 3)
    rows = "".join(f'<li><a href="https://{name.lower()}.example/share">{page.around(name)}</a></li>' for name in names)
    return f'<div class="share-buttons"><span>{page.around(page.words.label("share"))}</span><ul>{rows}</ul></div>'
