"""The list of domain ranks: fetched, indexed and looked up, at full size, and killed at any point."""

import asyncio
import io
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.origin import Asked, Origin, answer
from support.server import webquarry
from support.world import House, World
from webquarry.app import assemble
from webquarry.cli import main
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.settings import Settings
from webquarry.extractors.domain_intel.authority import AuthorityParams
from webquarry.extractors.domain_intel.model.rating import Authority
from webquarry.extractors.domain_intel.sources.untested import open_pagerank
from webquarry.providers.rank_list.index import FILE, build, find_row, read_about
from webquarry.providers.rank_list.rows import MAX_LINE, RankListError, Row, open_list, parse_rows
from webquarry.providers.rank_list.update import PART, RANK_LIST, index_file

HEADER = '"Rank","Domain","Extension","Open Page Rank","Referring Domains"\n'
AS_OF = datetime(2026, 9, 1, tzinfo=UTC)


def text_of(rows: int) -> Iterator[str]:
    yield HEADER
    for rank in range(1, rows + 1):
        yield f'"{rank}","site{rank}.example","example","{10 - 9 * rank / rows:.2f}","{rows - rank}"\n'


def zipped(text: str) -> bytes:
    shown = io.BytesIO()
    with zipfile.ZipFile(shown, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("top10milliondomains.csv", text)
    return shown.getvalue()


def index(folder: Path, rows: int) -> Path:
    build(parse_rows(text_of(rows)), folder / FILE, AS_OF)
    return folder / FILE


def found(path: Path, domain: str) -> Row | None:
    answer = find_row(path, domain)
    assert answer is not None
    return answer[1]


def params(domain: str) -> AuthorityParams:
    return AuthorityParams.model_validate({"domain": domain})


class TestRows:
    def test_columns_are_found_by_name(self) -> None:
        lines = ["Referring Domains,open_page_rank,domain\n", "7,5.5,Example.ORG.\n"]
        assert list(parse_rows(lines)) == [Row("example.org", 5.5, None, 7)]

    @pytest.mark.parametrize(("domain", "extension", "name"), [
        ("example.com", "com", "example.com"), ("example", "com", "example.com"),
        ("example.co", ".uk", "example.co.uk"),
        ("example.com", "", "example.com"), ("bücher.example", "example", "xn--bcher-kva.example"),
    ])  # fmt: skip
    def test_name_has_its_extension_once(self, domain: str, extension: str, name: str) -> None:
        [row] = parse_rows([HEADER, f'"1","{domain}","{extension}","3.1","9"\n'])
        assert row
        assert row.domain == name

    @pytest.mark.parametrize("cells", [
        '"1","x.example","","nan","1"', '"1","x.example","","11","1"', '"1","","","1","1"',
        '"1","x.example","","","1"', '"1","no name","","1","1"', "", "1",
    ])  # fmt: skip
    def test_line_without_name_or_rank_is_skipped(self, cells: str) -> None:
        assert [row for row in parse_rows([HEADER, cells + "\n"]) if row] == []

    @pytest.mark.parametrize("body", [
        b"", b"<html>sorry</html>", b"a,b\n1,2\n", b"\x00" * 99, b"PK\x03\x04broken",
        b"Domain,Open Page Rank\n" + b"x" * 9999,
        b'Domain,Open Page Rank\n"' + b"x,\n" * 99_999,
    ])  # fmt: skip
    def test_file_that_is_not_a_list_is_reported(self, tmp_path: Path, body: bytes) -> None:
        (tmp_path / "list.csv").write_bytes(body)
        with pytest.raises(RankListError):
            index_file(tmp_path / "list.csv", tmp_path / "data")
        assert read_about(tmp_path / "data" / FILE) is None

    def test_truncated_zip_is_reported(self, tmp_path: Path) -> None:
        body = bytearray(zipped("".join(text_of(5000))))
        body[len(body) // 2] ^= 0xFF
        (tmp_path / "list.zip").write_bytes(body)
        with pytest.raises(RankListError):
            index_file(tmp_path / "list.zip", tmp_path)
        (tmp_path / "list.zip").write_bytes(zipped("".join(text_of(5000)))[:-10])
        with pytest.raises(RankListError):
            index_file(tmp_path / "list.zip", tmp_path)

    def test_endless_line_is_not_kept_in_memory(self, tmp_path: Path) -> None:
        (tmp_path / "list.csv").write_bytes(b"x" * (MAX_LINE + 1))
        with pytest.raises(RankListError, match="a line of more than"), open_list(tmp_path / "list.csv") as lines:
            next(lines)


class TestIndex:
    def test_exactly_the_listed_domains_are_found(self, tmp_path: Path) -> None:
        path = index(tmp_path, 3000)
        for rank in range(1, 3001):
            assert found(path, f"site{rank}.example") == Row(
                f"site{rank}.example", float(f"{10 - 9 * rank / 3000:.2f}"), rank, 3000 - rank
            )
        assert [found(path, name) for name in ("site0.example", "site3001.example", "", "é")] == [None] * 4

    def test_best_rank_of_a_domain_is_kept(self, tmp_path: Path) -> None:
        rows = [Row("a.example", 5.0, 9, None), Row("a.example", 6.0, 3, None), Row("a.example", 1.0, None, None)]
        assert build(rows, tmp_path / FILE, AS_OF).rows == 1
        assert found(tmp_path / FILE, "a.example") == Row("a.example", 6.0, 3, None)

    def test_zero_is_a_rank_and_a_missing_rank_is_none(self, tmp_path: Path) -> None:
        build([Row("a.example", 0.0, None, None)], tmp_path / FILE, AS_OF)
        assert found(tmp_path / FILE, "a.example") == Row("a.example", 0.0, None, None)

    @pytest.mark.long
    def test_building_is_linear_and_takes_little_memory(self, tmp_path: Path) -> None:
        def build_s(rows: int) -> float:
            began = time.process_time()
            index(tmp_path / str(rows), rows)
            return time.process_time() - began

        build_s(1000)
        assert build_s(60_000) < 30 * min(build_s(6_000) for _ in range(3))
        tracemalloc.start()
        index(tmp_path / "measured", 40_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 16 * 1024 * 1024

    def test_look_up_takes_hardly_any_time_and_memory(self, tmp_path: Path) -> None:
        path = index(tmp_path, 50_000)
        names = [f"site{random.Random(7).randint(1, 100_000)}.example" for _ in range(300)]
        tracemalloc.start()
        began = time.process_time()
        for name in names:
            find_row(path, name)
        took_s = time.process_time() - began
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert took_s / len(names) < 0.005
        assert peak < 256 * 1024

    def test_list_that_lost_half_of_its_domains_is_refused(self, tmp_path: Path) -> None:
        path = index(tmp_path, 100)
        with pytest.raises(RankListError, match="only 40 domains, but the current one has 100"):
            index(tmp_path, 40)
        assert found(path, "site99.example")
        index(tmp_path, 60)
        assert found(path, "site99.example") is None

    def test_list_of_invalid_lines_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(RankListError, match="have no domain"):
            build([Row("a.example", 1.0, 1, 1), None, None], tmp_path / FILE, AS_OF)

    @pytest.mark.parametrize("stop", [0, 1, 2, 500, 999, 1000])
    def test_failure_at_any_line_keeps_the_old_index(self, tmp_path: Path, stop: int) -> None:
        path = index(tmp_path, 800)
        before = path.read_bytes()

        def rows() -> Iterator[Row | None]:
            for number, row in enumerate(parse_rows(text_of(1000))):
                if number == stop:
                    raise OSError(28, "No space left on device")
                yield row
            raise OSError(28, "No space left on device")

        with pytest.raises(OSError, match="No space"):
            build(rows(), path, AS_OF)
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) == [FILE]

    def test_killed_build_keeps_the_old_index_and_its_files_are_removed(self, tmp_path: Path) -> None:
        path = index(tmp_path, 500)
        before = path.read_bytes()
        script = (
            "import sys,time;from pathlib import Path;from datetime import datetime,UTC\n"
            "from webquarry.providers.rank_list.index import build\n"
            "from webquarry.providers.rank_list.rows import Row\n"
            "def rows():\n"
            "  for n in range(300_000):\n"
            "    if n == 200_000: print('here', flush=True); time.sleep(60)\n"
            "    yield Row(f'new{n}.example', 1.0, n, n)\n"
            "build(rows(), Path(sys.argv[1]), datetime.now(UTC))\n"
        )
        child = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
        assert child.stdout
        assert child.stdout.readline() == b"here\n"
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert path.read_bytes() == before
        [left] = [entry for entry in tmp_path.iterdir() if entry != path]
        os.utime(left, (0, 0))
        index(tmp_path, 500)
        assert os.listdir(tmp_path) == [FILE]

    @pytest.mark.parametrize("damage", [b"", b"wqranks1", b"x" * 4000])
    def test_damaged_index_is_reported(self, tmp_path: Path, damage: bytes) -> None:
        (tmp_path / FILE).write_bytes(damage)
        with pytest.raises(RankListError, match="ranks update"):
            find_row(tmp_path / FILE, "a.example")
        assert read_about(tmp_path / FILE) is None


class TestEndpoint:
    async def look_up(self, folder: Path, domain: str) -> Authority:
        with House(World({}), data_dir=folder).net(RANK_LIST) as net:
            wire = await open_pagerank.find(params(domain), net)
        return open_pagerank.read_list(wire, params(domain))

    async def test_rating_comes_under_the_indexes_own_name_with_its_age(self, tmp_path: Path) -> None:
        index(tmp_path, 100)
        answer = await self.look_up(tmp_path, "https://www.site1.example/a")
        assert (answer.domain_rating, answer.index, answer.source) == (99.1, "Open PageRank", "openpagerank")
        assert answer.details
        assert answer.details.model_dump(mode="json") == {
            "open_page_rank": 9.91, "rank": 1, "referring_domains": 99, "as_of": "2026-09-01",
            "age_days": 80,
        }  # fmt: skip

    async def test_missing_list_and_key_names_both_remedies(self, tmp_path: Path) -> None:
        with pytest.raises(ProviderError, match=r"WEBQUARRY_AHREFS_KEY.*webquarry ranks update") as caught:
            await self.look_up(tmp_path, "site1.example")
        assert caught.value.reason == "unavailable"

    async def test_domain_that_is_not_in_the_list_is_an_empty_result(self, tmp_path: Path) -> None:
        index(tmp_path, 100)
        with pytest.raises(EmptyResult, match=r"does not know shop\.site1\.example\. Try site1\.example"):
            await self.look_up(tmp_path, "shop.site1.example")

    async def test_readiness_states_the_age_of_the_list(self, tmp_path: Path) -> None:
        now = datetime.now(UTC)
        build(parse_rows(text_of(10)), tmp_path / FILE, now - timedelta(days=40))
        async with assemble(Settings(data_dir=tmp_path), serving=True) as service:
            [text] = [remark for remark in service.remarks() if "domain ranks" in remark]
            assert "40 days old" in text
            (tmp_path / FILE).unlink()
            assert not [remark for remark in service.remarks() if "domain ranks" in remark]


class Shelf:
    """Serves a list in pieces, and disconnects after some of them."""

    def __init__(self, body: bytes, pieces: int = 999, etag: str = '"1"') -> None:
        self.body, self.left, self.etag = body, pieces, etag

    def serve_piece(self, asked: Asked) -> bytes:
        first, _, last = asked.headers["range"].removeprefix("bytes=").partition("-")
        piece = self.body[int(first) : int(last) + 1]
        self.left -= 1
        if self.left < 0:
            return answer(503)
        span = f"bytes {first}-{int(first) + len(piece) - 1}/{len(self.body)}"
        headers = {"Content-Range": span, "ETag": self.etag, "Last-Modified": "Tue, 01 Sep 2026 00:00:00 GMT"}
        return answer(206, piece, headers)

    async def serve(self, asked: Asked, writer: object) -> None:
        writer.write(self.serve_piece(asked))  # type: ignore[attr-defined]
        await writer.drain()  # type: ignore[attr-defined]
        writer.close()  # type: ignore[attr-defined]


def large_list() -> bytes:
    """Return a list of more than two pieces. Its content can't be compressed."""
    noise = random.Random(1)
    lines = (f'"{n}","{noise.randbytes(60).hex()}.example","","{n % 1000 / 100}","{n}"\n' for n in range(1, 90_000))
    shown = io.BytesIO()
    with zipfile.ZipFile(shown, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("list.csv", HEADER + '"1","known.example","","7.25","12"\n' + "".join(lines))
    return shown.getvalue()


async def update(folder: Path, **settings: object) -> Result:
    """Run `webquarry ranks update` in a thread of this process."""
    line = ["ranks", "update", "--data-dir", str(folder)]
    given = {f"WEBQUARRY_{name.upper()}": str(value) for name, value in settings.items()}
    return await asyncio.to_thread(CliRunner().invoke, main, line, env=given)


class TestUpdate:
    async def test_interrupted_download_resumes(self, tmp_path: Path) -> None:
        async with Origin() as origin:
            body = large_list()
            first, second = Shelf(body, pieces=1), Shelf(body)
            url = origin.on("/real.zip", first.serve)
            start = origin.on("/list.zip", answer(302, headers={"Location": "/real.zip"}))
            settings = {"egress_allow": origin.target, "egress_ports": origin.port, "ranks_url": start}
            broken = await webquarry("ranks", "update", folder=tmp_path, settings=settings)
            assert broken.code == 1
            assert "4,194,304 bytes are kept" in broken.err
            assert read_about(tmp_path / FILE) is None
            assert origin.on("/real.zip", second.serve) == url
            done = await webquarry("ranks", "update", folder=tmp_path, settings=settings)
        assert (done.code, done.out) == (0, "90,000 domains, of 2026-09-01.\n"), done.err
        asked = [request.headers["range"] for request in origin.requests if request.target == "/real.zip"]
        assert asked.count("bytes=0-4194303") == 1
        assert found(tmp_path / FILE, "known.example") == Row("known.example", 7.25, 1, 12)
        assert not (tmp_path / PART).exists()

    @pytest.mark.long
    async def test_download_restarts_if_the_list_has_changed(self, tmp_path: Path) -> None:
        async with Origin() as origin:
            old, new = Shelf(large_list() + b"", pieces=1), Shelf(large_list(), etag='"2"')
            start = origin.on("/list.zip", old.serve)
            settings = {"egress_allow": origin.target, "egress_ports": origin.port, "ranks_url": start}
            assert (await webquarry("ranks", "update", folder=tmp_path, settings=settings)).code == 1
            origin.on("/list.zip", new.serve)
            assert (await webquarry("ranks", "update", folder=tmp_path, settings=settings)).code == 0
        assert found(tmp_path / FILE, "known.example")

    async def test_list_is_fetched_whole_if_the_server_lacks_ranges(self, tmp_path: Path) -> None:
        async with Origin() as origin:
            start = origin.on("/list.csv", answer(200, "".join(text_of(50)).encode()))
            settings = {"egress_allow": origin.target, "egress_ports": origin.port, "ranks_url": start}
            assert (await update(tmp_path, **settings)).exit_code == 0
        assert found(tmp_path / FILE, "site50.example")

    async def test_address_that_is_not_public_is_not_visited(self, tmp_path: Path) -> None:
        async with Origin() as origin:
            start = origin.on("/list.zip", Shelf(large_list()).serve)
            shown = await update(tmp_path, ranks_url=start)
        assert shown.exit_code == 1
        assert "Only public web addresses" in shown.stderr
        assert origin.requests == []

    async def test_unwritable_folder_is_reported(self, tmp_path: Path) -> None:
        async with Origin() as origin:
            start = origin.on("/list.zip", Shelf(large_list()).serve)
            settings = {"egress_allow": origin.target, "egress_ports": origin.port, "ranks_url": start}
            (tmp_path / PART).mkdir()
            shown = await update(tmp_path, **settings)
        assert shown.exit_code == 1
        assert shown.stderr.splitlines()[-1].startswith(f"Error: {tmp_path} can't be written: ")

    @pytest.mark.parametrize("form", ["list.csv", "list.zip"])
    async def test_local_file_replaces_the_download(self, tmp_path: Path, form: str) -> None:
        text = "".join(text_of(30))
        (tmp_path / form).write_bytes(zipped(text) if form.endswith("zip") else text.encode())
        done = await update(tmp_path, ranks_file=tmp_path / form)
        assert done.exit_code == 0, done.stderr
        assert found(tmp_path / FILE, "site30.example")
