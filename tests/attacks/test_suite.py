"""The suite of hostile content: servers with a fault are detected, and the installed server withstands the attacks."""

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from attacks.__main__ import main
from attacks.attack import ANSWERED, Attack, Page, Upload
from attacks.attacks import ends, list_attacks
from attacks.markup import html
from attacks.pulse import Feeling
from attacks.pumps import PUMPS
from attacks.server import SERVE
from attacks.suite import Finding, play
from webquarry.cli import main as webquarry

BY_NAME = {attack.name: attack for attack in list_attacks()}
HONEST = Attack("honest: page", "An honest page.", Page(html), holds=ANSWERED)
ARCHIVE = Attack("honest: archive", "What is not read.", Page(lambda: b"PK\3\4" + bytes(2000), "application/zip"))
_CARELESS = Path(__file__).with_name("careless_server.py")
_BUSY_MS = 400.0
"""A shorter wait of `/healthz` may be caused by a shared machine."""


def played(attacks: Iterable[Attack], folder: Path, *fault: str) -> dict[str, Finding]:
    """Return the findings by name, of the installed server or of one with a fault."""
    command = (sys.executable, str(_CARELESS), *fault) if fault else SERVE

    async def run() -> dict[str, Finding]:
        playing = play(list(attacks), folder, browser=False, command=command)
        return {finding.attack.name: finding async for finding in playing}

    return asyncio.run(run())


def few() -> list[Attack]:
    """Return the fastest attack of each family, or the attack that failed most often. `make proofs` plays all."""
    names = (
        "small: picture named blank and zeros",
        "many: options",
        "shape: unclosed formatting",
        "text: returns",
        "sign: `",
        "encoding: name of a packer",
        "csv: columns",
        "workbook: merged sheet",
        "document: styles in a chain",
        "pdf: forms in each other",
        "picture: pixels",
        "upstream: head without end",
        "fairness: closed port",
        "fairness: 403",
    )
    return [BY_NAME[name] for name in names]


def gave_way(findings: Iterable[Finding]) -> dict[str, str]:
    """Return the reasons of failures by name, without waits that the machine may have caused."""
    return {
        finding.attack.name: finding.why
        for finding in findings
        if finding.verdict == "broke" and not (_is_wait_alone(finding) and finding.pulse.own_ms < _BUSY_MS)
    }


def _is_wait_alone(finding: Finding) -> bool:
    return finding.why.startswith("/healthz waited") and "; " not in finding.why


class TestFaults:
    """Each fault is put into a real server and must be reported correctly."""

    @pytest.mark.parametrize(
        ("fault", "why"),
        [
            pytest.param("stalls", "/healthz waited", marks=pytest.mark.long),
            pytest.param("fails", "it ends with internal_error (500)", marks=pytest.mark.long),
            pytest.param("hangs", "/healthz was not answered", marks=pytest.mark.long),
            pytest.param("leaks", "the server grew by", marks=pytest.mark.long),
            pytest.param("leaks_elsewhere", "a child grew to", marks=pytest.mark.long),
            pytest.param("neglects", "another account's small page waited", marks=pytest.mark.long),
        ],
    )
    def test_fault_is_detected(self, tmp_path: Path, fault: str, why: str) -> None:
        finding = played([HONEST], tmp_path, fault)[HONEST.name]
        assert finding.verdict == "broke"
        assert why in finding.why

    @pytest.mark.long
    def test_honest_page_is_not_reported(self, tmp_path: Path) -> None:
        assert not gave_way(played([HONEST, ARCHIVE], tmp_path).values())

    @pytest.mark.long
    def test_endless_call_is_detected(self, tmp_path: Path) -> None:
        finding = played([replace(HONEST, deadline_s=1.0)], tmp_path, "tarries")[HONEST.name]
        assert "the call had not ended" in finding.why

    @pytest.mark.long
    def test_charge_for_an_error_is_detected(self, tmp_path: Path) -> None:
        finding = played([ARCHIVE], tmp_path, "charges")[ARCHIVE.name]
        assert "the account has -1 credits that no answer told of" in finding.why

    @pytest.mark.long
    def test_server_that_does_not_stop_is_detected(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ends, "ENDS_WITHIN_S", 3.0)
        attack = BY_NAME["end: stop amid what never ends"]
        assert "it still ran 3 s after" in played([attack], tmp_path, "hears_nothing")[attack.name].why

    @pytest.mark.long
    def test_leaked_memory_is_detected(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ends, "QUIET_S", 2.0)
        attack = BY_NAME["end: memory after cells"]
        assert "it still holds" in played([attack], tmp_path, "leaks")[attack.name].why

    @pytest.mark.parametrize(
        ("fault", "name"),
        [
            pytest.param("resents", "fairness: closed port", marks=pytest.mark.long),
            pytest.param("resents", "fairness: 403", marks=pytest.mark.long),
            pytest.param("queues", "fairness: slow pages", marks=pytest.mark.long),
            pytest.param("crowds", "fairness: slow uploads", marks=pytest.mark.long),
        ],
    )
    def test_interference_between_accounts_is_detected(self, tmp_path: Path, fault: str, name: str) -> None:
        finding = played([BY_NAME[name]], tmp_path, fault)[name]
        assert finding.verdict == "broke"
        assert "another account" in finding.why or "paid for" in finding.why

    @pytest.mark.long
    def test_conversion_without_children_is_detected(self, tmp_path: Path) -> None:
        attack = BY_NAME["csv: rows"]
        finding = played([attack], tmp_path, "converts_itself")[attack.name]
        assert "/healthz" in finding.why


def test_a_few_attacks_are_blocked(tmp_path: Path) -> None:
    assert gave_way(played(few(), tmp_path).values()) == {}


@pytest.mark.long
def test_all_attacks_are_blocked(tmp_path: Path) -> None:
    async def run() -> list[Finding]:
        return [finding async for finding in play(list_attacks(), tmp_path)]

    assert gave_way(asyncio.run(run())) == {}


def test_incomplete_tape_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tape.toml").write_text("[[exchange]]\n")
    done = CliRunner().invoke(
        webquarry, ["serve", "--tapes", str(tmp_path), "--port", "0", "--data-dir", str(tmp_path)]
    )
    assert done.exit_code == 1
    assert "tape.toml: exchange 1 has no method." in done.output


class TestDeclarations:
    def test_every_family_has_several_attacks(self) -> None:
        counts = Counter(attack.family.partition(" of ")[0] for attack in list_attacks())
        assert len(list_attacks()) > 400
        assert min(counts.values()) >= 3

    def test_generated_content_is_within_the_size_limits(self) -> None:
        """At most 10 MB of a page or a file are read: anything larger is refused before it is parsed."""
        for attack in few():
            if isinstance(attack.way, Page | Upload):
                assert 0 < len(attack.way.makes()) < 10_485_760

    @pytest.mark.parametrize("pump", PUMPS)
    def test_inflating_a_response_keeps_its_shape(self, pump: str) -> None:
        made = PUMPS[pump](b'{"results": [{"title": "A title", "rank": 1}], "rest": []}')
        assert len(made) > 50_000
        assert made.startswith(b'{"results": [')
        if pump != "nested deeply":  # deeper than this parser supports
            assert set(json.loads(made, parse_int=str)) == {"results", "rest"}

    def test_inflating_a_response_keeps_its_guard(self) -> None:
        assert PUMPS["long lists"](b")]}'\n[[1, 2]]").startswith(b")]}'\n[[1, 2]")


class TestCommand:
    def test_list_describes_each_attack(self) -> None:
        done = CliRunner().invoke(main, ["--list"])
        assert "csv: quotes  (10 MB of quotes.)" in done.output

    def test_unknown_attack_is_reported_in_a_sentence(self) -> None:
        done = CliRunner().invoke(main, ["--only", "nothing"])
        assert (done.exit_code, "python -m attacks --list" in done.output) == (1, True)

    @pytest.mark.long
    def test_json_has_the_measurements(self) -> None:
        done = CliRunner().invoke(main, ["--only", "document: styles in a circle", "--json"])
        report = json.loads(done.stdout)
        assert set(report["counts"]) == {"broke", "skipped", "held"}
        assert report["attacks"][0]["longest_wait_ms"] > 0
        assert report["attacks"][0]["aim"] == "stall"


async def test_pulse_distinguishes_a_pause_from_idleness() -> None:
    """A pause of half a second is measured for the server, but not for the twin."""
    pause = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            try:
                await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            if pause.is_set():
                pause.clear()
                await asyncio.sleep(0.5)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        feeling = await Feeling.of("127.0.0.1", server.sockets[0].getsockname()[1], os.getpid())
        await asyncio.sleep(0.5)
        quiet = await feeling.take()
        pause.set()
        await asyncio.sleep(0.25)
        within = await feeling.take()
        await asyncio.sleep(0.75)
        after = await feeling.take()
        await feeling.end()
    assert quiet.asked > 10
    assert quiet.own_ms < 250
    assert 100 < within.silent_ms <= within.longest_ms
    assert 450 < after.longest_ms < 2000
    assert len(after.unserved_ms) == len(after.waits_ms)
    assert max(wait - unserved for wait, unserved in zip(after.waits_ms, after.unserved_ms, strict=True)) > 250
    assert after.twin_ms < after.longest_ms
    assert after.silent_ms < 250
