"""Product pages in the markup of shop software."""

import json
from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def _facts(page: Page) -> list[tuple[str, str]]:
    word, draw = page.words.label, page.draw
    pairs = [
        (word("weight"), f"{draw.randint(1, 40)}.{draw.randint(1, 9)} kg"),
        (word("height"), f"{draw.randint(10, 90)} cm"),
        (word("material"), draw.choice(("beech", "cast iron", "Loden", "laiton"))),
        (word("sku"), f"{draw.choice('ABKX')}{draw.randint(1000, 9999)}-{draw.randint(10, 99)}"),
        (word("brand"), draw.choice(("Kestrel & Co", "Nordwerk", "Atelier Brun"))),
    ]
    chosen = draw.sample(pairs, draw.randint(3, 5))
    for pair in chosen:
        page.fact("label and value", *pair)
    return chosen


def _write_facts(page: Page) -> str:
    """Write facts as a definition list, a table without header, or pairs of boxes."""
    pairs = _facts(page)
    manner = page.draw.choice(("dl", "table", "divs", "spans", "list"))
    if manner == "dl":
        return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in pairs) + "</dl>"
    if manner == "table":
        rows = "".join(
            f'<tr><th scope="row">{escape(a)}</th><td data-th="{escape(a)}">{escape(b)}</td></tr>' for a, b in pairs
        )
        return f'<table class="shop_attributes"><tbody>{rows}</tbody></table>'
    if manner == "divs":
        one, two = page.classed("spec-label"), page.classed("spec-value")
        return "".join(
            f"<div{page.classed('spec')}><div{one}>{escape(a)}</div><div{two}>{escape(b)}</div></div>" for a, b in pairs
        )
    if manner == "spans":
        return (
            "<ul>" + "".join(f"<li><span>{escape(a)}</span><span>{escape(b)}</span></li>" for a, b in pairs) + "</ul>"
        )
    return "<ul>" + "".join(f"<li><strong>{escape(a)}:</strong> {escape(b)}</li>" for a, b in pairs) + "</ul>"


def _write_price(page: Page, wrap: str = "{}") -> str:
    """Write one price, or an old and a new price."""
    price = page.words.price()
    page.fact("price", price)
    now = wrap.format(escape(price))
    if page.draw.random() < 0.5:
        was = page.words.price()
        return f'<del aria-hidden="true">{wrap.format(escape(was))}</del> <ins>{now}</ins>'
    return now


def _write_shelf(page: Page, tag: str = "section", name: str = "related products") -> str:
    cards = "".join(
        f'<li class="product"><a href="/p/{i}"><img src="/i/{i}.jpg" alt=""><h3>{page.around(page.words.title())}</h3><span class="price">{page.around(page.words.price())}</span></a></li>'
        for i in range(page.draw.randint(3, 6))
    )
    return f'<{tag} class="{name}"><h2>{page.around(page.words.label("related"))}</h2><ul>{cards}</ul></{tag}>'


def _write_reviews(page: Page) -> str:
    rows = []
    for number in range(page.draw.randint(0, 3)):
        user, day, text = page.words.user(), page.words.day(), page.words.paragraph(1, 2)
        page.post(user, day.text, text)
        rows.append(
            f'<li class="review" id="li-comment-{number}"><img class="avatar" src="g.png" alt=""><div class="comment-text"><div class="star-rating" role="img"></div><p class="meta"><strong class="review__author">{escape(user)}</strong> <span class="dash">–</span> <time datetime="{day.iso}">{day.text}</time></p><div class="description"><p>{escape(text)}</p></div></div></li>'
        )
    if not rows:
        return ""
    return f'{page.heading(2, page.words.label("reviews"))}<ol class="commentlist">{"".join(rows)}</ol>'


def _write_purchase(page: Page) -> str:
    word = page.words.label
    options = "".join(f'<option value="{i}">{page.around(page.words.title())}</option>' for i in range(3))
    return f'<form class="cart"><label>{page.around(word("colour"))}</label><select>{options}</select><label>{page.around(word("quantity"))}</label><input type="number" value="1"><button>{page.around(word("cart"))}</button></form>'


def _data(page: Page, name: str) -> str:
    if page.draw.random() < 0.5:
        return ""
    thing = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": name,
        "brand": {"@type": "Brand", "name": "Nordwerk"},
    }
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


def _begin(kind: str, draw: Random) -> tuple[Page, str]:
    page = Page(kind, draw)
    return page, f"{page.words.title()} {draw.choice(('Classic', 'Duo', 'S', 'No. 4'))}"


def make_shopify(draw: Random) -> Page:
    page, name = _begin("shopify", draw)
    word = page.words.label
    head = page.heading(1, name, ' class="product__title"')
    price = f'<div class="price"><div class="price__container"><div class="price__regular"><span class="visually-hidden">{page.around("Regular price")}</span><span class="price-item price-item--regular">{_write_price(page)}</span></div></div></div>'
    sizes = "".join(
        f'<input type="radio" id="o{i}"><label for="o{i}">{page.around(f"{i}XL")}</label>' for i in range(2, 6)
    )
    pick = f'<variant-radios><fieldset class="product-form__input"><legend>{page.around(word("colour"))}</legend>{sizes}</fieldset></variant-radios><product-form><button type="submit"><span>{page.around(word("cart"))}</span></button></product-form>'
    described = f'<div class="product__description rte">{page.paragraphs()}{_write_facts(page)}</div>'
    text = page.words.paragraph(1, 2)
    accordion = f'<div class="product__accordion accordion"><details><summary><h2 class="h4 accordion__title">{escape(word("shipping"))}</h2></summary><div class="accordion__content rte"><p>{page.says(text)}</p></div></details></div>'
    page.truth.headings.append(word("shipping"))
    main = f'<section id="MainProduct" class="product"><div class="product__media-wrapper"><img src="/cdn/1.jpg" alt="{name}"></div><product-info class="product__info-container">{head}{price}{pick}{described}{accordion}</product-info></section>{_write_shelf(page, "product-recommendations", "related-products")}'
    finish(page, name, main, head=_data(page, name))
    return page


def make_woocommerce(draw: Random) -> Page:
    page, name = _begin("woocommerce", draw)
    word = page.words.label
    price = f'<p class="price">{_write_price(page, chr(60) + "span class=" + chr(34) + "woocommerce-Price-amount amount" + chr(34) + "><bdi>{}</bdi></span>")}</p>'
    sku = f"WC-{draw.randint(1000, 9999)}"
    page.fact("sku", word("sku"), sku)
    summary = f'<div class="summary entry-summary">{page.heading(1, name, " class=" + chr(34) + "product_title entry-title" + chr(34))}{price}<div class="woocommerce-product-details__short-description">{page.paragraphs(1, 1)}</div>{_write_purchase(page)}<div class="product_meta"><span class="sku_wrapper">{word("sku")}: <span class="sku">{sku}</span></span></div></div>'
    tabs = f'<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist"><li id="tab-title-description"><a href="#tab-description">{page.around(word("description"))}</a></li><li><a href="#tab-reviews">{page.around(word("reviews"))}</a></li></ul><div class="woocommerce-Tabs-panel panel" id="tab-description">{page.heading(2, word("description"))}{page.paragraphs()}</div><div class="panel" id="tab-additional_information" style="display:none">{page.heading(2, word("details"))}{_write_facts(page)}</div><div class="panel" id="tab-reviews">{_write_reviews(page)}</div></div>'
    finish(
        page,
        name,
        f'<div class="product type-product"><div class="woocommerce-product-gallery"><img src="w.jpg" alt=""></div>{summary}{tabs}{_write_shelf(page)}</div>',
        head=_data(page, name),
    )
    return page


def make_magento(draw: Random) -> Page:
    page, name = _begin("magento", draw)
    word = page.words.label
    page.truth.headings.append(name)
    sku = f"24-{draw.choice('MWU')}B{draw.randint(10, 99)}"
    page.fact("sku", word("sku"), sku)
    info = f'<div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name">{page.says(name)}</span></h1></div><div class="product-info-price"><div class="price-box price-final_price"><span class="price-container"><span class="price-wrapper"><span class="price">{_write_price(page)}</span></span></span></div><div class="product-info-stock-sku"><div class="stock available"><span>{escape(word("stock"))}</span></div><div class="product attribute sku"><strong class="type">{word("sku")}</strong> <div class="value" itemprop="sku">{sku}</div></div></div></div>{_write_purchase(page)}</div>'
    detail = f'<div class="product info detailed"><div class="product data items" role="tablist"><div class="data item title active" role="tab" id="tab-label-description"><a class="data switch" href="#description">{page.around(word("details"))}</a></div><div class="data item content" id="description" role="tabpanel"><div class="product attribute description"><div class="value">{page.paragraphs()}</div></div></div><div class="data item content" id="additional" role="tabpanel"><div class="additional-attributes-wrapper">{_write_facts(page)}</div></div></div></div>'
    finish(
        page,
        name,
        f'<div class="columns"><div class="column main">{info}{detail}{_write_shelf(page, "div", "block upsell")}</div></div>',
        head=_data(page, name),
    )
    return page


def make_prestashop(draw: Random) -> Page:
    page, name = _begin("prestashop", draw)
    word = page.words.label
    main = f'<section id="main" itemscope itemtype="https://schema.org/Product"><div class="row product-container"><div class="col-md-6"><img src="x.jpg" alt=""></div><div class="col-md-6">{page.heading(1, name, " class=h1 itemprop=name")}<div class="product-prices"><div class="product-price"><div class="current-price"><span itemprop="price">{_write_price(page)}</span></div></div><div class="tax-shipping-delivery-label">{page.around("Tax included")}</div></div><div id="product-description-short" itemprop="description">{page.paragraphs(1, 1)}</div><div class="product-actions">{_write_purchase(page)}</div><div class="tabs"><ul class="nav nav-tabs" role="tablist"><li class="nav-item"><a class="nav-link active" href="#description">{page.around(word("description"))}</a></li></ul><div class="tab-content"><div class="tab-pane fade in active" id="description"><div class="product-description">{page.paragraphs()}</div></div><div class="tab-pane fade" id="product-details"><section class="product-features">{page.heading(3, word("details"), " class=h6")}{_write_facts(page)}</section></div></div></div></div></div>{_write_shelf(page, "section", "featured-products")}</section>'
    finish(page, name, main, head=_data(page, name))
    return page


def make_marketplace(draw: Random) -> Page:
    """Make a page with meaningless names, facts in boxes, surrounded by questions and offers from other sellers."""
    page, name = _begin("marketplace", draw)
    word, k = page.words.label, [f"_{draw.randrange(16**5):05x}" for _ in range(9)]
    page.truth.headings.append(name)
    bullets = "".join(
        f'<li><span class="a-list-item"> {page.item(0, page.words.sentence())} </span></li>' for _ in range(4)
    )
    price = page.words.price()
    page.fact("price", price)
    main = f'<div id="{k[0]}"><div class="{k[1]}"><h1><span id="productTitle" class="{k[2]}"> {page.says(name)} </span></h1></div><div class="{k[3]}"><span class="{k[4]}" aria-hidden="true">{escape(price)}</span></div><div class="{k[5]}"><ul>{bullets}</ul></div><div class="{k[6]}">{page.heading(2, word("details"))}{_write_facts(page)}</div><div class="{k[7]}">{page.heading(2, word("description"))}{page.paragraphs()}</div>{_write_purchase(page)}{_write_shelf(page, "div", k[8])}<div>{_write_reviews(page)}</div></div>'
    finish(page, name, main, head=_data(page, name))
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "shopify": make_shopify,
    "woocommerce": make_woocommerce,
    "magento": make_magento,
    "prestashop": make_prestashop,
    "marketplace": make_marketplace,
}
