"""Start and end of browsers, and their recovery after a crash."""

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

import pytest

from net.browser.conftest import OpenBrowser, deadline, until
from support.origin import Asked, Origin, answer
from support.processes import read_session_nice
from support.rendering import WORDS, html, script
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ProviderError
from webquarry.core.settings import Settings, SettingsError
from webquarry.net.browser import Browser
from webquarry.net.browser.chromium import FLAGS
from webquarry.net.browser.profiles import NICE, find_profiles_folder, measure_memory_mb
from webquarry.net.proxy import ForwardProxy

pytestmark = pytest.mark.asyncio(loop_scope="module")
SERVER = Path(__file__).with_name("server.py")


@pytest.fixture
def page(site: Origin) -> str:
    return site.on("/page", html(WORDS))


@pytest.fixture
def endless(site: Origin) -> str:
    """A page that arrives and never becomes idle."""
    return site.on("/endless", script("say('x'); setInterval(() => { document.title = Math.random() }, 10)"))


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kind(pid: int) -> str:
    """Return `renderer`, `zygote`…; empty for the process that leads the others."""
    found = re.search(rb"--type=([a-z-]+)", Path(f"/proc/{pid}/cmdline").read_bytes())
    return found[1].decode() if found else ""


def leader(browser: Browser) -> int:
    return next(pid for pid in browser.processes if os.getpgid(pid) == pid)


async def test_nothing_starts_before_the_first_page(open_browser: OpenBrowser, tmp_path: Path) -> None:
    browser = await open_browser()
    assert not browser.is_running
    assert not find_profiles_folder(Settings(data_dir=tmp_path)).exists()


@pytest.mark.long
async def test_idle_browser_ends_and_the_next_page_starts_another(open_browser: OpenBrowser, page: str) -> None:
    browser = await open_browser(browser_idle_s=0.1)
    await browser.render(page, deadline())
    processes = browser.processes
    await until(lambda: not browser.is_running)
    assert not any(is_alive(pid) for pid in processes)
    await browser.render(page, deadline())


async def test_closing_leaves_no_processes_and_files(
    open_browser: OpenBrowser, tmp_path: Path, page: str, endless: str
) -> None:
    browser = await open_browser()
    await browser.render(page, deadline())
    processes = browser.processes
    rendering = asyncio.create_task(browser.render(endless, deadline()))
    await asyncio.sleep(0.2)
    began = time.monotonic()
    await browser.close()
    assert time.monotonic() - began < 10
    with pytest.raises(ProviderError) as raised:
        await rendering
    assert raised.value.reason == "unavailable"
    assert not any(is_alive(pid) for pid in processes)
    assert list(find_profiles_folder(Settings(data_dir=tmp_path)).iterdir()) == []


async def test_too_many_pages_are_refused_immediately(open_browser: OpenBrowser, site: Origin) -> None:
    async def silent(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await site.left(writer)

    url = site.on("/silent", silent)
    browser = await open_browser(browser_pages=1)
    others = [asyncio.create_task(browser.render(url, deadline(2))) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(ProviderError, match="WEBQUARRY_BROWSER_PAGES") as raised:
        await browser.render(url, deadline())
    assert raised.value.reason == "unavailable"
    ended = await asyncio.gather(*others, return_exceptions=True)
    assert [getattr(error, "reason", None) for error in ended] == ["timeout"] * 3


@pytest.mark.long
async def test_waiting_account_comes_before_further_pages_of_another(open_browser: OpenBrowser, site: Origin) -> None:
    async def slow(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        writer.write(answer(200, b"<p>text", {"Content-Type": "text/html"}))
        writer.close()

    paths = ("/one/1", "/one/2", "/one/3", "/other/1")
    browser = await open_browser(browser_pages=1)
    pages = [asyncio.create_task(browser.render(site.on(path, slow), deadline(), path.split("/")[1])) for path in paths]
    await asyncio.gather(*pages)
    visited = [asked.target for asked in site.requests if asked.target in paths]
    assert visited.index("/other/1") < visited.index("/one/3")


@pytest.mark.long
@pytest.mark.parametrize("worn", [{"browser_recycle_pages": 2}, {"browser_recycle_mb": 1}])
async def test_worn_browser_is_replaced(open_browser: OpenBrowser, page: str, worn: dict[str, int]) -> None:
    browser = await open_browser(**worn)
    await browser.render(page, deadline())
    first = leader(browser)
    for _ in range(2):
        await browser.render(page, deadline())
        await asyncio.sleep(0.3)
    await until(lambda: not is_alive(first))


async def test_browser_has_lower_priority_than_the_service(open_browser: OpenBrowser, page: str) -> None:
    browser = await open_browser()
    await browser.render(page, deadline())
    # as root, Chromium sets nice values of its threads; it cannot set the nice value of a session
    assert {read_session_nice(pid) for pid in browser.processes} <= {NICE, None}


async def test_memory_of_a_page_is_limited(open_browser: OpenBrowser, site: Origin, page: str) -> None:
    hoard = "const a = []; setInterval(() => { a.push(new Uint8Array(2e7).fill(1)); say('x') }, 1)"
    browser = await open_browser(browser_process_mb=600)
    rendering = asyncio.create_task(browser.render(site.on("/hoard", script(hoard)), deadline()))
    most_mb = 0.0
    while not rendering.done():
        most_mb = max(most_mb, *(measure_memory_mb([pid]) for pid in browser.processes), 0.0)
        await asyncio.sleep(0.05)
    await asyncio.wait({rendering})  # the page may end, or allocate less memory than it wanted
    assert 300 < most_mb < 600
    await browser.render(page, deadline())


@pytest.mark.parametrize("signalled", [signal.SIGKILL, pytest.param(signal.SIGSEGV, marks=pytest.mark.long)])
async def test_crashed_browser_ends_its_pages_and_is_replaced(
    open_browser: OpenBrowser, page: str, endless: str, signalled: signal.Signals
) -> None:
    browser = await open_browser()
    await browser.render(page, deadline())
    rendering = asyncio.create_task(browser.render(endless, deadline()))
    await asyncio.sleep(0.3)
    os.kill(leader(browser), signalled)
    with pytest.raises(ProviderError) as raised:
        await rendering
    assert raised.value.reason == "unavailable"
    await browser.render(page, deadline())


@pytest.mark.long
@pytest.mark.parametrize("signalled", [signal.SIGKILL, signal.SIGSEGV])
async def test_crashed_renderer_ends_only_its_page(
    open_browser: OpenBrowser, page: str, endless: str, signalled: signal.Signals
) -> None:
    browser = await open_browser()
    rendering = asyncio.create_task(browser.render(endless, deadline()))
    await until(lambda: browser.is_running and bool(browser.processes))
    await asyncio.sleep(1)
    lead = leader(browser)
    for pid in browser.processes:
        if kind(pid) == "renderer":
            os.kill(pid, signalled)
    with pytest.raises(ProviderError) as raised:
        await rendering
    assert raised.value.reason == "down"
    await asyncio.sleep(0.5)  # the contexts that were ready have died too, which the browser reports shortly after
    await browser.render(page, deadline())
    assert leader(browser) == lead


@pytest.mark.long
async def test_crashed_driver_ends_its_pages_and_is_replaced(
    open_browser: OpenBrowser, page: str, endless: str
) -> None:
    browser = await open_browser()
    await browser.render(page, deadline())
    rendering = asyncio.create_task(browser.render(endless, deadline()))
    await asyncio.sleep(0.3)
    driver = parent(leader(browser))
    assert driver != os.getpid()
    os.kill(driver, signal.SIGKILL)
    with pytest.raises(ProviderError) as raised:
        await rendering
    assert raised.value.reason == "unavailable"
    await browser.render(page, deadline())


@pytest.mark.long
async def test_browser_that_hangs_is_killed(open_browser: OpenBrowser, page: str, endless: str) -> None:
    browser = await open_browser()
    await browser.render(page, deadline())
    stopped = browser.processes
    rendering = asyncio.create_task(browser.render(endless, deadline(3)))
    await asyncio.sleep(0.3)
    os.kill(leader(browser), signal.SIGSTOP)
    with pytest.raises(ProviderError) as raised:
        await rendering
    assert raised.value.reason == "timeout"
    await until(lambda: not any(is_alive(pid) for pid in stopped))
    await browser.render(page, deadline())


@pytest.mark.long
async def test_pages_leave_no_process_behind(open_browser: OpenBrowser, page: str) -> None:
    browser = await open_browser()
    for _ in range(3):
        await browser.render(page, deadline())
    await asyncio.sleep(0.5)
    before = len(browser.processes)
    for _ in range(10):
        await asyncio.gather(*(browser.render(page, deadline()) for _ in range(3)))
    await until(lambda: len(browser.processes) <= before + 1)


async def test_missing_chromium_is_reported_with_its_remedy(open_browser: OpenBrowser, page: str) -> None:
    browser = await open_browser(chromium_path="/nowhere/chromium")
    with pytest.raises(ProviderError, match=r"package chromium.*WEBQUARRY_CHROMIUM_PATH") as raised:
        await browser.render(page, deadline())
    assert raised.value.reason == "unavailable"


async def test_missing_playwright_is_reported_with_its_remedy(
    open_browser: OpenBrowser, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await open_browser()
    monkeypatch.setattr("webquarry.net.browser.browser.find_spec", lambda _name: None)
    with pytest.raises(ProviderError, match="install the Python package playwright") as raised:
        await browser.render(page, deadline())
    assert raised.value.reason == "unavailable"


@pytest.mark.long
async def test_proxy_listens_from_the_first_page_on(site: Origin, tmp_path: Path, page: str) -> None:
    settings = Settings(data_dir=tmp_path, egress_allow=(site.target,))
    proxy = ForwardProxy(settings)
    browser = Browser(settings, SystemClock(), proxy)
    assert proxy.address == ""
    try:
        assert WORDS.strip() in (await browser.render(page, deadline())).html
        assert proxy.counts.requests >= 1
    finally:
        await browser.close()
        await proxy.close()


async def test_proxy_address_in_use_is_reported(site: Origin, tmp_path: Path, page: str) -> None:
    settings = Settings(data_dir=tmp_path, browser_proxy_address=site.target)
    browser = Browser(settings, SystemClock(), ForwardProxy(settings))
    with pytest.raises(ProviderError, match="can't listen on") as raised:
        await browser.render(page, deadline())
    assert raised.value.reason == "unavailable"


async def test_browser_that_does_not_start_is_reported(open_browser: OpenBrowser, page: str) -> None:
    browser = await open_browser(chromium_path="/bin/false")
    with pytest.raises(ProviderError, match="failed to start") as raised:
        await browser.render(page, deadline())
    assert raised.value.reason == "unavailable"


@pytest.mark.long
async def test_browser_does_not_inherit_the_environment(
    open_browser: OpenBrowser, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBQUARRY_METRICS_TOKEN", "hidden")
    browser = await open_browser()
    await browser.render(page, deadline())
    assert b"hidden" not in environment(leader(browser))


@pytest.mark.long
async def test_browser_of_a_dead_server_is_reaped(open_browser: OpenBrowser, tmp_path: Path, page: str) -> None:
    server, processes = await _server(tmp_path, page)
    lead = next(pid for pid in processes if os.getpgid(pid) == pid)
    driver = parent(lead)
    os.kill(lead, signal.SIGSTOP)  # otherwise, the driver would notice the end of its server
    os.kill(driver, signal.SIGKILL)
    server.kill()
    await server.wait()
    assert is_alive(lead)
    browser = await open_browser()
    await browser.reap()
    await until(lambda: not any(is_alive(pid) for pid in processes))
    await browser.render(page, deadline())
    assert len(list(find_profiles_folder(Settings(data_dir=tmp_path)).iterdir())) == 1


@pytest.mark.long
async def test_browser_ends_when_its_server_dies(tmp_path: Path, page: str) -> None:
    server, processes = await _server(tmp_path, page)
    server.kill()
    await server.wait()
    await until(lambda: not any(is_alive(pid) for pid in processes))


@pytest.mark.long
async def test_dead_server_leaves_no_temporary_file_after_the_next_start(
    open_browser: OpenBrowser, tmp_path: Path, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = Path(tempfile.mkdtemp())  # short, because a socket's path has at most 107 characters
    try:
        monkeypatch.setenv("TMPDIR", str(temporary))
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        server, processes = await _server(tmp_path, page)
        assert os.listdir(temporary) != []
        for pid in processes:
            os.kill(pid, signal.SIGKILL)
        server.kill()
        await server.wait()
        browser = await open_browser()
        await browser.reap()
        assert os.listdir(temporary) == []
        assert list(find_profiles_folder(Settings(data_dir=tmp_path)).iterdir()) == []
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@pytest.mark.long
async def test_browser_of_a_living_server_is_left_alone(open_browser: OpenBrowser, tmp_path: Path, page: str) -> None:
    server, processes = await _server(tmp_path, page)
    lead = next(pid for pid in processes if os.getpgid(pid) == pid)
    try:
        browser = await open_browser()
        await browser.render(page, deadline())
        assert is_alive(lead)
    finally:
        server.kill()
        await server.wait()


async def test_remote_browser_needs_an_address_of_the_proxy(site: Origin) -> None:
    settings = Settings(browser_cdp_url="http://127.0.0.1:9222")
    with pytest.raises(SettingsError, match="WEBQUARRY_BROWSER_PROXY_ADDRESS"):
        Browser(settings, SystemClock(), ForwardProxy(settings))


async def test_remote_browser_uses_the_proxy(
    open_browser: OpenBrowser, tmp_path: Path, page: str, site: Origin
) -> None:
    profile = tmp_path / "remote"
    remote = await asyncio.create_subprocess_exec(
        *("/usr/bin/chromium", *(flag for flag in FLAGS if flag != "--remote-debugging-pipe")),
        *("--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}", "--proxy-server=127.0.0.1:9"),
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        found = profile / "DevToolsActivePort"
        await until(lambda: found.exists() and len(found.read_text().split()) == 2)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        browser = await open_browser(
            browser_cdp_url=f"http://127.0.0.1:{found.read_text().split()[0]}", browser_proxy_address=address
        )
        rendered = await browser.render(page, deadline())
        assert WORDS.strip() in rendered.html
        await browser.close()
    finally:
        os.killpg(remote.pid, signal.SIGKILL)
        await remote.wait()


async def _server(data_dir: Path, page: str) -> tuple[asyncio.subprocess.Process, list[int]]:
    server = await asyncio.create_subprocess_exec(
        sys.executable, str(SERVER), str(data_dir), page, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    async with asyncio.timeout(30):
        async for line in server.stdout:
            if re.fullmatch(rb"[\d ]+\s*", line):
                return server, [int(pid) for pid in line.split()]
    raise RuntimeError("the server ended")
