"""Third-party notices are read from the installed packages."""

from importlib import metadata

from webquarry.cli.licences import find_notices


def test_every_package_that_the_service_needs_is_named_with_version_and_licence() -> None:
    notices = {notice.name.lower(): notice for notice in find_notices()}
    assert notices["aiohttp"].version == metadata.version("aiohttp")
    assert notices["lxml"].licence == "BSD-3-Clause"
    assert notices["multidict"].home.startswith("https://")  # an indirect requirement
    assert [notice.name for notice in notices.values() if notice.licence == "not stated"] == []


def test_development_packages_are_left_out() -> None:
    names = {notice.name.lower() for notice in find_notices()}
    assert not names & {"pytest", "mypy", "ruff", "hypothesis"}


def test_licences_come_with_their_texts() -> None:
    notices = find_notices()
    with_texts = [notice for notice in notices if notice.texts]
    assert len(with_texts) > 0.8 * len(notices)
    aiohttp = next(notice for notice in notices if notice.name == "aiohttp")
    assert any("Apache License" in text for text in aiohttp.texts.values())
