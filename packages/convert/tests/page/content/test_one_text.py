"""Pages without any sign of their kind."""

from webquarry_convert.page import to_markdown
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.one_text import lean_to_text
from webquarry_convert.page.kind import KINDS
from webquarry_convert.tree import build_tree

FLAT = bytes([36] * len(KINDS))
TEXT = (
    "<p>The bridge over the river was closed on Monday, since two of its five arches have cracks as wide as a hand.</p>"
)
ROWS = "".join(f"<div><a href='/{n}'>Another story of this day, number {n}</a></div>" for n in range(40))


def test_page_with_one_text_is_treated_as_an_article() -> None:
    kinds = lean_to_text(FLAT, Blocks(build_tree(f"<div>{TEXT * 9}</div>{ROWS}")))
    assert kinds[KINDS.index("article")] > 90
    assert kinds[KINDS.index("listing")] < 20


def test_page_of_cards_is_not_treated_as_an_article() -> None:
    blocks = Blocks(build_tree("".join(f"<div><div>{TEXT}</div></div>" for _ in range(40))))
    assert lean_to_text(FLAT, blocks) == FLAT


def test_chances_of_a_certain_kind_are_unchanged() -> None:
    certain = bytes([20, 0, 200, 0, 0, 0, 0])
    assert lean_to_text(certain, Blocks(build_tree(f"<div>{TEXT * 9}</div>"))) == certain


SENTENCES = (
    "The bridge over the river was closed on Monday, since two of its five arches have cracks as wide as a hand.",
    "Engineers of the town measured the cracks in the morning and saw that they grow by a little each day.",
    "The buses go through the village now, and the way to the hospital has become longer by half an hour.",
    "The mayor said that the repair will begin before the winter if the money for it can be found somewhere.",
)


def test_shop_is_not_treated_as_an_article() -> None:
    blocks = Blocks(build_tree(f"<div>{TEXT * 9}</div>" + "<div>12,00 €</div>" * 3))
    assert lean_to_text(FLAT, blocks) == FLAT


def test_cards_before_the_only_text_of_a_plain_page_are_dropped() -> None:
    told = [f"{n} {SENTENCES[(n + 1) % 4]}" for n in range(8)]
    cards = "".join(
        f'<div class="card"><a href="/n?id={n}">{SENTENCES[n % 4][:40]}</a><p>{each}</p></div>'
        for n, each in enumerate(told)
    )
    text = "".join(f"<p>{SENTENCES[n % 4]} {SENTENCES[(n + n // 4) % 4]}</p>" for n in range(12))
    page = (
        f"<html><head><title>{SENTENCES[0][:30]}</title></head><body><div id=all><div class=r>{cards}</div>"
        f"<div class=m><h1>{SENTENCES[0][:30]}</h1>{text}</div></div></body></html>"
    )
    written = to_markdown(page, "http://www.example.com/a/2011.shtml")
    assert SENTENCES[2] in written
    assert [each for each in told[:-1] if each in written] == []
