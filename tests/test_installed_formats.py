"""Formats that an installed distribution adds, in the service: its code runs in children only."""

import sys
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import pytest_asyncio

from convert_support.distribution import AS_MARKDOWN, SRT, SUBTITLES, install, install_srt
from webquarry.convert.file import CONVERT, PRELOADED
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed, UnsupportedType
from webquarry.core.types import Deadline
from webquarry.endpoints import declare
from webquarry.extractors.web.markdown_file import extractor
from webquarry.workers import places
from webquarry.workers.job import Job, Word
from webquarry.workers.workers import Workers

CLOCK = SystemClock()
GUIDE = Path(__file__).parents[1] / "docs" / "adding-a-format.md"
SPY = """
from webquarry_convert.formats import Document, Format
FORMAT = Format(name="spy", label="Spy", reader="webquarry_spy:read", signatures=(b"SPY",))
def read(body):
    import socket
    open(body[3:].decode()).read() if body[3:] else socket.create_connection(("127.0.0.1", 9))
    return Document("out")
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that counts as one of the interpreter's, with two distributions and a broken one."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    install_srt(folder)
    install(folder, "webquarry-spy", {"webquarry_spy": SPY}, {"spy": "webquarry_spy:FORMAT"})
    install(folder, "webquarry-broken", {"webquarry_broken": "import missing"}, {"broken": "webquarry_broken:FORMAT"})
    before = places._find_installed()
    monkeypatch.setattr(places, "_find_installed", lambda: (*before, str(folder)))
    monkeypatch.syspath_prepend(str(folder))
    declare._list_added.cache_clear()
    yield folder
    declare._list_added.cache_clear()


@pytest_asyncio.fixture
async def workers(installed: Path) -> AsyncIterator[Workers]:
    made = Workers(CLOCK, preload=PRELOADED, size=1, spares=0)
    yield made
    await made.close()


async def detect(workers: Workers, body: bytes, name: str) -> str:
    assert extractor.upload is not None
    job = Job[str](extractor.upload.check, Word)
    return (await workers.run(job, body, {"name": name}, deadline=Deadline.after(60, CLOCK))).facts


async def convert(workers: Workers, body: bytes, name: str) -> str:
    given = await workers.run(CONVERT, body, {"name": name}, deadline=Deadline.after(60, CLOCK), subject="file")
    return given.pieces[-1].decode()


@pytest.mark.asyncio
async def test_an_upload_of_an_installed_format_is_detected_and_converted_in_a_child(workers: Workers) -> None:
    assert await detect(workers, SUBTITLES, "film.srt") == "srt"
    assert await convert(workers, SUBTITLES, "film.srt") == AS_MARKDOWN
    assert await detect(workers, b"Name,Score\nAda,12\nGrace,15\n", "scores.csv") == "csv"
    assert "webquarry_srt" not in sys.modules


@pytest.mark.asyncio
async def test_the_added_reader_is_isolated_like_built_in_readers(workers: Workers, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for body in (b"SPY" + str(secret).encode(), b"SPY"):
        with pytest.raises(ConversionFailed, match=r"the format spy of webquarry-spy 1\.0 failed with \w*Error"):
            await convert(workers, body, "a.spy")


@pytest.mark.asyncio
async def test_an_unsupported_upload_names_the_broken_distribution(workers: Workers) -> None:
    with pytest.raises(UnsupportedType, match=r"The format broken of webquarry-broken 1\.0 is installed, but cannot"):
        await detect(workers, b"\x7fELF\x02\x01\x01" + bytes(64), "a")


def test_the_description_of_the_upload_names_the_added_formats(installed: Path) -> None:
    assert extractor.upload is not None
    assert entry_points(group=extractor.upload.formats).names == {"srt", "spy", "broken"}
    assert extractor.upload.describe().endswith("doesn't matter. Formats added here: broken, spy, srt.")
    assert "webquarry_srt" not in sys.modules


def test_the_description_is_as_declared_without_added_formats() -> None:
    declare._list_added.cache_clear()
    assert extractor.upload is not None
    assert extractor.upload.describe() == extractor.upload.description


def test_the_example_of_the_guide_is_the_tested_one() -> None:
    assert SRT.strip() in GUIDE.read_text()
