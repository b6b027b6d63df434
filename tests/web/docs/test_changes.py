"""The day on which a reference last changed, and the link to edit it."""

import importlib.metadata
from dataclasses import replace
from datetime import date
from email.message import Message
from pathlib import Path

import pytest

import webquarry
from support.visits import Browser
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import Registry, load
from webquarry.net.player import Player
from webquarry.web.docs import changes

TODAY = date(2026, 12, 1)
SEARCH = load().by_name["search"]


def make_known(day: str, registry: Registry) -> changes.Dates:
    return {each.name: (day, changes._digest(each)) for each in registry}


def test_file_knows_every_endpoint_and_no_other() -> None:
    """If it does not, run `make generated`."""
    dates = changes.read_dates()
    assert set(dates) == set(load().by_name)
    for day, digest in dates.values():
        assert date.fromisoformat(day)
        assert digest


@pytest.mark.parametrize(
    "changed",
    [
        replace(SEARCH, description="Another description."),
        replace(SEARCH, variants={}, credits=SEARCH.credits + 1),
        replace(SEARCH, variants={}, params=load().by_name["maps"].params, example={}),
        replace(SEARCH, deadline_s=SEARCH.deadline_s + 1),
    ],
    ids=["description", "price", "parameters", "deadline"],
)
def test_changed_reference_has_no_date_until_its_date_is_written(
    changed: Extractor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    registry = Registry((SEARCH,))
    file = tmp_path / "changes.json"
    monkeypatch.setattr(changes, "FILE", file)

    def write(of: Registry, known: changes.Dates) -> None:
        file.write_text(changes.write_dates(of, known, TODAY))
        changes.read_dates.cache_clear()

    write(registry, make_known("2026-11-01", registry))
    try:
        assert changes.find_change(SEARCH) == date(2026, 11, 1)
        assert changes.find_change(changed) is None
        write(Registry((changed,)), changes.read_dates())
        assert changes.find_change(changed) == TODAY
    finally:
        changes.read_dates.cache_clear()


@pytest.mark.parametrize(
    ("label", "address", "edited"),
    [
        ("Repository", "https://github.com/a/b", "https://github.com/a/b/edit/main/src/webquarry/x.py"),
        ("Source", "https://github.com/a/b.git", "https://github.com/a/b/edit/main/src/webquarry/x.py"),
        ("source code", "https://gitlab.com/a/b/", "https://gitlab.com/a/b/-/edit/main/src/webquarry/x.py"),
        ("Repository", "https://git.example/a/b", None),
        ("Homepage", "https://github.com/a/b", None),
    ],
)
def test_edit_link_follows_the_metadata_of_the_package(
    label: str, address: str, edited: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = Message()
    metadata["Project-URL"] = "Issues, https://github.com/a/b/issues"
    metadata["Project-URL"] = f"{label}, {address}"
    monkeypatch.setattr(importlib.metadata, "metadata", lambda _name: metadata)
    assert changes.write_edit_address(changes.find_repository(), "x.py") == edited


async def test_page_of_an_endpoint_shows_its_day_and_its_edit_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.web.docs.docs.find_repository", lambda: "https://github.com/a/b")
    registry = load()
    monkeypatch.setattr(changes, "read_dates", lambda: make_known("2026-11-01", registry))
    async with assemble(Settings(data_dir=tmp_path), transport=Player([])) as service:
        browser = Browser(service.asgi())
        page = await browser.get("/docs/api/search")
        assert "Last changed on 2026-11-01" in page.words
        found = page.text.partition('href="https://github.com/a/b/edit/main/src/')[2].partition('"')[0]
        assert (Path(webquarry.__file__).parents[1] / found).is_file()
        guide = await browser.get("/docs/caching")
        assert "Last changed" not in guide.words
        assert "Edit this page" not in guide.words
