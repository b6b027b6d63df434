"""Offers in the markup of software that is not used for training: jobs, cars, events, dishes, plans."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page

_PLACES = ("Leeds", "Köln", "Lyon", "Bergen", "Remote - Europe")


def make_job_board(draw: Random) -> Page:
    """Make the vacancies of a company by department; each row is a link around two paragraphs."""
    page = Page("job-board", draw)
    title = page.words.heading()
    departments = []
    for _ in range(draw.randint(2, 4)):
        rows = []
        for number in range(draw.randint(1, 4)):
            name, place = page.words.title(), draw.choice(_PLACES)
            page.truth.content.extend((name, place))
            rows.append(
                f'<tr class="job-post"><td class="cell"><a href="/jobs/{page.words.title()[-3:]}{number}" target="_top"><p class="body body--medium">{name}</p><p class="body body__secondary body--metadata">{place}</p></a></td></tr>'
            )
        head = page.words.title()
        departments.append(
            f'<div class="job-posts--table--department">{page.heading(3, head, " class=" + chr(34) + "section-header font-primary" + chr(34))}<div class="job-posts--table"><table><tbody>{"".join(rows)}</tbody></table></div></div>'
        )
    filters = "".join(
        f'<div class="select__container"><label for="f{i}">{page.around(label)}</label><div class="select__control"><div class="select__placeholder">{page.around("Select...")}</div></div></div>'
        for i, label in enumerate(("Department", "Office"))
    )
    alert = f'<div class="job-alert"><p>{page.around("Create a Job Alert")}</p><p>{page.around("Interested in building your career here? Get future opportunities sent straight to your email.")}</p><button>{page.around("Create alert")}</button></div>'
    main = f'<div class="job-board"><div class="logo"><img src="/logo.png" alt="logo"></div>{page.heading(1, title, " class=section-header")}<div class="job-board__description"><p>{page.says(page.words.paragraph())}</p></div>{alert}<div class="filters"><input type="text" placeholder="Search">{filters}</div><div class="job-posts">{"".join(departments)}</div><div class="pagination"><button aria-label="Next page"></button></div></div>'
    finish(page, title, main)
    return page


def make_car(draw: Random) -> Page:
    """Make a used car: labeled figures, grids of facts, the seller's text, and the same facts in a sticky bar."""
    page = Page("car", draw)
    title, price, around = page.words.title(), page.words.price(), page.around
    page.fact("price", price)
    k = {
        name: f"{name}__{draw.randrange(36**5):05x}" for name in ("PriceInfo_price", "VehicleOverview_item", "Data_dl")
    }

    def overview(label: str, value: str) -> str:
        page.fact("figure", label, value)
        return f'<div class="{k["VehicleOverview_item"]}"><svg></svg><div class="VehicleOverview_itemTitle__S2_lb">{label}</div><div class="VehicleOverview_itemText__AI4dA">{value}</div></div>'

    def grid(head: str, pairs: list[tuple[str, str]]) -> str:
        rows = ""
        for label, value in pairs:
            page.fact("specification", label, value)
            rows += f'<dt class="DataGrid_dt__soJ6R">{label}</dt><dd class="DataGrid_dd__3IYpG DataGrid_fontBold__RqU01">{escape(value)}</dd>'
        return f'<section class="DetailsSection_container__68Nlc"><div class="DetailsSection_titleSection__Dp9Yk"><svg></svg>{page.heading(2, head, " class=DetailsSectionTitle_text__KAuxN")}</div><div class="DetailsSection_childrenSection__aElbi"><dl class="{k["Data_dl"]}">{rows}</dl></div></section>'

    figures = [
        ("Mileage", f"{draw.randint(10, 290)},{draw.randint(100, 999)} km"),
        ("Gearbox", "Manual"),
        ("First registration", f"{draw.randint(10, 12)}/20{draw.randint(10, 24)}"),
        ("Fuel type", draw.choice(("Diesel", "Petrol"))),
        ("Power", f"{draw.randint(50, 200)} kW"),
    ]
    shown = "".join(overview(*each) for each in figures)
    basic = grid("Basic Data", [("Body type", "Estate"), ("Drivetrain", "4WD"), ("Seats", str(draw.randint(2, 9)))])
    history = grid(
        "Vehicle History", [("Previous owner", str(draw.randint(1, 4))), ("Last inspection", page.words.day().text)]
    )
    comfort = "".join(f"<li>{page.item(0, page.words.title())}</li>" for _ in range(4))
    equipment = f'<section class="DetailsSection_container__68Nlc">{page.heading(2, "Equipment")}<dl class="{k["Data_dl"]}"><dt class="DataGrid_dt__soJ6R">{page.says("Comfort")}</dt><dd class="DataGrid_dd__3IYpG"><ul>{comfort}</ul></dd></dl></section>'
    words = "<br/>".join(page.says(page.words.sentence()) for _ in range(draw.randint(3, 6)))
    seller, phone = page.words.name(), f"+49 221 {draw.randint(100000, 999999)}"
    page.fact("seller", seller)
    page.fact("phone", phone)
    vendor = f'<section class="DetailsSection_container__68Nlc" id="vendor">{page.heading(2, "Seller")}<div class="VendorData_container__s5"><div class="RatingsAndCompanyName_dealer__EaECM"><div>{seller}</div></div><a class="Department_link__xMUEe" href="https://maps.example/q">4 Quay Street, Leeds, GB</a><a href="tel:{phone}">{phone}</a><button>{around("Show more vehicles")}</button></div></section>'
    similar = "".join(
        f'<article class="RecommendationCard"><a href="/o/{i}"><img src="/c/{i}.jpg" alt=""><h3>{around(page.words.title())}</h3><span>{around(page.words.price())}</span></a></article>'
        for i in range(4)
    )
    bar = f'<div class="StickyBar_container__a1" aria-hidden="true"><span class="StickyBar_title__b2">{title}</span><span class="StickyBar_price__c3">{escape(price)}</span><button>{around("Contact seller")}</button></div>'
    gallery = "".join(
        f'<button class="image-gallery-thumbnail"><img src="/g/{i}.jpg" alt="Image {i}"></button>' for i in range(6)
    )
    main = f'<div class="DetailsPage_container__x">{bar}<div class="image-gallery">{gallery}<span>{around("1/24")}</span></div><div class="StageArea_stageHead__y"><div class="StageTitle_container__z">{page.heading(1, title, " class=StageTitle_boldClassifiedInfo__sQb0l")}<p class="StageTitle_modelVersion__Yof2Z">{page.says(page.words.title())}</p></div><div class="PriceInfo_wrapper__hreB_"><span class="{k["PriceInfo_price"]}">{escape(price)}</span><span class="PriceInfo_label">{page.says("Good price")}</span></div><button>{around("Save")}</button><button>{around("Print")}</button></div><div class="VehicleOverview_container__691k2">{shown}</div>{basic}{history}{equipment}<section class="DetailsSection_container__68Nlc">{page.heading(2, "Vehicle Description")}<div class="SellerNotesSection_content__te2EB">{words}</div><button>{around("Show more")}</button></section>{vendor}<section class="Recommendations"><h2>{around("More vehicles")}</h2>{similar}</section></div>'
    finish(page, f"{title} for {price}", main)
    return page


def make_calendar(draw: Random) -> Page:
    """Make a list of events by month in the markup of a WordPress plugin."""
    page = Page("calendar", draw)
    title, around, e = page.words.heading(), page.around, "tribe-events-calendar-list__event"
    rows = []
    for number in range(draw.randint(4, 9)):
        if number % 3 == 0:
            month = f"{draw.choice(('March', 'April', 'May'))} {2025 + number}"
            page.says(month)
            rows.append(
                f'<h2 class="tribe-events-calendar-list__month-separator"><time class="tribe-events-calendar-list__month-separator-text tribe-common-h7">{month}</time></h2>'
            )
            page.truth.headings.append(month)
        name, day, place, about = page.words.heading(), page.words.day(), page.words.title(), page.words.sentence()
        when = f"{day.text} @ {draw.randint(8, 19)}:{draw.choice(('00', '30'))}"
        page.truth.headings.append(name)
        page.truth.content.extend((name, when, about))
        page.fact("place", place, "4 Quay Street, Leeds")
        cost = page.words.price()
        page.fact("price", cost)
        rows.append(
            f'<div class="tribe-common-g-row tribe-events-calendar-list__event-row"><div class="{e}-date-tag tribe-common-g-col"><time class="{e}-date-tag-datetime" datetime="{day.iso[:10]}" aria-hidden="true"><span class="{e}-date-tag-weekday">Mon</span><span class="{e}-date-tag-daynum tribe-common-h5">{draw.randint(1, 28)}</span></time></div><div class="{e}-wrapper tribe-common-g-col"><article class="{e} tribe-common-g-row type-tribe_events"><div class="{e}-featured-image-wrapper tribe-common-g-col"><a href="/e/{number}" class="{e}-featured-image-link"><img src="/e/{number}.jpg" alt=""></a></div><div class="{e}-details tribe-common-g-col"><header class="{e}-header"><div class="{e}-datetime-wrapper tribe-common-b2"><time class="{e}-datetime" datetime="{day.iso[:10]}"><span class="tribe-event-date-start">{when}</span> - <span class="tribe-event-time">21:45</span></time></div><h4 class="{e}-title tribe-common-h6"><a href="/e/{number}" title="{escape(name)}" rel="bookmark" class="{e}-title-link">{escape(name)}</a></h4><address class="{e}-venue tribe-common-b2"><span class="{e}-venue-title tribe-common-b2--bold">{place}</span> <span class="{e}-venue-address">4 Quay Street, Leeds</span></address></header><div class="{e}-description tribe-common-b2"><p>{escape(about)}</p></div><div class="tribe-events-c-small-cta tribe-common-b3"><span class="tribe-events-c-small-cta__price">{escape(cost)}</span></div></div></article></div></div>'
        )
    views = "".join(
        f'<li class="tribe-events-c-view-selector__list-item"><a href="/{name}"><span>{around(name)}</span></a></li>'
        for name in ("List", "Month", "Day")
    )
    top = f'<header class="tribe-events-header"><div class="tribe-events-header__messages"></div><div class="tribe-events-header__events-bar"><h2 class="tribe-common-a11y-visual-hide">{around("Events Search and Views Navigation")}</h2><form><input placeholder="Search for events"><button>{around("Find Events")}</button></form><div class="tribe-events-c-view-selector"><ul>{views}</ul></div></div><div class="tribe-events-c-top-bar"><a href="/t" class="tribe-events-c-top-bar__today-button">{around("Today")}</a></div></header>'
    foot = f'<nav class="tribe-events-calendar-list-nav tribe-events-c-nav"><ul><li><a href="/p"><span>{around("Previous Events")}</span></a></li></ul></nav><div class="tribe-events-c-subscribe-dropdown__container"><button class="tribe-events-c-subscribe-dropdown__button-text">{around("Subscribe to calendar")}</button><ul class="tribe-events-c-subscribe-dropdown__list"><li><a href="/g">{around("Google Calendar")}</a></li><li><a href="/i">{around("iCalendar")}</a></li><li><a href="/o">{around("Outlook 365")}</a></li></ul></div>'
    main = f'<div class="tribe-common tribe-events tribe-events-view tribe-events-view--list"><div class="tribe-common-l-container tribe-events-l-container">{page.heading(1, title)}{top}<div class="tribe-events-calendar-list">{"".join(rows)}</div>{foot}</div></div>'
    finish(page, title, main)
    return page


def make_dishes(draw: Random) -> Page:
    """Make a restaurant menu: divs for each dish, or names and prices in one line."""
    page = Page("dishes", draw)
    title, manner = page.words.title(), draw.choice(("block", "line"))
    sections = []
    for _ in range(draw.randint(2, 4)):
        head, dishes = page.words.title(), []
        for _ in range(draw.randint(2, 5)):
            dish, about, amount = (
                page.words.title(),
                page.words.sentence(),
                f"{draw.randint(4, 39)}.{draw.choice(('00', '50'))}",
            )
            page.truth.content.extend((dish, about))
            if manner == "block":
                page.fact("price", f"${amount}")
                dishes.append(
                    f'<div class="menu-item"><div class="menu-item-title">{dish}</div><div class="menu-item-description">{escape(about)}</div><div class="menu-item-price-bottom"><span class="currency-sign">$</span>{amount}</div></div>'
                )
            else:
                page.fact("dish and price", dish, amount)
                dishes.append(
                    f'<div class="dish"><div class="dish__top"><span class="dish__name">{dish}</span><span class="dish__dots"></span><span class="dish__price">{amount}</span></div><div class="dish__about">{escape(about)}</div></div>'
                )
        page.says(head)
        if manner == "block":
            sections.append(
                f'<div class="menu-section"><div class="menu-section-header"><div class="menu-section-title">{head}</div><div class="menu-section-description">{page.says(page.words.sentence())}</div></div><div class="menu-items">{"".join(dishes)}</div></div>'
            )
        else:
            page.truth.headings.append(head)
            sections.append(f'<section class="dishes"><h2>{head}</h2>{"".join(dishes)}</section>')
    labels = "".join(
        f'<span class="menu-select-label" tabindex="0">{page.around(name)}</span>' for name in ("Dinner", "Drinks")
    )
    reserve = f'<div class="sqs-block button-block"><a href="/reserve" class="sqs-block-button-element">{page.around("Reserve a table")}</a></div>'
    main = f'{page.heading(1, title)}<p>{page.says(page.words.sentence())}</p><div class="sqs-block menu-block sqs-block-menu"><div class="sqs-block-content"><div class="menus"><div class="menu-selector">{labels}</div><div class="menu"><div class="menu-sections">{"".join(sections)}</div></div></div></div></div>{reserve}'
    finish(page, title, main)
    return page


def make_comparison(draw: Random) -> Page:
    """Make plans side by side: a grid with table roles, and the same facts plan by plan for narrow screens."""
    page = Page("comparison", draw)
    title, around = page.words.heading(), page.around
    plans = [page.words.title() for _ in range(3)]
    prices = [page.words.price() for _ in plans]
    heads = ["Feature", *plans]
    groups, narrow = [], [""] * len(plans)
    cards = "".join(
        f'<div class="rounded-3xl p-8 ring-1"><h3 id="tier-{i}" class="text-lg font-semibold">{plan}</h3><p class="mt-4 text-sm text-gray-600">{page.says(page.words.sentence())}</p><p class="mt-6 flex items-baseline gap-x-1"><span class="text-4xl font-bold">{escape(price)}</span><span class="text-sm text-gray-600">/month</span></p><a href="/buy/{i}" class="mt-6 block rounded-md">{around("Buy plan")}</a></div>'
        for i, (plan, price) in enumerate(zip(plans, prices, strict=True))
    )
    for plan, price in zip(plans, prices, strict=True):
        page.truth.headings.append(plan)
        page.says(plan)
        page.fact("price", price, "month")
    for _ in range(2):
        group, lines = page.words.title(), []
        page.says(group)
        for _ in range(draw.randint(2, 4)):
            row = [
                page.words.title(),
                *(f"{draw.randint(1, 99)} {draw.choice(('seats', 'users', 'GB'))}" for _ in plans),
            ]
            page.row(heads, row)
            cells = "".join(
                f'<div role="cell" class="px-6 py-4"><span class="text-center">{cell}</span></div>' for cell in row[1:]
            )
            lines.append(
                f'<div role="row" class="grid grid-cols-4"><div role="rowheader" class="py-4 font-normal"><span>{row[0]}</span></div>{cells}</div>'
            )
            for at, cell in enumerate(row[1:]):
                narrow[at] += (
                    f'<li class="flex gap-x-3"><span>{row[0]}</span> <span class="text-gray-500">({cell})</span></li>'
                )
        groups.append(
            f'<div role="rowgroup"><div role="row"><div role="columnheader" class="font-semibold">{group}</div></div>{"".join(lines)}</div>'
        )
    top = "".join(
        f'<div role="columnheader" class="px-6 pt-6"><div class="text-sm font-semibold">{each}</div></div>'
        for each in heads
    )
    wide = f'<div class="isolate mt-20 hidden lg:block"><div role="table" class="w-full">{f"""<div role="row" class="grid grid-cols-4">{top}</div>"""}{"".join(groups)}</div></div>'
    small = "".join(
        f'<section class="p-8"><h3 class="text-sm font-semibold">{plan}</h3><ul role="list" class="mt-10 space-y-4">{each}</ul></section>'
        for plan, each in zip(plans, narrow, strict=True)
    )
    toggle = f'<div class="flex justify-center"><fieldset aria-label="Payment frequency"><label><input type="radio"><span>{around("Monthly")}</span></label><label><input type="radio"><span>{around("Annually")}</span></label></fieldset></div>'
    main = f'<div class="bg-white py-24"><div class="mx-auto max-w-4xl text-center">{page.heading(2, "Pricing", " class=text-base")}{page.heading(1, title, " class=mt-2")}<p class="mt-6">{page.says(page.words.sentence())}</p></div>{toggle}<div class="isolate grid grid-cols-1 lg:grid-cols-3">{cards}</div><div class="mx-auto mt-12 max-w-md space-y-8 lg:hidden">{small}</div>{wide}</div>'
    finish(page, title, main)
    return page


def make_block_theme(draw: Random) -> Page:
    """Make a company's home page in WordPress blocks: cover, cards in columns, text next to pictures, latest posts."""
    page = Page("block-theme", draw)
    title, around = page.words.heading(), page.around
    cover = f'<div class="wp-block-cover alignfull is-light"><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><img class="wp-block-cover__image-background" src="/c.jpg" alt=""/><div class="wp-block-cover__inner-container">{page.heading(1, title, " class=wp-block-heading")}<p class="has-text-align-center">{page.says(page.words.sentence())}</p><div class="wp-block-buttons is-layout-flex"><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="/book">{around("Book a visit")}</a></div></div></div></div>'
    cards = "".join(
        f'<div class="wp-block-column is-layout-flow wp-block-column-is-layout-flow"><figure class="wp-block-image size-full"><img src="/i/{i}.svg" alt=""/></figure>{page.heading(3, page.words.title(), " class=wp-block-heading")}<p>{page.says(page.words.sentence())}</p></div>'
        for i in range(3)
    )
    figures = ""
    for _ in range(3):
        figure, what = f"{draw.randint(10, 99)}+", page.words.title()
        page.fact("figure", figure, what)
        figures += f'<div class="wp-block-column is-layout-flow"><p class="has-text-align-center has-xx-large-font-size"><strong>{figure}</strong></p><p class="has-text-align-center has-small-font-size">{what}</p></div>'
    beside = f'<div class="wp-block-media-text alignwide is-stacked-on-mobile"><figure class="wp-block-media-text__media"><img src="/m.jpg" alt="" class="wp-image-9 size-full"/></figure><div class="wp-block-media-text__content">{page.heading(2, page.words.heading(), " class=wp-block-heading")}{page.paragraphs(1, 2)}<ul class="wp-block-list">{"".join(f"<li>{page.item(0, page.words.sentence())}</li>" for _ in range(3))}</ul></div></div>'
    quotes = ""
    for _ in range(2):
        text, name = page.words.sentence(), page.words.name()
        page.truth.content.extend((text, name))
        quotes += f'<div class="wp-block-column"><blockquote class="wp-block-quote"><p>{escape(text)}</p><cite>{name}</cite></blockquote></div>'
    posts = ""
    for number in range(3):
        name, day, about = page.words.heading(), page.words.day(), page.words.sentence()
        page.truth.headings.append(name)
        page.truth.content.extend((name, day.text, about))
        posts += f'<li class="wp-block-post post type-post"><figure class="wp-block-post-featured-image"><a href="/p/{number}"><img src="/p/{number}.jpg" alt=""/></a></figure><h3 class="wp-block-post-title"><a href="/p/{number}" target="_self">{escape(name)}</a></h3><div class="wp-block-post-date"><time datetime="{day.iso}">{day.text}</time></div><div class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">{escape(about)} </p><p class="wp-block-post-excerpt__more-text"><a class="wp-block-post-excerpt__more-link" href="/p/{number}">{around("Read more")}</a></p></div></li>'
    faq = "".join(
        f'<details class="wp-block-details"><summary>{page.says(page.words.heading())}</summary><p>{page.says(page.words.sentence())}</p></details>'
        for _ in range(2)
    )
    call = f'<div class="wp-block-group alignfull has-background">{page.heading(2, page.words.heading(), " class=wp-block-heading")}<p>{page.says(page.words.sentence())}</p><div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/c">{around("Contact us")}</a></div></div></div>'
    main = f'<div class="entry-content wp-block-post-content is-layout-constrained">{cover}<div class="wp-block-columns alignwide is-layout-flex">{cards}</div>{beside}<div class="wp-block-columns">{figures}</div>{page.heading(2, page.words.heading(), " class=wp-block-heading")}<div class="wp-block-columns">{quotes}</div>{page.heading(2, page.words.heading(), " class=wp-block-heading")}<div class="wp-block-query is-layout-flow"><ul class="columns-3 wp-block-post-template is-layout-grid">{posts}</ul></div>{faq}{call}</div>'
    finish(page, title, main)
    return page


def make_old_layout(draw: Random) -> Page:
    """Make a page of the nineties: laid out by tables, headings by fonts, paragraphs by line breaks."""
    page = Page("old-layout", draw)
    title, around = page.words.heading(), page.around
    links = "".join(
        f'<a href="{i}.htm"><font color="#000066">{around(page.words.title())}</font></a><br>\n'
        for i in range(draw.randint(5, 12))
    )
    heads, rows = ["Part", "Price"], [[page.words.title(), page.words.price()] for _ in range(4)]
    for row in rows:
        page.row(heads, row)
    prices = "".join(
        f"<tr><td><font size=2>{a}</font></td><td><font size=2>{escape(b)}</font></td></tr>\n" for a, b in rows
    )
    table = f'<table border=1 cellpadding=3><tr bgcolor="#dddddd"><td><b><font size=2>{heads[0]}</font></b></td><td><b><font size=2>{heads[1]}</font></b></td></tr>{prices}</table>'
    break_ = "<br>\n<br>\n"
    parts = "".join(
        f'<font face="Verdana" size="3" color="navy"><b>{page.says(page.words.heading())}</b></font>{break_}<font face="Verdana" size="2">{break_.join(page.says(page.words.paragraph()) for _ in range(2))}</font>{break_}'
        for _ in range(draw.randint(1, 3))
    )
    news = "".join(
        f'<font size=1><b>{around(page.words.day().text)}</b><br><a href="n{i}.htm">{around(page.words.heading())}</a></font><br><br>'
        for i in range(3)
    )
    items = "".join(f"<li><font size=2>{page.item(0, page.words.sentence())}</font>\n" for _ in range(3))
    middle = f'<font face="Arial" size="5" color="#990000"><b>{page.says(title)}</b></font>{break_}<font face="Verdana" size="2">{page.says(page.words.paragraph())}</font>{break_}{parts}{table}<br>\n<ul>{items}</ul>'
    foot = f'<tr><td colspan=3 align=center><hr><font size=1>{around("Copyright 1999")} | <a href="mailto:w@harbour.example">{around("Webmaster")}</a> | {around("You are visitor number 48112")}</font></td></tr>'
    page.html = f'<HTML><HEAD><TITLE>{escape(title)}</TITLE></HEAD><BODY BGCOLOR="#FFFFFF" TEXT="#000000"><center><table width=760 border=0 cellspacing=0 cellpadding=0><tr><td colspan=3><img src="banner.gif" width=760 height=90 alt="Harbour"></td></tr><tr><td width=150 valign=top bgcolor="#cccccc"><font face="Arial" size=2>{links}</font></td><td width=470 valign=top>{middle}</td><td width=140 valign=top bgcolor="#eeeeee"><font size=2><b>{around("News")}</b></font><br>{news}</td></tr>{foot}</table></center></BODY></HTML>'
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "job-board": make_job_board,
    "car": make_car,
    "calendar": make_calendar,
    "dishes": make_dishes,
    "comparison": make_comparison,
    "block-theme": make_block_theme,
    "old-layout": make_old_layout,
}
