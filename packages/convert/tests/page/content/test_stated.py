"""Facts about a product from the page's data are kept even if the selection would drop them."""

import pytest

from webquarry_convert.page import to_markdown
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.facts import has_sum
from webquarry_convert.page.content.prices import find_price, is_offered
from webquarry_convert.tree import build_tree

PROSE = (
    "<p>A light boot of oiled wool and rubber for wet paths. It dries in an hour beside the stove, and the sole can be "
    "sewn on again when it is worn.</p>"
)
DATA = (
    '<script type="application/ld+json">{"@type":"Product","name":"Moor &quot;Low&quot; boot","offers":'
    '{"@type":"Offer","price":"89.0000","priceCurrency":"EUR"}}</script>'
)


def convert(body: str, title: str = "Moor boot - Example", address: str = "https://example.com/moor") -> str:
    page = (
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body><header><a href=/>Example</a><nav><ul>"
        f"<li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li></ul></nav></header>{body}<footer><p>Copyright 2024 "
        "Example. All rights reserved.</p></footer></body></html>"
    )
    return to_markdown(page, address)


def make_product(*, data: str = "", top: str = "<h1>Moor boot</h1>", below: str = "") -> str:
    return f'{data}<div class="zq">{top}</div><div class="text">{PROSE}</div><div class="ux">{below}</div>'


def test_name_with_entities_in_the_data_is_kept() -> None:
    top = '<div class="share-links"><a href="/s">Share</a><div class="label">Moor "Low" boot</div></div>'
    assert 'Moor "Low" boot' in convert(make_product(data=DATA, top=top), "Shop - Example")


def test_name_of_an_event_is_kept() -> None:
    data = '<script type="application/ld+json">{"@type":"MusicEvent","name":"Moor songs"}</script>'
    top = '<div class="share-links"><a href="/s">Share</a><div class="label">Moor songs</div></div>'
    assert "Moor songs" in convert(make_product(data=data, top=top), "Tickets - Example")


def test_manufacturer_next_to_the_name_in_a_heading_is_kept() -> None:
    top = '<div class="crumbs"><h1><div>Fenwright</div><div>Moor "Low" boot</div></h1></div>'
    written = convert(make_product(data=DATA, top=top), "Shop - Example")
    assert "Fenwright" in written
    assert "boot" in written


def test_heading_that_contains_the_name_is_kept() -> None:
    top = (
        '<aside class="sidebar"><h1>Your basket is empty</h1><a href="/s">Share</a></aside>'
        '<h2>Moor "Low" boot</h2><aside class="related"><h1>Moor "Low" boot - peat</h1><a href="/b">Back</a></aside>'
    )
    written = convert(make_product(data=DATA, top=top), "Shop - Example")
    assert 'Low" boot - peat' in written
    assert "Your basket" not in written


def test_name_and_following_price_are_kept_without_data() -> None:
    aside = '<aside class="sidebar"><a href="/s">Share</a><div class="price">44 890 тг.</div></aside>'
    written = convert(f'<h1>Moor boot</h1>{aside}<article class="post">{PROSE * 9}</article>')
    assert "# Moor boot" in written
    assert "44 890 тг." in written


def test_prices_with_and_without_tax_are_kept_together() -> None:
    top = (
        '<h1>Moor boot</h1><form class="cart"><div class="price-wrap"><div class="net">net 74,79 €</div>'
        '<div class="gross">89,00 €</div></div><a href="/c">Add</a></form>'
    )
    written = convert(make_product(data=DATA, top=top))
    assert "74,79" in written
    assert "89,00" in written


def test_price_before_much_white_space_is_recognized() -> None:
    page = f'<h1>Moor boot</h1><p>New</p><div><div class="price">$3.499{" " * 200}-</div></div>'
    assert find_price(Blocks(build_tree(page)), range(3), 0, []) == 2


@pytest.mark.parametrize(
    "text", ["12 €", "EUR 12.50", "10 euros", "10 рублей", "44 890 тг.", "Rs. 500", "800 kr", "$3.499"]
)
def test_amounts_of_money_are_recognized(text: str) -> None:
    assert has_sum(text)


@pytest.mark.parametrize("text", ["8 results", "KR800", "5 feet", "3 knots", "2024", "12 replies"])
def test_numbers_next_to_other_words_are_not_amounts(text: str) -> None:
    assert not has_sum(text)


def test_number_of_results_is_not_a_price() -> None:
    page = "<h1>Moor boot</h1><p>( 8 \n results )</p><p>New</p><div>$ 3.499</div>"
    assert find_price(Blocks(build_tree(page)), range(4), 0, []) == 3


def test_amount_next_to_the_name_is_preferred_to_amounts_in_cards() -> None:
    cards = "".join(
        f'<div class="card"><a href="/p/{n}">Other boot {n}</a><div class="price-box">{n}5,00 €</div></div>'
        for n in range(3, 9)
    )
    top = '<h1>Moor boot</h1><div class="regular"><div class="price-now">71,91 €</div></div>'
    written = convert(make_product(data=DATA, top=top, below=cards))
    assert "71,91" in written


def test_price_of_the_first_card_is_not_the_price_of_the_page() -> None:
    cards = "".join(f'<li class="card"><div class="price">{n}5,00 €</div></li>' for n in range(2, 9))
    shelf = Blocks(build_tree(f"<h1>Moor boots</h1><ul>{cards}</ul>"))
    alone = Blocks(build_tree('<h1>Moor boot</h1><div><div class="price">25,00 €</div></div>'))
    assert not is_offered(shelf, range(1, len(shelf.all)), 0)
    assert is_offered(alone, [1], 0)


@pytest.mark.parametrize(
    "row",
    [
        "<p>EAN: 4006381333931</p>",
        "<div>Product code: 4006381333931</div>",
        "<p><b>Артикул</b> 4006381333931</p>",
        "<div>딜번호 : 4006381333931</div>",
        "<table><tr><td>Manufacturer part number</td><td>4006381333931</td></tr></table>",
        "<dl><dt>ISBN-13</dt><dd>4006381333931</dd></dl>",
    ],
)
def test_product_number_after_a_label_is_kept(row: str) -> None:
    far = '<div class="links"><a href="/1">Returns</a></div>'
    assert "4006381333931" in convert(make_product(data=DATA, below=f"{far}<div>{row}</div>{far}"))


def test_numbers_on_cards_are_not_the_product_number() -> None:
    cards = "".join(
        f'<div class="card"><a href="/p/{n}">Other boot {n}</a><div>SKU: MB-2048{n}</div></div>' for n in range(3, 9)
    )
    assert "MB-2048" not in convert(make_product(data=DATA, below=f"<aside>{cards}</aside>"))


@pytest.mark.parametrize(
    "sheet",
    [
        "<table><tr><td>Upper</td><td>Wool</td></tr><tr><td>Sole</td><td>Rubber</td></tr><tr><td>Fit</td><td>Wide</td></tr>"
        "</table>",
        "<dl><dt>Upper</dt><dd>Wool</dd><dt>Sole</dt><dd>Rubber</dd><dt>Fit</dt><dd>Wide</dd></dl>",
        "<ul><li>Upper: Wool</li><li>Sole: Rubber</li><li>Fit: Wide</li></ul>",
    ],
)
def test_product_sheet_is_kept_whole(sheet: str) -> None:
    far = "".join(f'<div class="links"><a href="/{n}">More of this shop {n}</a></div>' for n in range(9))
    written = convert(make_product(data=DATA, below=f'{far}<div class="foot-links">{sheet}</div>'))
    for word in ("Upper", "Wool", "Sole", "Rubber", "Fit", "Wide"):
        assert word in written
