"""Pages of software that is not used for training: threads, offers and guides, for the evaluation of rules."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def make_lemmy(draw: Random) -> Page:
    page = Page("lemmy", draw)
    title, word = page.words.heading(), page.words.label
    rows = []
    for number, user in enumerate(page.words.users(draw.randint(3, 7))):
        day, text = page.words.day(), page.words.paragraph(1, 3)
        page.post(user, day.text, text)
        rows.append(
            f'<li class="comment list-unstyled"><article id="comment-{number}" class="details comment-node py-2"><div class="ms-2"><div class="d-flex flex-wrap align-items-center text-muted small"><button class="btn btn-sm" aria-label="Collapse">-</button><span class="person-listing"><a class="person-listing d-inline-flex align-items-baseline text-info" href="/u/{user}"><span>{escape(user)}</span></a></span><span class="me-1 badge">{page.around(word("member"))}</span><span class="moment-time pointer unselectable" data-tippy-content="{day.iso}">{day.text}</span></div><div class="comment-content"><div class="md-div"><p>{escape(text)}</p></div></div><div class="comment-bottom-btns text-muted fw-bold"><button class="btn btn-link">{page.around(word("reply"))}</button><button class="btn btn-link">{page.around(word("report"))}</button></div></div></article></li>'
        )
    user, day = page.words.user(), page.words.day()
    text = page.words.paragraph(1, 3)
    page.post(user, day.text, text)
    page.truth.headings.append(title)
    post = f'<div class="post-listing"><div class="row"><div class="col"><h1 class="h4 d-inline text-break"><a href="https://elsewhere.example/">{page.says(title)}</a></h1><div class="small mb-1"><a class="person-listing" href="/u/{user}"><span>{escape(user)}</span></a> · <span class="moment-time">{day.text}</span></div></div></div><article id="postContent" class="col-12 card my-2 p-2"><div class="md-div"><p>{escape(text)}</p></div></article></div>'
    finish(page, title, f'{post}<ul class="comments">{"".join(rows)}</ul>')
    return page


def make_mastodon(draw: Random) -> Page:
    page = Page("mastodon", draw)
    rows = []
    for number, user in enumerate(page.words.users(draw.randint(2, 6))):
        day, text, name = page.words.day(hour=True), page.words.paragraph(1, 2), page.words.name()
        page.post(user, day.text, text)
        page.says(name)
        rows.append(
            f'<div class="status__wrapper status__wrapper-public" tabindex="0"><div class="status status-public" data-id="{number}"><div class="status__info"><a href="/@{user}/{number}" class="status__relative-time"><time datetime="{day.iso}" title="{day.iso}">{day.text}</time></a><a href="/@{user}" class="status__display-name"><div class="status__avatar"><div class="account__avatar"><img src="/a/{number}.png" alt=""></div></div><span class="display-name"><bdi><strong class="display-name__html">{escape(name)}</strong></bdi> <span class="display-name__account">@{escape(user)}</span></span></a></div><div class="status__content status__content--with-action"><div class="status__content__text status__content__text--visible translate" lang="{page.words.language}"><p>{escape(text)}</p></div></div><div class="status__action-bar"><button class="status__action-bar__button icon-button"><span class="icon-button__counter">{page.around(str(draw.randint(1000, 9999)))}</span></button><button class="icon-button">{page.around(page.words.label("share"))}</button></div></div></div>'
        )
    finish(
        page,
        page.words.heading(),
        f'<div class="scrollable"><div class="item-list" role="feed">{"".join(rows)}</div></div>',
    )
    return page


def make_question2answer(draw: Random) -> Page:
    page = Page("question2answer", draw)
    title, word = page.words.heading(), page.words.label
    rows = []
    for number, user in enumerate(page.words.users(draw.randint(3, 4))):
        day, text = page.words.day(), page.words.paragraph(2, 4)
        page.truth.content.extend((user, day.text, text))  # below the text, unlike in other posts
        what = "a" if number else "q"
        meta = f'<span class="qa-{what}-item-meta"><a href="#{number}" class="qa-{what}-item-what">answered</a> <span class="qa-{what}-item-when"><span class="qa-{what}-item-when-data"><time itemprop="dateCreated" datetime="{day.iso}">{day.text}</time></span></span> <span class="qa-{what}-item-who"><span class="qa-{what}-item-who-pad">{page.words.label("by")} </span><span class="qa-{what}-item-who-data"><a href="/user/{user}" class="qa-user-link">{escape(user)}</a></span><span class="qa-{what}-item-who-points"> (<span class="qa-{what}-item-who-points-data">1,240</span> points)</span></span></span>'
        body = f'<div class="qa-{what}-item-content qa-post-content"><div class="entry-content"><p>{escape(text)}</p></div></div>'
        votes = f'<div class="qa-voting qa-voting-net"><div class="qa-vote-count"><span class="qa-netvote-count-data">+{draw.randint(1, 9)}</span> <span class="qa-netvote-count-pad">{page.around("votes")}</span></div></div>'
        buttons = f'<div class="qa-{what}-item-buttons"><input type="submit" value="{escape(word("reply"))}"></div>'
        inside = f'{votes}<div class="qa-{what}-item-main">{body}{meta}{buttons}</div>'
        rows.append(
            f'<div class="qa-{what}-list-item hentry" id="{what}{number}">{inside}</div>'
            if number
            else f'<div class="qa-part-q-view"><div class="qa-q-view hentry question" id="q1">{inside}</div></div>'
        )
    answers = f'<div class="qa-part-a-list"><h2 id="a_list_title">{page.says(f"{len(rows) - 1} " + word("answers"))}</h2><div class="qa-a-list">{"".join(rows[1:])}</div></div>'
    page.truth.headings += [title, f"{len(rows) - 1} " + word("answers")]
    finish(
        page,
        title,
        f'<div class="qa-main"><div class="qa-main-heading"><h1><a href="/1/x"><span itemprop="name">{page.says(title)}</span></a></h1></div>{rows[0]}{answers}</div>',
    )
    return page


def make_event(draw: Random) -> Page:
    page = Page("event", draw)
    title, word = page.words.heading(), page.words.label
    day, price, place, host = page.words.day(hour=True), page.words.price(), page.words.title(), page.words.name()
    for kind, text in (("day", day.text), ("price", price), ("place", place), ("host", host)):
        page.fact(kind, text)
    agenda = []
    for hour in range(9, 9 + draw.randint(3, 5)):
        what = page.words.title()
        page.fact("agenda", f"{hour}:00", what)
        agenda.append(
            f'<div class="agenda-item"><div class="agenda-item__time">{hour}:00</div><div class="agenda-item__title">{what}</div></div>'
        )
    main = f'<div class="event-hero"><picture><img src="/e.jpg" alt=""></picture></div><div class="event-details"><div class="event-details__main"><time datetime="{day.iso}" class="start-date">{day.text}</time>{page.heading(1, title, " class=event-title")}<p class="summary">{page.says(page.words.sentence())}</p><div class="descriptive-organizer-info"><div class="organizer-name">By <a href="/o/1">{escape(host)}</a></div><button>{page.around("Follow")}</button></div><section aria-label="Date and time">{page.heading(2, "Date and time")}<div class="date-info"><span class="date-info__full-datetime">{day.text}</span></div></section><section aria-label="Location">{page.heading(2, "Location")}<div class="location-info"><div class="location-info__address"><p class="location-info__address-text">{escape(place)}</p>{page.says("4 Quay Street Leeds")}<button>{page.around("Show map")}</button></div></div></section><section>{page.heading(2, "About this event")}<div class="event-description__content">{page.paragraphs()}</div></section><section>{page.heading(2, "Agenda")}{"".join(agenda)}</section></div><div class="event-details__aside"><div class="conversion-bar"><div class="conversion-bar__panel-info">{escape(price)}</div><button>{page.around(word("cart"))}</button></div></div></div>'
    finish(page, title, main)
    return page


def make_job(draw: Random) -> Page:
    page = Page("job", draw)
    title, word = page.words.title(), page.words.label
    pairs = [
        (word("salary"), page.words.price()),
        (word("place"), draw.choice(("Leeds", "Köln", "Lyon"))),
        ("Contract", draw.choice(("Permanent", "Two years"))),
        ("Closing date", page.words.day().text),
    ]
    fields = []
    for number, (label, value) in enumerate(pairs):
        page.fact("field", label, value)
        fields.append(
            f'<div class="field field--name-field-job-{number} field--type-string field--label-{draw.choice(("inline", "above"))} clearfix"><div class="field__label">{escape(label)}</div><div class="field__item">{escape(value)}</div></div>'
        )
    lists = "".join(
        f"{page.heading(3, page.words.heading())}<ul>{''.join(f'<li>{page.item(0, page.words.sentence())}</li>' for _ in range(3))}</ul>"
        for _ in range(2)
    )
    main = f'<div id="block-page-title" class="block block-core block-page-title-block">{page.heading(1, title, " class=page-header", "<span>{}</span>")}</div><div class="region region-content"><article data-history-node-id="9" class="node node--type-job node--view-mode-full"><div class="node__content">{"".join(fields)}<div class="clearfix text-formatted field field--name-body field--type-text-with-summary field--label-hidden field__item">{page.paragraphs()}{lists}</div></div></article></div>'
    finish(page, title, main)
    return page


def make_stay(draw: Random) -> Page:
    """Make a guest house page with generated class names."""
    page = Page("stay", draw)
    title, k = page.words.heading(), [f"_{draw.randrange(36**6):06x}" for _ in range(12)]
    overview: list[str] = []
    for what in ("guests", "bedrooms", "beds", "baths"):
        figure = f"{draw.randint(2, 9)} {what}"
        page.fact("figure", figure)
        dot = f'<span class="{k[2]}"> · </span>' if overview else ""
        overview.append(f'<li class="{k[1]}">{dot}<span>{figure}</span></li>')
    offers = "".join(
        f'<div class="{k[3]}"><div class="{k[4]}"><div>{page.says(page.words.title())}</div><svg></svg></div></div>'
        for _ in range(5)
    )
    ratings = []
    for label in ("Cleanliness", "Accuracy", "Communication"):
        value = f"{draw.randint(3, 4)}.{draw.randint(1, 9)}"
        page.fact("rating", label, value)
        ratings.append(
            f'<div class="{k[5]}"><div class="{k[6]}">{label}</div><div class="{k[7]}"><span>{value}</span></div></div>'
        )
    reviews = []
    for name in draw.sample(("Ada", "Tomas", "Mairead", "Ilse", "Pedro"), draw.randint(2, 4)):
        day, text = page.words.day(), page.words.paragraph(1, 2)
        page.post(name, day.text, text)
        reviews.append(
            f'<div role="listitem"><div class="{k[8]}"><div class="{k[9]}"><img src="/u.jpg" alt=""><div><h3 class="{k[10]}">{name}</h3><div>{day.text}</div></div></div></div><div class="{k[11]}"><span><span>{escape(text)}</span></span></div><button>{page.around("Show more")}</button></div>'
        )
    price = page.words.price()
    page.fact("price", price)
    main = f'<div><section><div>{page.heading(1, title)}</div></section><div class="{k[0]}"><section>{page.heading(2, page.words.heading())}<ol>{"".join(overview)}</ol></section><div data-section-id="DESCRIPTION_DEFAULT"><span><span>{page.says(page.words.paragraph())}</span></span></div><section>{page.heading(2, "What this place offers")}{offers}<button>{page.around("Show all 34 amenities")}</button></section></div><div class="{k[6]}"><div><span aria-hidden="true">{escape(price)}</span> <span>{page.says("night")}</span></div><button>{page.around("Reserve")}</button></div><section>{page.heading(2, page.words.label("reviews"))}{"".join(ratings)}<div role="list">{"".join(reviews)}</div></section></div>'
    finish(page, title, main)
    return page


def make_recipe_card(draw: Random) -> Page:
    """Make a recipe card below a blog story."""
    page = Page("recipe-card", draw)
    title, name, word = page.words.heading(), page.words.title(), page.words.label
    times = []
    for key, label in (("prep", "Prep Time"), ("cook", "Cook Time"), ("total", "Total Time")):
        minutes = str(draw.randint(5, 90))
        page.fact("time", label, minutes)
        times.append(
            f'<div class="wprm-recipe-block-container wprm-recipe-block-container-columns wprm-recipe-{key}-time-container"><span class="wprm-recipe-details-label wprm-block-text-bold wprm-recipe-time-label">{label}</span><span class="wprm-recipe-time wprm-block-text-normal"><span class="wprm-recipe-details wprm-recipe-details-minutes">{minutes}<span class="sr-only screen-reader-text wprm-screen-reader-text"> minutes</span></span> <span class="wprm-recipe-details-unit">mins</span></span></div>'
        )
    goods = []
    for _ in range(draw.randint(3, 7)):
        amount, unit, what = str(draw.randint(2, 900)), draw.choice(("g", "ml", "tsp")), page.words.title()
        page.fact("ingredient", f"{amount} {unit} {what}")
        goods.append(
            f'<li class="wprm-recipe-ingredient" style="list-style-type: disc;"><span class="wprm-recipe-ingredient-amount">{amount}</span> <span class="wprm-recipe-ingredient-unit">{unit}</span> <span class="wprm-recipe-ingredient-name">{what}</span></li>'
        )
    steps = "".join(
        f'<li id="s{i}" class="wprm-recipe-instruction" style="list-style-type: decimal;"><div class="wprm-recipe-instruction-text" style="margin-bottom: 5px;"><span>{page.item(0, page.words.sentence())}</span></div></li>'
        for i in range(draw.randint(3, 5))
    )
    card = f'<div id="recipe"></div><div class="wprm-recipe-container" data-recipe-id="7"><div class="wprm-recipe wprm-recipe-template-chic">{page.heading(2, name, " class=wprm-recipe-name")}<div class="wprm-recipe-rating"><div class="wprm-recipe-rating-details">{page.around("from 71 votes")}</div></div><div class="wprm-recipe-summary"><span>{page.says(page.words.sentence())}</span></div><a href="/print" class="wprm-recipe-print">{page.around("Print Recipe")}</a><div class="wprm-recipe-meta-container">{"".join(times)}</div><div class="wprm-recipe-ingredients-container">{page.heading(3, word("ingredients"), " class=wprm-recipe-header")}<div class="wprm-recipe-ingredient-group"><ul class="wprm-recipe-ingredients">{"".join(goods)}</ul></div></div><div class="wprm-recipe-instructions-container">{page.heading(3, word("method"), " class=wprm-recipe-header")}<div class="wprm-recipe-instruction-group"><ul class="wprm-recipe-instructions">{steps}</ul></div></div></div></div>'
    jump = f'<div class="wprm-recipe-snippet"><a href="#recipe" class="wprm-recipe-jump">{page.around("Jump to Recipe")}</a></div>'
    finish(
        page,
        title,
        f'<article class="post hentry"><header class="entry-header">{page.heading(1, title, " class=entry-title")}</header><div class="entry-content">{jump}{page.paragraphs()}{card}</div></article>',
    )
    return page


def make_gitbook(draw: Random) -> Page:
    page = Page("gitbook", draw)
    title = page.words.heading()
    hint = page.words.sentence()
    cards = "".join(
        f'<a class="group grid shadow-1xs rounded-md" href="/c/{i}"><div class="min-w-0"><p class="font-semibold">{page.says(page.words.title())}</p><p>{page.says(page.words.sentence())}</p></div></a>'
        for i in range(3)
    )
    code = f'<div class="group/codeblock grid"><div class="flex items-center"><button class="codeblock-copy">{page.around("Copy")}</button></div><pre><code id="c1" style="padding-left: 10px"><span class="highlight-line"><span class="highlight-line-content">npm install pump</span></span>\n<span class="highlight-line"><span class="highlight-line-content">  pump run</span></span></code></pre></div>'
    page.code("npm install pump\n  pump run")
    heads = ["Option", "Default"]
    rows = [[page.words.title(), draw.choice(("none", "10"))] for _ in range(3)]
    main = f'<main class="flex-1 relative"><header class="max-w-3xl mx-auto mb-6"><nav aria-label="Breadcrumb"><ol><li><a href="/">{page.around(page.words.title())}</a></li></ol></nav>{page.heading(1, title, " class=text-4xl")}<p class="text-lg">{page.says(page.words.sentence())}</p></header><div class="whitespace-pre-wrap">{page.paragraphs()}<div class="px-4 py-4 hint"><div class="hint-icon"></div><div><p>{page.says(hint)}</p></div></div>{page.heading(2, page.words.heading(), "", "<div class=grow>{}</div>")}{page.paragraphs(1, 1)}{code}<div class="grid grid-cols-3">{cards}</div>{page.table(heads, rows)}</div><div class="flex flex-row"><a href="/n"><span>{page.around(page.words.label("next"))}</span><span>{page.around(page.words.title())}</span></a></div><div class="page-feedback"><p>{page.around("Was this helpful?")}</p></div><p>{page.around("Last updated 3 months ago")}</p></main>'
    finish(page, title, main)
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "lemmy": make_lemmy,
    "mastodon": make_mastodon,
    "question2answer": make_question2answer,
    "event": make_event,
    "job": make_job,
    "stay": make_stay,
    "recipe-card": make_recipe_card,
    "gitbook": make_gitbook,
}
