import random
from collections.abc import Callable

import pytest

from convert_support.effort import assert_linear
from webquarry.crawl.repeats import Furniture, learn

WORDS = (
    *("bread", "flour", "water", "salt", "oven", "crust", "crumb", "rye", "wheat"),
    *("yeast", "dough", "loaf", "bake", "slice", "butter", "knife", "table", "morning"),
)
MENU = "[Home](https://example.com/) [Docs](https://example.com/docs)\n\n- Sign in\n- Cart (0)"
FOOTER = "## Newsletter\n\nOne letter a month, no advertising.\n\n© 2026 Example Ltd. All rights reserved."
RELATED = "## Popular guides\n\n- [Sourdough](https://example.com/s)\n- [Rye](https://example.com/r)"


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=20)).capitalize() + "."


def body(seed: int, paragraphs: int = 6) -> str:
    chance = random.Random(seed)
    parts = [sentence(chance) for _ in range(paragraphs)]
    parts.insert(3, f"## About {seed}")
    return "\n\n".join(parts)


def page(seed: int, *, menu: bool = True, related: bool = True, footer: bool = True) -> str:
    parts = [f"# Page {seed}"]
    parts += [MENU] if menu else []
    text = body(seed).split("\n\n")
    parts += text[:3] + ([RELATED] if related else []) + text[3:]
    parts += [FOOTER] if footer else []
    return "\n\n".join(parts) + "\n"


def bare(seed: int) -> str:
    return f"# Page {seed}\n\n{body(seed)}\n"


def test_furniture_is_left_out_and_content_kept() -> None:
    pages = [page(seed, related=seed % 2 == 0) for seed in range(12)]
    furniture = learn(pages)
    assert [furniture.remove(one) for one in pages] == [bare(seed) for seed in range(12)]


def test_two_pages_show_no_furniture() -> None:
    pages = [page(1), page(2)]
    assert learn(pages) == Furniture()
    assert learn(pages).remove(pages[0]) == pages[0]


def test_page_seen_later_loses_the_same_furniture() -> None:
    assert learn([page(seed) for seed in range(3)]).remove(page(99)) == bare(99)


def test_sentence_that_repeats_within_the_content_is_kept() -> None:
    warning = "Let the loaf cool for an hour before you cut it."
    pages = [bare(seed).replace("\n\n## About", f"\n\n{warning}\n\n## About") for seed in range(9)]
    furniture = learn(pages)
    assert [furniture.remove(one) for one in pages] == pages


def test_copies_of_a_page_are_kept() -> None:
    pages = [bare(1)] * 5
    assert learn(pages).remove(pages[0]) == pages[0]


def test_heading_that_repeats_with_other_content_is_kept() -> None:
    pages = [f"{bare(seed)}\n## Ingredients\n\n- {seed} g of flour\n- {seed + 1} g of water\n" for seed in range(9)]
    furniture = learn(pages)
    assert [furniture.remove(one) for one in pages] == pages


def test_removal_is_final() -> None:
    furniture = learn([page(seed) for seed in range(5)])
    once = furniture.remove(page(7))
    assert furniture.remove(once) == once


@pytest.mark.parametrize("text", ["", "\n", "# \n", "```\n", "| a |\n"])
def test_any_text_is_taken(text: str) -> None:
    assert learn([text] * 4).remove(text) == text


def test_learning_grows_linearly() -> None:
    def prepare(size: int) -> Callable[[], object]:
        pages = [body(seed, paragraphs=size) for seed in range(4)]
        return lambda: learn(pages).remove(pages[0])

    assert_linear(prepare, 400)
