"""Texts that have the same position in several cards are kept together."""

from collections.abc import Callable

import pytest

from convert_support.choice import list_kept, make_kinds, make_selection
from convert_support.effort import assert_linear
from webquarry_convert.page.content.cards import complete_cards

ABOUT = ("with leeks and cream", "with plums and butter", "with beans and thyme")
ARTICLE = make_kinds(article=255)


def show(card: str) -> str:
    """Build cards of dishes. Each `{}` is replaced with the part that differs."""
    return "".join(f"<div class=dish>{card.format(dish)}<div class=about>{about}</div></div>" for dish, about in
                   zip(("Soup", "Cake", "Stew"), ABOUT, strict=True))  # fmt: skip


def kept_of(html: str, nearness: float, kinds: bytes | None = None, *, is_thread: bool = False) -> set[str]:
    """Return the kept texts, except the descriptions of the dishes."""
    near = dict.fromkeys(range(100), nearness)
    selection = make_selection(html, lambda block: block.text in ABOUT, nearness=near, kinds=kinds)
    selection.is_thread = is_thread
    complete_cards(selection)
    return {*list_kept(selection)} - {*ABOUT}


@pytest.mark.parametrize(
    ("card", "nearness", "kept"),
    [
        ("<div>{}</div>", 0.85, {"Soup", "Cake", "Stew"}),
        ("<div>{}</div>", 0.7, set()),
        ("<h3>{}</h3>", 0.7, {"Soup", "Cake", "Stew"}),
        ("<h1>{}</h1>", 0.9, set()),
        ("<div><a href=/d>{}</a></div>", 0.9, set()),
        ("<div>Order</div><!--{}-->", 0.9, set()),
    ],
    ids=["names nearly chosen", "names less than that", "headings", "headings of pages", "links", "the same in all"],
)
def test_card_texts_close_to_the_cut_are_kept(card: str, nearness: float, kept: set[str]) -> None:
    assert kept_of(show(card), nearness) == kept


def test_prices_of_cards_are_kept() -> None:
    html = "".join(
        f"<div class=dish><p>{about}</p><b>x</b><div>${n}.50</div></div>" for n, about in enumerate(ABOUT, 7)
    )
    assert kept_of(html, 0.7) == {"$7.50", "$8.50", "$9.50"}


def test_cards_next_to_an_article_are_dropped() -> None:
    assert kept_of(show("<h3>{}</h3>"), 0.9, ARTICLE) == set()


def test_cards_of_a_thread_are_not_completed() -> None:
    assert kept_of(show("<h3>{}</h3>"), 0.9, is_thread=True) == set()


def test_time_grows_linearly_with_the_page() -> None:
    def prepared(size: int) -> Callable[[], object]:
        html = "".join(f"<div class=c><p>one two {n}<p>${n}</div>" for n in range(size))
        selection = make_selection(html, nearness=dict.fromkeys(range(2 * size), 0.9))
        return lambda: complete_cards(selection)

    assert_linear(prepared, 2_000)


def test_linked_titles_at_the_start_of_cards_are_kept() -> None:
    html = "".join(
        f"<article><header><a href=/n/{number}>The crane turns {number} times</a></header>"
        f"<a href=/n/{number}><img src=/i/{number}.jpg></a><p>kept It stood still for a year.</p></article>"
        for number in range(4)
    )
    selection = make_selection(
        f"<body>{html}", lambda block: "kept" in block.text, nearness=dict.fromkeys(range(8), 0.4)
    )
    complete_cards(selection)
    assert all(selection.kept)
    low = make_selection(f"<body>{html}", lambda block: "kept" in block.text, nearness=dict.fromkeys(range(8), 0.2))
    complete_cards(low)
    assert sum(low.kept) == 4
