"""Minimum quality of the conversion for each kind of generated page, slightly below the measured values.

A minimum may be lowered only if a deliberate change improves other pages by more, and the commit states both figures.
`floor/NAME.html` is a whole page of its kind, including everything around the content; `floor/NAME.md` is the part that
a careful person would keep. The expected text is based on the page, and never on the converter's output.
"""

from pathlib import Path
from statistics import mean

import pytest

from convert_support.agreement import agreement
from webquarry_convert.page import to_markdown

FOLDER = Path(__file__).with_name("floor")
FLOORS = {
    "article_newsroom": ("https://harbour-gazette.example.com/2025/03/ferry-line-returns/", 0.94, 0.86),
    "article_craft_ja": ("https://kissa-note.example.com/2024/11/kappan/", 0.93, 0.72),
    "documentation_schedules": ("https://docs.tideline.example.com/en/stable/guide/scheduling.html", 0.99, 0.98),
    "documentation_labels": ("https://developers.parcelo.example.com/docs/labels/create", 0.98, 0.99),
    "forum_lathe": ("https://boards.lathe-and-loom.example.com/viewtopic.php?t=3381", 0.95, 0.59),
    "forum_noscript": ("https://talk.orchard-os.example.com/t/suspend/8812", 0.93, 0.98),
    "product_lantern": ("https://northfold.example.com/products/kestrel-trail-lantern", 0.95, 0.97),
    "product_oil_ar": ("https://souq-zayt.example.com/product/zayt-750/", 0.97, 0.98),
    "listing_events": ("https://millbrook-hall.example.com/events", 0.87, 0.79),
    "listing_jobs": ("https://work.ostervik.example.com/jobs", 0.88, 0.91),
    "collection_paper": ("https://papier-und-faden.example.com/papier", 0.87, 0.64),
    "collection_recipes": ("https://pots.example.com/season.php", 0.93, 0.94),
    "service_books": ("https://ledgerleaf.example.com/", 0.93, 0.97),
    "service_vets": ("https://vets-at-the-mill.example.com/", 0.71, 0.72),
}
"""Pages by name, each with its URL, the minimum F1 of its tokens, and the minimum mean F1 over its kinds of
structure."""
MEANS = {
    "tokens": 0.92,
    "headings": 0.82,
    "links": 0.72,
    "images": 0.95,
    "list items": 0.96,
    "cells": 0.99,
    "code": 0.98,
}
"""Minimum mean for each kind of structure, over the pages that should contain this kind."""


def _scores(name: str) -> dict[str, float]:
    page = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    wanted = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    address = FLOORS[name][0]
    return agreement(wanted, to_markdown(page, address), address)


def test_every_page_has_a_minimum_score() -> None:
    assert {path.stem for path in FOLDER.glob("*.html")} == set(FLOORS) == {path.stem for path in FOLDER.glob("*.md")}


@pytest.mark.parametrize("name", FLOORS)
def test_page_reaches_its_minimum_score(name: str) -> None:
    scores = _scores(name)
    _, tokens, structure = FLOORS[name]
    assert scores.pop("tokens") >= tokens
    assert mean(scores.values()) >= structure


def test_means_reach_their_minimum_scores() -> None:
    pages = [_scores(name) for name in FLOORS]
    for kind, floor in MEANS.items():
        assert mean(scores[kind] for scores in pages if kind in scores) >= floor, kind


def test_expected_text_agrees_with_itself_and_not_with_another() -> None:
    first, second = ((FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in list(FLOORS)[:2])
    assert set(agreement(first, first, "https://example.com/").values()) == {1.0}
    assert agreement(first, second, "https://example.com/")["tokens"] < 0.2
