"""The stages that decide which of a page's blocks are content, in the order in which they run."""

from collections.abc import Callable
from typing import NamedTuple

from webquarry_convert.page.content.bare_headings import drop_bare_headings
from webquarry_convert.page.content.cards import complete_cards
from webquarry_convert.page.content.copies import drop_copies
from webquarry_convert.page.content.counts import drop_counts
from webquarry_convert.page.content.echoes import drop_echoes
from webquarry_convert.page.content.fact_rows import mark_fact_rows
from webquarry_convert.page.content.headings import keep_headings
from webquarry_convert.page.content.ingredients import keep_ingredients
from webquarry_convert.page.content.marks import mark_dropped
from webquarry_convert.page.content.records import keep_records
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.sheets import keep_sheets
from webquarry_convert.page.content.shortcodes import remove_shortcodes
from webquarry_convert.page.content.stated import keep_stated
from webquarry_convert.page.content.tabs import label_panels
from webquarry_convert.page.content.titles import keep_title
from webquarry_convert.page.content.whole_blocks import complete_wholes


class Stage(NamedTuple):
    """A step of the selection.

    after: names of the stages that must run earlier. assumes: the results of these stages that the stage uses.
    """

    name: str
    apply: Callable[[Selection], None]
    after: tuple[str, ...]
    assumes: str


def keep_likely(selection: Selection) -> None:
    """Keep each text whose chance reaches the cut."""
    nearness = selection.nearness
    selection.keep([number for number in selection.judged if nearness[number] >= 1])


STAGES = (
    Stage("cut", keep_likely, (), "every judged block has a nearness"),
    Stage("records", keep_records, ("cut",), "the texts of most posts and rows are kept"),
    Stage("cards", complete_cards, ("cut", "records"), "most cards and posts have a kept text"),
    Stage("ingredients", keep_ingredients, (), "the page's data contains its recipes"),
    Stage("stated facts", keep_stated, ("cut", "ingredients"), "kept headings and codes are known"),
    Stage("sheets", keep_sheets, ("stated facts",), "`is_product` is set"),
    Stage("fact rows", mark_fact_rows, ("stated facts", "cards"), "the texts around sheets have a decision"),
    Stage("copies", drop_copies, ("records", "cards", "stated facts", "fact rows"), "all single texts have a decision"),
    Stage("wholes", complete_wholes, ("copies",), "no copies are left, which would complete tables and lists"),
    Stage("headings", keep_headings, ("wholes",), "the texts below headings have a decision"),
    Stage("title", keep_title, ("records", "headings"), "the first kept text is the text below the title"),
    Stage("bare headings", drop_bare_headings, ("headings", "title"), "all texts have a decision"),
    Stage("counts", drop_counts, ("records",), "`is_thread` is set"),
    Stage("shortcodes", remove_shortcodes, ("title",), "all texts have a decision"),
    Stage("tabs", label_panels, ("title",), "all texts have a decision"),
    Stage("echoes", drop_echoes, ("title",), "all texts have a decision, and only parts of kept texts are dropped"),
    Stage(
        "marks",
        mark_dropped,
        ("echoes", "shortcodes", "tabs"),
        "all texts have a decision, which determines the marks in the tree",
    ),
)


def run_stages(selection: Selection) -> None:
    """Run all stages and mark dropped blocks in the tree."""
    for stage in STAGES:
        selection.stage = stage.name
        stage.apply(selection)
