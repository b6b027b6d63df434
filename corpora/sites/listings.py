"""Pages of rows and cards: indexes, jobs, houses, search results, tables, archives, galleries."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def _write_pager(page: Page) -> str:
    word = page.words.label
    return f'<nav class="pagination"><span class="current">1</span><a href="?p=2">2</a><a href="?p=2">{page.around(word("next"))} »</a></nav>'


def make_news_index(draw: Random) -> Page:
    page = Page("news-index", draw)
    title, word = page.words.title(), page.words.label
    cards = []
    for number in range(draw.randint(6, 14)):
        name, day, by = page.words.heading(), page.words.day(), page.words.name()
        teaser = page.words.sentence()
        page.truth.headings.append(name)
        more = f'<a class="more" href="/n/{number}">{page.around(word("read_more"))}</a>' if draw.random() < 0.5 else ""
        cards.append(
            f'<article class="teaser"><a href="/n/{number}" class="teaser__image"><picture><img src="/t/{number}.jpg" alt=""></picture></a><div class="teaser__body"><h2 class="teaser__title"><a href="/n/{number}">{page.says(name)}</a></h2><p class="teaser__text">{page.says(teaser)}</p><div class="teaser__meta"><span>{page.says(by)}</span><time datetime="{day.iso}">{page.says(day.text)}</time></div>{more}</div></article>'
        )
    finish(page, title, f'{page.heading(1, title)}<div class="teasers">{"".join(cards)}</div>{_write_pager(page)}')
    return page


def make_jobs(draw: Random) -> Page:
    page = Page("jobs", draw)
    title = page.words.heading()
    rows = []
    for number in range(draw.randint(5, 12)):
        name, firm, pay = page.words.title(), page.words.name(), page.words.price()
        place = draw.choice(("Leeds", "Köln", "Lyon", "Bergen"))
        for fact in (name, firm, pay, place):
            page.says(fact)
        rows.append(
            f'<li class="job-card" data-id="{number}"><div class="job-card__logo"><img src="/l/{number}.png" alt="logo"></div><div><h3 class="job-card__title"><a href="/job/{number}">{name}</a></h3><div class="job-card__company">{firm}</div><ul class="job-card__facts"><li><svg></svg>{place}</li><li><svg></svg>{pay}</li></ul></div><button aria-label="save">{page.around("Save")}</button></li>'
        )
        page.truth.headings.append(name)
    filters = "".join(
        f'<li><label><input type="checkbox"> {page.around(page.words.title())}</label></li>' for _ in range(6)
    )
    main = f'{page.heading(1, title)}<div class="filters"><form><h4>{page.around("Filter")}</h4><ul>{filters}</ul></form></div><ul class="job-list">{"".join(rows)}</ul>{_write_pager(page)}'
    finish(page, title, main)
    return page


def make_houses(draw: Random) -> Page:
    page = Page("houses", draw)
    title = page.words.heading()
    cards = []
    for number in range(draw.randint(5, 10)):
        name, price, rooms, area = (
            page.words.heading(),
            page.words.price(),
            f"{draw.randint(1, 7)}",
            f"{draw.randint(30, 240)} m²",
        )
        for text in (name, price, area):
            page.says(text)
        page.fact("rooms", "Rooms", rooms)
        cards.append(
            f'<div{page.classed("card")}><a href="/expose/{number}"><div class="gallery"><img src="/h/{number}.jpg" alt=""></div><div class="info"><div class="headline">{escape(name)}</div><div class="criteria"><div class="criterion"><div class="v">{escape(price)}</div></div><div class="criterion"><div class="v">{area}</div></div><div class="criterion"><div class="l">Rooms</div><div class="v">{rooms}</div></div></div></div></a></div>'
        )
    finish(page, title, f'{page.heading(1, title)}<div class="results">{"".join(cards)}</div>{_write_pager(page)}')
    return page


def make_results(draw: Random) -> Page:
    page = Page("results", draw)
    title = page.words.title()
    names = [page.words.heading() for _ in range(draw.randint(6, 10))]
    page.truth.headings += names
    rows = "".join(
        f'<div class="g"><div class="url"><cite>https://{draw.choice("abc")}.example › {number}</cite></div><h3><a href="https://x{number}.example/">{page.says(name)}</a></h3><div class="snippet"><span class="date">{page.says(page.words.day().text)}</span> — {page.says(page.words.sentence())}</div></div>'
        for number, name in enumerate(names)
    )
    related = "".join(f'<li><a href="?q={i}">{page.around(page.words.title())}</a></li>' for i in range(4))
    finish(
        page,
        title,
        f'<div id="res"><div class="stats">{page.around("About 12,300 results")}</div>{rows}</div><div class="related-searches"><h4>{page.around("Related searches")}</h4><ul>{related}</ul></div>',
    )
    return page


def make_directory(draw: Random) -> Page:
    """Make a table whose headers are links for sorting."""
    page = Page("directory", draw)
    title = page.words.heading()
    heads = ["Name", "Town", "Members", "Fee"]
    rows = [
        [page.words.title(), draw.choice(("Leeds", "Köln", "Lyon")), str(draw.randint(100, 999)), page.words.price()]
        for _ in range(draw.randint(6, 15))
    ]
    for row in rows:
        page.row(heads, row)
    head = "".join(f'<th><a href="?sort={name}">{name}</a> <i class="fa fa-sort"></i></th>' for name in heads)
    body = "".join(
        f'<tr><td><a href="/d/{i}">{escape(row[0])}</a></td>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for i, row in enumerate(rows)
    )
    main = f'{page.heading(1, title)}<p>{page.says(page.words.sentence())}</p><div class="table-responsive"><table class="table sortable"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{_write_pager(page)}'
    finish(page, title, main)
    return page


def make_board_index(draw: Random) -> Page:
    """Make the threads of a forum with name, author, date and number of replies."""
    page = Page("board-index", draw)
    title, word = page.words.title(), page.words.label
    rows = []
    for number in range(draw.randint(6, 14)):
        name, user, day, count = (
            page.words.heading(),
            page.words.user(),
            page.words.day(),
            str(draw.randint(1000, 9999)),
        )
        for text in (name, user, day.text):
            page.says(text)
        page.fact("replies", word("answers"), count)
        rows.append(
            f'<div class="structItem structItem--thread"><div class="structItem-cell structItem-cell--icon"><a href="/u" class="avatar"><img src="a.jpg" alt="{user}"></a></div><div class="structItem-cell structItem-cell--main"><div class="structItem-title"><a href="/threads/{number}/">{escape(name)}</a></div><div class="structItem-minor"><ul class="structItem-parts"><li><a href="/u" class="username">{escape(user)}</a></li><li><time class="u-dt" datetime="{day.iso}">{day.text}</time></li></ul></div></div><div class="structItem-cell structItem-cell--meta"><dl class="pairs pairs--justified"><dt>{word("answers")}</dt><dd>{count}</dd></dl></div></div>'
        )
    finish(
        page,
        title,
        f'{page.heading(1, title)}<div class="structItemContainer">{"".join(rows)}</div>{_write_pager(page)}',
    )
    return page


def make_archive(draw: Random) -> Page:
    """Make an archive of posts by month."""
    page = Page("archive", draw)
    title = page.words.heading()
    months = []
    for month in range(draw.randint(2, 4)):
        name = f"{page.words.day().text.replace(',', '')} {month}"
        rows = []
        for number in range(draw.randint(3, 8)):
            post, day = page.words.heading(), page.words.day()
            page.fact("post and day", post, day.text)
            rows.append(
                f'<li><time datetime="{day.iso}">{day.text}</time> <a href="/{month}/{number}">{escape(post)}</a></li>'
            )
        months.append(f'{page.heading(2, name)}<ul class="post-list">{"".join(rows)}</ul>')
    finish(page, title, page.heading(1, title) + "".join(months))
    return page


def make_shelf(draw: Random) -> Page:
    """Make a collection of products."""
    page = Page("shelf", draw)
    title, word = page.words.title(), page.words.label
    cards = []
    for number in range(draw.randint(6, 16)):
        name, price = page.words.title(), page.words.price()
        page.says(name)
        page.fact("price", price)
        cards.append(
            f'<li class="grid__item"><div class="card"><a href="/products/{number}"><img src="/g/{number}.jpg" alt="{name}"></a><div class="card__info"><h3 class="card__heading"><a href="/products/{number}">{name}</a></h3><div class="price"><span class="visually-hidden">{page.around("Regular price")}</span><span>{escape(price)}</span></div></div><button>{page.around(word("cart"))}</button></div></li>'
        )
    sort = f'<div class="sort"><label>{page.around("Sort by")}</label><select><option>{page.around("Featured")}</option></select></div>'
    finish(
        page,
        title,
        f'{page.heading(1, title)}<p>{page.says(page.words.paragraph())}</p>{sort}<ul class="product-grid">{"".join(cards)}</ul>{_write_pager(page)}',
    )
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "news-index": make_news_index,
    "jobs": make_jobs,
    "houses": make_houses,
    "results": make_results,
    "directory": make_directory,
    "board-index": make_board_index,
    "archive": make_archive,
    "shelf": make_shelf,
}
