import random
from collections.abc import Callable, Sequence

import pytest

from convert_support.effort import assert_linear
from webquarry.crawl.repeats import MOST_SEEN, Seen, find_furniture, leave_out, list_parts
from webquarry.excerpts.blocks import split

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


def see(pages: Sequence[str]) -> Seen:
    seen = Seen()
    for one in pages:
        seen.add(list_parts(split(one)))
    return seen


def clear(text: str, seen: Seen) -> str:
    return leave_out(text, find_furniture(split(text), seen.list_known()))


def test_furniture_of_three_pages_is_left_out_and_content_kept() -> None:
    seen = see([page(1), page(2)])
    assert clear(page(3), seen) == bare(3)
    assert clear(page(4, related=False), seen) == bare(4)


def test_second_page_keeps_everything() -> None:
    assert clear(page(2), see([page(1)])) == page(2)


def test_part_on_few_of_many_pages_is_kept() -> None:
    seen = see([page(seed, menu=seed < 3) for seed in range(12)])
    assert clear(page(99), seen).startswith(f"# Page 99\n\n{MENU}")


def test_sentence_that_repeats_within_the_content_is_kept() -> None:
    warning = "Let the loaf cool for an hour before you cut it."
    pages = [bare(seed).replace("\n\n## About", f"\n\n{warning}\n\n## About") for seed in range(9)]
    assert [clear(one, see(pages)) for one in pages] == pages


def test_copies_of_a_page_are_kept() -> None:
    assert clear(bare(1), see([bare(1)] * 5)) == bare(1)


@pytest.mark.parametrize("content", ["- {0} g of flour\n- {0} g of water", "{0} grams are enough."])
def test_heading_that_repeats_with_other_content_is_kept(content: str) -> None:
    first = [f"## Ingredients\n\n{content.format(seed)}\n\n{body(seed)}\n" for seed in range(9)]
    last = [f"{bare(seed)}\n## Ingredients\n\n{content.format(seed)}\n" for seed in range(9)]
    assert [clear(one, see(first)) for one in first] == first
    assert [clear(one, see(last)) for one in last] == last


def test_title_that_repeats_is_kept() -> None:
    pages = [f"# The mill\n\n{MENU}\n\n{body(seed)}\n" for seed in range(9)]
    assert clear(pages[0], see(pages)) == f"# The mill\n\n{body(0)}\n"


def test_removal_is_final() -> None:
    seen = see([page(seed) for seed in range(5)])
    once = clear(page(7), seen)
    assert clear(once, seen) == once


def test_parts_of_many_pages_need_bounded_memory() -> None:
    seen = see([page(seed) for seed in range(200)])
    assert len(seen._counts) <= MOST_SEEN
    assert clear(page(999), seen) == bare(999)


@pytest.mark.parametrize("text", ["", "\n", "# \n", "```\n", "| a |\n"])
def test_any_text_is_taken(text: str) -> None:
    assert clear(text, see([text] * 4)) == text


def test_finding_furniture_grows_linearly() -> None:
    def prepare(size: int) -> Callable[[], object]:
        pages = [body(seed, paragraphs=size) for seed in range(4)]
        return lambda: clear(pages[0], see(pages))

    assert_linear(prepare, 400)
