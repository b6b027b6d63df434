"""A browser in a separate network namespace with one link to this one: `python visit.py MODE FOLDER`.

The sites and the product's proxy are on this side of the link. The browser renders a page that tries every way out. The
packets it sent and the page's text are printed as JSON. MODE is `guarded` (the product's browser), `flags` (the same,
with WebRTC enabled for the page) or `open` (another browser, without a proxy). Runs as root of its namespaces.
"""

import asyncio
import json
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from playwright.async_api import async_playwright

from support.origin import Asked, Origin, answer
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.browser import Browser, contexts
from webquarry.net.proxy import ForwardProxy

HERE = Path(__file__).parent
OURS, ITS = "192.0.2.1", "192.0.2.2"
CHROMIUM = "/usr/bin/chromium"
PROXY_PORT = 3128
ACCEPT_DAD = "/proc/sys/net/ipv6/conf/default/accept_dad"
DONE = "All was tried."
WORKER = b"""const has = "WebTransport" in self;
if (has) new WebTransport(`https://${location.host}/transport`).ready.catch(() => {});
postMessage(`worker ${has ? "has" : "lacks"} transport`);"""


async def main(mode: str, folder: Path) -> None:
    _ip("link set lo up")
    with _namespace() as capture:
        context, fingerprint = _certificate(folder)
        wrapper = folder / "chromium"
        wrapper.write_text(
            f"#!/bin/sh\nexec nsenter --net=/proc/{capture.pid}/ns/net {CHROMIUM} "
            f'"$@" --ignore-certificate-errors-spki-list={fingerprint}\n'
        )
        wrapper.chmod(0o755)
        async with _site(context) as site:
            url = f"https://{site.target}/"
            text = await (_without_us(wrapper, url) if mode == "open" else _with_us(wrapper, url, folder, mode))
        packets, _ = capture.communicate("", timeout=10)
    report = {"packets": json.loads(packets), "text": text, "site_port": site.port}
    print(json.dumps(report))  # noqa: T201  # read by the parent


async def _with_us(wrapper: Path, url: str, folder: Path, mode: str) -> str:
    if mode == "flags":
        contexts.WITHOUT_PEERS = ""
    settings = Settings(
        data_dir=folder / "data",
        chromium_path=wrapper,
        egress_allow=(url.split("/")[2],),
        browser_proxy_address=f"{OURS}:{PROXY_PORT}",
    )
    clock = SystemClock()
    async with ForwardProxy(settings, resolve=_no_names) as proxy:
        browser = Browser(settings, clock, proxy)
        try:
            return (await browser.render(url, Deadline.after(60, clock))).html
        finally:
            await browser.close()


async def _without_us(wrapper: Path, url: str) -> str:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=wrapper, chromium_sandbox=False)
        try:
            page = await browser.new_page()
            await page.goto(url, wait_until="commit")
            await page.wait_for_function(
                f"document.getElementById('app')?.textContent.includes('{DONE}')", timeout=60_000
            )
            return await page.content()
        finally:
            await browser.close()


async def _no_names(_host: str) -> list[str]:
    raise OSError("no such name")


@asynccontextmanager
async def _site(context: ssl.SSLContext) -> AsyncIterator[Origin]:
    """A TLS site that advertises HTTP/3 on its port without listening there."""
    async with Origin(OURS) as site:
        server = await asyncio.start_server(site._serve, OURS, 0, ssl=context, limit=1 << 20)
        site.port = server.sockets[0].getsockname()[1]
        also = {"Alt-Svc": f'h3=":{site.port}"; ma=3600'}

        async def again(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(200, b"again", also))
            await writer.drain()

        page = (HERE / "attack.html").read_text().replace("ADDRESS", OURS)
        site.on("/", answer(200, page.encode(), {"Content-Type": "text/html", **also}))
        site.on("/worker.js", answer(200, WORKER, {"Content-Type": "text/javascript", **also}))
        site.on("/again", again)
        try:
            yield site
        finally:
            server.close()


@contextmanager
def _namespace() -> "Iterator[subprocess.Popen[str]]":
    """A namespace with one link to this one as its only way out, and a capture in it."""
    command = ["unshare", "--net", sys.executable, str(HERE / "capture.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as capture:
        try:
            assert capture.stdout is not None
            capture.stdout.readline()
            # addresses that are valid immediately: a later change makes Chromium load the page again
            subprocess.run([*_into(capture.pid), "sh", "-c", f"echo 0 >{ACCEPT_DAD}"], check=True)
            _ip(f"link add wire type veth peer name wire netns {capture.pid}")
            _ip(f"address add {OURS}/24 dev wire")
            _ip("link set wire up")
            for command_ in ("link set lo up", f"address add {ITS}/24 dev wire", "link set wire up"):
                _ip(command_, inside=capture.pid)
            _ip(f"route add default via {OURS}", inside=capture.pid)
            yield capture
        finally:
            capture.kill()


def _ip(command: str, inside: int | None = None) -> None:
    where = _into(inside) if inside else []
    subprocess.run([*where, shutil.which("ip") or "/usr/sbin/ip", *command.split()], check=True)


def _into(process: int) -> list[str]:
    return ["nsenter", f"--net=/proc/{process}/ns/net"]


def _certificate(folder: Path) -> tuple[ssl.SSLContext, str]:
    """Return the site's certificate, and the fingerprint that makes the browser trust it."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN={OURS}"
    named = ["-addext", f"subjectAltName=IP:{OURS}"]
    subprocess.run(
        [*command.split(), *named, "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL
    )
    hashed = "openssl pkey -pubout -outform der | openssl dgst -sha256 -binary | openssl base64"
    fingerprint = subprocess.run(hashed, shell=True, check=True, stdin=key.open(), capture_output=True, text=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, fingerprint.stdout.strip()


if __name__ == "__main__":
    os.umask(0o077)
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
