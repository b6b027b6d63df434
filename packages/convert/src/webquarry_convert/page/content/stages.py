"""The stages that decide which texts of a page are content, in the order in which they run."""

from collections.abc import Callable
from typing import NamedTuple

from webquarry_convert.page.content.cards import complete_cards
from webquarry_convert.page.content.copies import drop_copies
from webquarry_convert.page.content.echoes import drop_echoes
from webquarry_convert.page.content.fact_rows import mark_fact_rows
from webquarry_convert.page.content.headings import keep_headings
from webquarry_convert.page.content.ingredients import keep_ingredients
from webquarry_convert.page.content.marks import mark_dropped
from webquarry_convert.page.content.records import keep_records
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.sheets import keep_sheets
from webquarry_convert.page.content.stated import keep_stated
from webquarry_convert.page.content.titles import keep_title
from webquarry_convert.page.content.whole_blocks import complete_wholes


class Stage(NamedTuple):
    """A step of the selection.

    after: names of the stages that must run before. assumes: the results of these stages that the stage uses.
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
    Stage("cards", complete_cards, ("cut", "records"), "a text of most cards is kept; it is known whether posts are"),
    Stage("ingredients", keep_ingredients, (), "the page's data list its recipes"),
    Stage("stated facts", keep_stated, ("cut", "ingredients"), "headings and codes that are kept are not added again"),
    Stage("sheets", keep_sheets, ("stated facts",), "it is known whether the page is about one product"),
    Stage("fact rows", mark_fact_rows, ("stated facts", "cards"), "the texts around sheets of rows are decided"),
    Stage("copies", drop_copies, ("records", "cards", "stated facts", "fact rows"), "all single texts are decided"),
    Stage("wholes", complete_wholes, ("copies",), "copies are gone: they would fill tables and lists"),
    Stage("headings", keep_headings, ("wholes",), "the texts below headings are decided"),
    Stage("title", keep_title, ("records", "headings"), "the first kept text is the one that the title stands above"),
    Stage("echoes", drop_echoes, ("title",), "all texts are decided: it only drops parts of kept ones"),
    Stage("marks", mark_dropped, ("echoes",), "all texts are decided: it marks the tree by them"),
)


def run_stages(selection: Selection) -> None:
    """Run all stages and mark dropped texts in the tree."""
    for stage in STAGES:
        selection.stage = stage.name
        stage.apply(selection)
