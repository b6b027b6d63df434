"""The suite itself: it detects requests to the private target, reports settings that allow them, and stays local."""

import asyncio
import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from doctor.runs import defended
from webquarry.cli import main
from webquarry.core.settings import Settings
from webquarry.doctor.egress.adversary import GREETING, Adversary
from webquarry.doctor.egress.attack import PRIVATE, SITE, SITE_ADDRESS, Attack
from webquarry.doctor.egress.attacks import list_attacks
from webquarry.doctor.egress.network import Network
from webquarry.net.guard import Guard
from webquarry.net.target import TargetRule

BY_NAME = {attack.name: attack for attack in list_attacks()}
PLAIN = BY_NAME["spelling: plain"]
REBINDS = BY_NAME["rebinding: between two requests"]
SMTP = BY_NAME["port: mail"]


def _doctor(tmp_path: Path, *arguments: str, **settings: str) -> Result:
    environment = {"WEBQUARRY_DATA_DIR": str(tmp_path / "data"), **settings}
    return CliRunner().invoke(main, ["doctor", "egress", "--no-browser", *arguments], env=environment)


class TestHoles:
    """The suite's report if the installed code allows an attack."""

    def test_missing_target_rule_is_detected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(TargetRule, "check", lambda *_: None)
        monkeypatch.setattr(TargetRule, "is_opened", lambda *_: False)
        found = defended([SMTP, PLAIN], Settings())
        assert found[SMTP.name].verdict == "reached"
        assert found[PLAIN.name].verdict == "held"  # refused by the guard when the socket is created

    def test_missing_guard_is_detected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def addresses(self: Guard, host: str) -> object:
            return await self.resolve(host)

        monkeypatch.setattr(Guard, "addresses", addresses)
        monkeypatch.setattr(Guard, "make_socket", lambda _, info: socket.socket(info[0], info[1], info[2]))
        found = defended([BY_NAME["name: plainly private"], BY_NAME["name for: metadata of most clouds"]], Settings())
        assert {finding.verdict for finding in found.values()} == {"reached"}

    def test_command_fails_if_an_attack_succeeds(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(TargetRule, "check", lambda *_: None)
        done = _doctor(tmp_path, "--only", "port")
        assert done.exit_code == 1
        assert f"reached  port: SSH: a connection was made to {SITE_ADDRESS} port 22" in done.output


class TestSettings:
    def test_opened_target_is_reported_but_not_as_a_failure(self) -> None:
        found = defended([PLAIN, SMTP, REBINDS], Settings(egress_allow=("127.0.0.1:80",)))
        assert [finding.verdict for finding in found.values()] == ["opened", "held", "held"]

    def test_opened_name_is_reported_but_not_as_a_failure(self) -> None:
        found = defended([BY_NAME["name: plainly private"]], Settings(egress_allow=(f"{PRIVATE}:80",)))
        assert [finding.verdict for finding in found.values()] == ["opened"]

    def test_opened_port_is_reported_but_not_as_a_failure(self) -> None:
        found = defended([SMTP, BY_NAME["port: SSH"]], Settings(egress_ports=(25,)))
        assert [finding.verdict for finding in found.values()] == ["opened", "held"]

    def test_command_reports_open_targets_and_who_resolves_names(self, tmp_path: Path) -> None:
        done = _doctor(
            tmp_path,
            *("--only", "spelling: plain"),
            WEBQUARRY_EGRESS_ALLOW="127.0.0.1:80",
            WEBQUARRY_EGRESS_PORTS="25",
            WEBQUARRY_PROXY_URL="http://proxy.example:3128",
        )
        assert done.exit_code == 0
        assert "EGRESS_ALLOW allows 127.0.0.1:80" in done.output
        assert "EGRESS_PORTS allows the ports 25" in done.output
        assert "it resolves host names" in done.output
        assert "opened   spelling: plain" in done.output


class TestCommand:
    def test_blocked_attacks_exit_with_success(self, tmp_path: Path) -> None:
        done = _doctor(tmp_path, "--only", "spelling", "--only", "rebinding", "--quiet")
        assert (done.exit_code, done.output.count("\n")) == (0, 1)
        assert "No attack succeeded." in done.output
        assert not (tmp_path / "data").exists()

    def test_json_has_all_findings(self, tmp_path: Path) -> None:
        done = _doctor(tmp_path, "--only", "spelling: plain", "--only", "page scheme", "--json")
        report = json.loads(done.stdout)
        assert done.exit_code == 0
        assert report["ok"]
        assert report["counts"]["held"] == 1
        assert report["counts"]["skipped"] == 6
        assert report["attacks"][0] | {"seconds": 0, "memory_mb": 0} == {
            "name": "spelling: plain",
            "family": "spelling",
            "tries": PLAIN.tries,
            "verdict": "held",
            "why": report["attacks"][0]["why"],
            "outcome": "unsafe_target",
            "seconds": 0,
            "memory_mb": 0,
        }

    def test_unknown_attack_is_reported_in_a_sentence(self, tmp_path: Path) -> None:
        done = _doctor(tmp_path, "--only", "nothing")
        assert done.exit_code == 1
        assert "No attack's name starts with this text" in done.output


class TestNetwork:
    def _run(self, address: str, port: int) -> tuple[bytes, list[tuple[str, int]]]:
        network = Network()

        async def run() -> bytes:
            async with Adversary(network) as adversary:
                adversary.begin(Attack("any: any", "any"))
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                with socket.socket(family, socket.SOCK_STREAM) as sock:
                    sock.setblocking(False)
                    await network.sock_connect(sock, (address, port))
                    await network.sock_sendall(sock, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    return await network.sock_recv(sock, 65536)

        with asyncio.Runner(loop_factory=lambda: network) as runner:
            return runner.run(run()), network.dialled

    @pytest.mark.parametrize("address", ["10.0.0.1", "198.41.0.4", "169.254.169.254", "fd00:ec2::254", "ff02::1"])
    def test_every_address_leads_to_the_private_target(self, address: str) -> None:
        heard, dialled = self._run(address, 80)
        assert heard.startswith(b"HTTP/1.1 200")
        assert GREETING in heard
        assert dialled == [(address, 80)]

    def test_site_is_at_its_address(self) -> None:
        heard, _ = self._run(SITE_ADDRESS, 80)
        assert b"<title>A page</title>" in heard
        assert GREETING not in heard

    def test_other_ports_of_the_site_do_not_belong_to_it(self) -> None:
        assert GREETING in self._run(SITE_ADDRESS, 6379)[0]

    def test_default_site_is_public(self) -> None:
        found = defended([Attack("any: plain page", "A page that may be read.", (f"http://{SITE}/",))], Settings())
        assert [(finding.verdict, finding.outcome) for finding in found.values()] == [("held", "answer")]
