"""The packets on a browser's only network link, whatever its flags are: only connections to the product's proxy."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from net.browser.packets.capture import Packet
from net.browser.packets.visit import DONE, OURS, PROXY_PORT

VISIT = Path(__file__).with_name("visit.py")
TESTS = Path(__file__).parents[3]
NAMESPACES = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
NEEDED = "ip link set lo up && ip link add wire type veth peer name eriw && nsenter --net=/proc/self/ns/net true"
CAPTURES = f"{sys.executable} -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)'"
STUN_PORT, TURN_PORT, DNS_PORT, HTTPS_RECORD = 3478, 3479, 53, "65"
REALMS = ("page", "blank", "srcdoc")


@dataclass(frozen=True, slots=True)
class Seen:
    """packets: sent by the browser; text: the page's final text; site_port: the site's port."""

    packets: list[Packet]
    text: str
    site_port: int

    def targets(self, protocol: str) -> set[tuple[str, int]]:
        return {(packet.address, packet.port) for packet in self.packets if packet.protocol == protocol}


def _refusal() -> str:
    """Return why network namespaces cannot be created on this machine; empty if they can."""
    if missing := [tool for tool in ("unshare", "nsenter", "openssl", "chromium") if shutil.which(tool) is None]:
        return f"needs {', '.join(missing)}"
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    tried = [*NAMESPACES, "sh", "-c", f"{NEEDED} && {CAPTURES}"]
    done = subprocess.run(tried, capture_output=True, text=True, env={"PATH": path})
    return f"network namespaces are not permitted: {done.stderr.strip()}" if done.returncode else ""


@pytest.fixture(scope="module", autouse=True)
def _permitted() -> None:
    if refusal := _refusal():
        pytest.skip(refusal)


@pytest.mark.long
async def test_unguarded_browser_sends_everything_that_the_page_tries(tmp_path: Path) -> None:
    seen = await _visit("open", tmp_path)
    udp = seen.targets("udp")
    assert {(OURS, STUN_PORT), (OURS, seen.site_port)} <= udp  # WebRTC, QUIC
    assert any(port == DNS_PORT for _, port in udp)
    assert any(packet.asked.endswith(f" {HTTPS_RECORD}") for packet in seen.packets)
    assert any(packet.asked.startswith("stun.test ") for packet in seen.packets)
    assert (OURS, seen.site_port) in seen.targets("tcp")
    assert all(f"{realm} has peers" in seen.text and f"{realm} has transport" in seen.text for realm in REALMS)


@pytest.mark.long
async def test_guarded_browser_sends_packets_only_to_its_proxy(tmp_path: Path) -> None:
    seen = await _visit("guarded", tmp_path)
    assert seen.packets == [Packet("tcp", OURS, PROXY_PORT, "")]
    assert all(f"{realm} lacks peers" in seen.text and f"{realm} lacks transport" in seen.text for realm in REALMS)


@pytest.mark.long
async def test_guarded_browser_sends_packets_only_to_its_proxy_with_webrtc(tmp_path: Path) -> None:
    seen = await _visit("flags", tmp_path)
    assert seen.packets == [Packet("tcp", OURS, PROXY_PORT, "")]
    assert all(f"{realm} has peers" in seen.text and f"{realm} has transport" in seen.text for realm in REALMS)


async def _visit(mode: str, folder: Path) -> Seen:
    """Run a browser in a separate network. Raises AssertionError if the page did not finish."""
    command = [*NAMESPACES, sys.executable, str(VISIT), mode, str(folder)]
    visiting = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, "PYTHONPATH": str(TESTS)}, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(120):
        found, _ = await visiting.communicate()
    assert visiting.returncode == 0
    result = json.loads(found.splitlines()[-1])
    assert f">{DONE}" in result["text"]
    return Seen([Packet(*packet) for packet in result["packets"]], result["text"], result["site_port"])
