"""The text of rendered pages, and forbidden actions of pages. One browser renders all of them."""

import asyncio
import socket
from dataclasses import replace
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from net.browser.conftest import deadline, until
from support.origin import Asked, Origin, answer
from support.rendering import WORDS, html, script
from webquarry.core.errors import ConversionFailed, ProviderError, UnsafeTarget
from webquarry.net.browser import Browser
from webquarry.net.browser.page import Visit
from webquarry.net.proxy import ForwardProxy

pytestmark = pytest.mark.asyncio(loop_scope="module")


def text(page: str) -> str:
    tree = LexborHTMLParser(page)
    for node in tree.css("script, style"):
        node.decompose()
    return " ".join(tree.body.text(separator=" ").split()) if tree.body else ""


async def seen(browser: Browser, url: str) -> str:
    return text((await browser.render(url, deadline())).html)


async def test_script_writes_the_page(shared: Browser, site: Origin) -> None:
    url = site.on("/plain", script("say('By script.'); document.title = 'Named by script'"))
    rendered = await shared.render(url, deadline())
    assert "By script." in text(rendered.html)
    assert "<title>Named by script</title>" in rendered.html
    assert (rendered.url, rendered.status, rendered.settled) == (url, 200, True)


@pytest.mark.long
async def test_text_that_arrives_later_is_awaited(shared: Browser, site: Origin) -> None:
    async def slow(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.6)
        writer.write(answer(200, b"From the slow source."))

    site.on("/slow.txt", slow)
    url = site.on("/slow", script("fetch('/slow.txt').then((a) => a.text()).then((t) => setTimeout(say, 500, t))"))
    assert "From the slow source." in await seen(shared, url)


@pytest.mark.long
async def test_noscript_and_templates_are_left_out(shared: Browser, site: Origin) -> None:
    body = "<noscript>Enable scripts!</noscript><template><p>Not shown</p></template>"
    page = await shared.render(site.on("/noscript", script("say('Shown.')", body)), deadline())
    assert "Shown." in page.html
    assert "Enable scripts" not in page.html
    assert "Not shown" not in page.html


@pytest.mark.long
async def test_page_that_never_settles_is_used_in_its_last_state(shared: Browser, site: Origin) -> None:
    async def poll(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await site.left(writer)

    site.on("/poll", poll)
    url = site.on(
        "/restless",
        script("say('Restless.'); let n = 0; setInterval(() => { document.title = n++ }, 20); fetch('/poll')"),
    )
    rendered = await shared.render(url, deadline(5))
    assert "Restless." in rendered.html
    assert not rendered.settled


@pytest.mark.long
async def test_long_poll_does_not_hold_up_a_page_with_text(shared: Browser, site: Origin) -> None:
    async def stream(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99999\r\n\r\n")
        await site.left(writer)

    site.on("/events", stream)
    rendered = await shared.render(site.on("/live", script("say('Live.'); new EventSource('/events')")), deadline())
    assert rendered.settled
    assert "Live." in rendered.html


@pytest.mark.long
async def test_lazy_list_is_loaded_by_scrolling(shared: Browser, site: Origin) -> None:
    code = """say('Top.');
    let batch = 0;
    const end = document.getElementById('end');
    new IntersectionObserver(([seen]) => { if (seen.isIntersecting && batch < 1000) {
      for (let n = 0; n < 10; n++) { const item = document.createElement('p'); item.style.height = '300px';
        item.textContent = `Item ${batch}.${n}`; end.before(item); }
      batch++; } }).observe(end);"""
    page = await seen(shared, site.on("/endless", script(code, "<div style='height: 3000px'></div><p id=end>End")))
    assert "Item 0.9" in page
    assert "Item 900" not in page


@pytest.mark.long
async def test_list_in_a_scrolling_box_is_scrolled(shared: Browser, site: Origin) -> None:
    code = """say('Top.');
    const box = document.getElementById('box');
    box.onscroll = () => {
      if (box.scrollTop + box.clientHeight > box.scrollHeight - 5) box.append('Reached the end.') };"""
    style = "height: 900px; overflow-y: auto"
    body = f"<div id=box style='{style}'><div style='height: 4000px'></div></div>"
    assert "Reached the end." in await seen(shared, site.on("/box", script(code, body)))


async def test_shadow_trees_are_in_reading_order(shared: Browser, site: Origin) -> None:
    body = """<x-card><b slot=name>name</b> light <i>default</i></x-card>
    <div><template shadowrootmode=open><style>p { color: red }</style>
    <p>declared <slot>fallback</slot></p></template></div>"""
    code = """customElements.define('x-inner', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'open'}).innerHTML = '<em>inner <slot></slot></em>' } });
    customElements.define('x-card', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'open'}).innerHTML =
        '<h2>first <slot name=name></slot></h2><x-inner><slot></slot></x-inner> last' } });"""
    page = await seen(shared, site.on("/shadow", script(code, body)))
    assert page == "first name inner light default last declared fallback"


async def test_frames_of_the_same_origin_are_inlined(shared: Browser, site: Origin, elsewhere: Origin) -> None:
    site.on("/in/frame", html('<p>framed</p><a href="next">on</a><iframe srcdoc="<p>nested"></iframe>'))
    foreign = elsewhere.on("/foreign", html("<p>foreign"))
    body = f"<p>before</p><iframe src='/in/frame'></iframe><iframe src='{foreign}'></iframe><p>after</p>"
    page = await shared.render(site.on("/frames", html(body)), deadline())
    assert text(page.html) == "before framed on nested after"
    assert f'href="{site.url("/in/next")}"' in page.html
    assert f'<iframe src="{foreign}"></iframe>' in page.html


async def test_page_cannot_interfere_with_the_reader(shared: Browser, site: Origin) -> None:
    code = """say('Honest.');
    for (const name of ['map', 'join', 'pop', 'push']) Array.prototype[name] = () => { throw Error(name) };
    document.createTreeWalker = MutationObserver = performance.now = null;
    globalThis.webquarry = {take: () => 'forged'};
    document.body.insertAdjacentHTML('beforeend', '<img name=body><img name=readyState><img name=URL>');"""
    body = "<form><input name=childNodes><input name=attributes><input name=localName><p>In a form.</form>"
    page = await seen(shared, site.on("/hostile", script(code, body)))
    assert "Honest." in page
    assert "In a form." in page


@pytest.mark.long
async def test_deeply_nested_page_is_read(shared: Browser, site: Origin) -> None:
    code = """let node = document.body;
    for (let n = 0; n < 3000; n++) node = node.appendChild(document.createElement('b'));
    node.append('At the bottom.')"""
    rendered = await shared.render(site.on("/deep", script(code)), deadline())
    assert "At the bottom." in rendered.html


async def test_page_taken_in_many_parts_is_complete(shared: Browser, site: Origin) -> None:
    text = "a" + "😀" * 400_000
    rendered = await shared.render(site.on("/pieces", html(f"<p>{text}</p>")), deadline())
    assert f"<p>{text}</p>" in rendered.html


async def test_page_replaced_during_the_capture_is_captured_again(
    shared: Browser, site: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "b" * 600_000
    before, after = (site.on(f"/{name}", html(f"<h1>{name}</h1><p>{text}</p>")) for name in ("before", "after"))
    ask = Visit._ask

    async def leave_and_ask(visit: Visit, expression: str) -> Any:
        if expression == "webquarry.piece(1)" and visit._room.page.url == before:
            await visit._room.page.goto(after)
        return await ask(visit, expression)

    monkeypatch.setattr(Visit, "_ask", leave_and_ask)
    rendered = await shared.render(before, deadline())
    assert "<h1>after</h1>" in rendered.html
    assert "<h1>before</h1>" not in rendered.html
    assert f"<p>{text}</p>" in rendered.html


@pytest.mark.long
async def test_lone_surrogates_are_replaced(shared: Browser, site: Origin) -> None:
    rendered = await shared.render(site.on("/surrogate", script("say('half \\ud800 sign')")), deadline())
    assert "half \ufffd sign" in rendered.html


async def test_cookies_and_storage_are_discarded_after_each_page(shared: Browser, site: Origin) -> None:
    code = """say(`found ${document.cookie}|${localStorage.kept}|${sessionStorage.kept}.`);
    document.cookie = 'mine=1; max-age=999'; localStorage.kept = sessionStorage.kept = 'kept';"""
    url = site.on("/memory", script(code, headers={"Set-Cookie": "theirs=1; HttpOnly"}))
    first, second = await seen(shared, url), await seen(shared, url)
    assert "found |undefined|undefined." in first
    assert second == first
    assert all("cookie" not in asked.headers for asked in site.requests if asked.target == "/memory")


@pytest.mark.long
async def test_images_fonts_and_media_are_not_loaded_unless_wanted(shared: Browser, site: Origin) -> None:
    style = "<style>@font-face { font-family: f; src: url(/f.woff2) } body { font-family: f }</style>"
    url = site.on("/pictures", html(f"{WORDS}<img src=/i.png><video src=/v.mp4 autoplay></video>", head=style))
    await shared.render(url, deadline())
    assert not {"/i.png", "/v.mp4", "/f.woff2"} & {asked.target for asked in site.requests}
    await shared.render(url, deadline(), with_images=True)
    assert "/i.png" in {asked.target for asked in site.requests}


@pytest.mark.long
async def test_browser_identifies_itself(shared: Browser, site: Origin) -> None:
    await shared.render(site.on("/who", html(WORDS)), deadline())
    agent = next(asked.headers["user-agent"] for asked in site.requests if asked.target == "/who")
    assert "Webquarry/" in agent
    assert "Chrome/" in agent


@pytest.mark.long
async def test_redirect_by_a_script_is_followed(shared: Browser, site: Origin) -> None:
    target = site.on("/there", html(f"There. {WORDS}", status=203))
    page = await shared.render(site.on("/here", script("location = '/there'")), deadline())
    assert (page.url, page.status) == (target, 203)
    assert "There." in page.html


async def test_redirects_are_followed(shared: Browser, site: Origin) -> None:
    target = site.on("/new", html(f"New. {WORDS}"))
    page = await shared.render(site.on("/old", answer(302, b"", {"Location": "/new"})), deadline())
    assert (page.url, page.status) == (target, 200)


async def test_status_of_the_page_is_returned(shared: Browser, site: Origin) -> None:
    page = await shared.render(site.on("/gone", html(f"Gone. {WORDS}", status=410)), deadline())
    assert page.status == 410


@pytest.mark.long
async def test_endless_redirects_by_scripts_are_refused(shared: Browser, site: Origin) -> None:
    url = site.on("/circle", script("location = '/circle?' + Math.random()"))
    with pytest.raises(ProviderError) as raised:
        await shared.render(url, deadline())
    assert raised.value.reason == "refused"


@pytest.mark.long
async def test_endless_redirects_are_refused(shared: Browser, site: Origin) -> None:
    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/ring", answer(302, b"", {"Location": "/ring"})), deadline())
    assert raised.value.reason == "refused"


@pytest.mark.parametrize("way", ["open", "redirect", "script", "tunnel"])
async def test_page_of_a_forbidden_target_is_unsafe(shared: Browser, site: Origin, secret: Origin, way: str) -> None:
    hidden = secret.on("/hidden", html(WORDS))
    url = {
        "open": hidden,
        "tunnel": hidden.replace("http:", "https:"),
        "redirect": site.on("/to-secret", answer(302, b"", {"Location": hidden})),
        "script": site.on("/script-to-secret", script(f"location = '{hidden}'")),
    }[way]
    with pytest.raises(UnsafeTarget):
        await shared.render(url, deadline())
    assert secret.connections == 0


async def test_forbidden_subresources_are_left_out(shared: Browser, site: Origin, secret: Origin) -> None:
    hidden = secret.on("/hidden", html("secret"))
    code = f"""say('Mine.'); const tell = (what) => document.body.append(what);
    fetch('{hidden}').then((a) => a.text()).then(tell, () => tell('kept out'));
    new WebSocket('{hidden.replace("http:", "ws:")}'); navigator.sendBeacon('{hidden}');
    new Worker(URL.createObjectURL(new Blob(["fetch('{hidden}')"])));"""
    page = await seen(shared, site.on("/parts", script(code, f"<iframe src='{hidden}'></iframe>")))
    assert "Mine." in page
    assert "kept out" in page
    assert secret.connections == 0


async def test_interfaces_that_bypass_the_proxy_are_removed(shared: Browser, site: Origin) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        port = listener.getsockname()[1]
        code = f"""const made = document.createElement('iframe'); document.body.append(made);
        const Peers = [globalThis, made.contentWindow].map((world) => world.RTCPeerConnection).filter(Boolean);
        say(`peers: ${{Peers.length}}.`);
        for (const Peer of Peers) {{ const peer = new Peer({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});
          peer.createDataChannel('out'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) }}
        const out = "new WebTransport('https://127.0.0.1:{port}/').ready.catch(() => postMessage('no transport.'))";
        new Worker(URL.createObjectURL(new Blob([out]))).onmessage = ({{data}}) => say(data)"""
        page = await seen(shared, site.on("/around", script(code)))
        assert "peers: 0." in page
        assert "no transport." in page
        with pytest.raises(BlockingIOError):
            listener.recv(1)


async def test_local_files_and_data_pages_are_not_read(shared: Browser, site: Origin) -> None:
    code = """say('Still here.');
    const file = document.createElement('iframe'); file.src = 'file:///etc/passwd'; document.body.append(file);
    fetch('file:///etc/passwd').then((a) => a.text()).then(say, () => 0);
    setTimeout(() => { location = 'file:///etc/passwd' });
    setTimeout(() => { location = 'data:text/html,Data' }, 50);"""
    url = site.on("/local", script(code))
    page = await shared.render(url, deadline())
    assert page.url == url
    assert "Still here." in page.html
    assert "root:" not in page.html


@pytest.mark.long
async def test_page_that_becomes_a_blob_is_refused(shared: Browser, site: Origin) -> None:
    code = f"location = URL.createObjectURL(new Blob(['made {WORDS}'], {{type: 'text/html'}}))"
    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/blob", script(code)), deadline())
    assert raised.value.reason == "refused"


@pytest.mark.long
async def test_downloads_are_refused(shared: Browser, site: Origin) -> None:
    url = site.on("/file", answer(200, b"PK", {"Content-Type": "application/zip"}))
    with pytest.raises(ProviderError) as raised:
        await shared.render(url, deadline())
    assert raised.value.reason == "refused"


async def test_page_without_content_is_refused(shared: Browser, site: Origin) -> None:
    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/nothing", answer(204)), deadline())
    assert raised.value.reason == "refused"


@pytest.mark.long
async def test_download_started_by_a_page_is_ignored(shared: Browser, site: Origin) -> None:
    site.on("/data.zip", answer(200, b"PK", {"Content-Type": "application/zip"}))
    code = "say('Page.'); const a = document.createElement('a'); a.href = '/data.zip'; a.download = 'x'; a.click()"
    assert "Page." in await seen(shared, site.on("/downloads", script(code)))


@pytest.mark.long
async def test_dialogs_do_not_stop_a_page(shared: Browser, site: Origin) -> None:
    code = "alert(1); say('After.' + confirm('?') + prompt('?')); onbeforeunload = () => 'stay'"
    assert "After.falsenull" in await seen(shared, site.on("/dialogs", script(code)))


@pytest.mark.long
async def test_popups_do_not_open(shared: Browser, site: Origin) -> None:
    site.on("/popup", html("popup"))
    code = "say('Opener: ' + [1, 2, 3].map(() => open('/popup'))); document.querySelector('a').click()"
    page = await seen(shared, site.on("/opener", script(code, "<a href=/popup target=_blank>pop</a>")))
    assert "Opener: ,, " in page
    assert "/popup" not in {asked.target for asked in site.requests}


async def test_permissions_are_not_granted(shared: Browser, site: Origin) -> None:
    code = """for (const name of ['geolocation', 'camera', 'notifications', 'clipboard-read'])
      navigator.permissions.query({name}).then(({state}) => say(`${name} ${state}`))"""
    page = await seen(shared, site.on("/permissions", script(code)))
    assert "geolocation" in page
    assert "granted" not in page


async def test_service_workers_are_not_installed(shared: Browser, site: Origin) -> None:
    site.on("/sw.js", answer(200, b"", {"Content-Type": "text/javascript"}))
    await seen(shared, site.on("/worker", script("say('x'); navigator.serviceWorker?.register('/sw.js')")))
    assert "/sw.js" not in {asked.target for asked in site.requests}


async def test_huge_page_is_refused(shared: Browser, site: Origin) -> None:
    code = "document.body.append('x'.repeat(3 * 1024 * 1024))"
    with pytest.raises(ConversionFailed) as raised:
        await shared.render(site.on("/huge", script(code)), deadline())
    assert raised.value.reason == "limits"


async def test_page_that_never_yields_ends_at_the_deadline(shared: Browser, site: Origin) -> None:
    await shared.render(site.on("/before", html(WORDS)), deadline())
    before = len(shared.processes)
    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/spin", script("say('x'); while (true);")), deadline(2))
    assert raised.value.reason == "timeout"
    await until(lambda: len(shared.processes) <= before + 1)
    assert "Next." in await seen(shared, site.on("/next", script("say('Next.')")))


@pytest.mark.long
async def test_page_that_hangs_from_the_start_is_abandoned_before_the_deadline(
    shared: Browser, site: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.net.browser.page.HANG_S", 1.0)
    given = deadline(60)
    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/hangs", script("while (true);")), given)
    assert raised.value.reason == "timeout"
    assert given.remaining_s > 30


@pytest.mark.long
async def test_page_that_crashes_its_renderer_is_down(shared: Browser, site: Origin) -> None:
    code = (
        "let node = document.body; for (let n = 0; n < 1e5; n++) node = node.appendChild(document.createElement('b'))"
    )
    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/crash", script(code)), deadline())
    assert raised.value.reason == "down"
    assert "Next." in await seen(shared, site.on("/next", script("say('Next.')")))


@pytest.mark.long
async def test_page_does_not_close_itself(shared: Browser, site: Origin) -> None:
    assert "Closed?" in await seen(shared, site.on("/closes", script("say('Closed?'); close()")))


@pytest.mark.long
async def test_browser_contacts_no_other_hosts(shared: Browser, proxy: ForwardProxy, site: Origin) -> None:
    form = "<form action=/in><input name=email autocomplete=email><input type=password name=pass><button>Go</form>"
    before = replace(proxy.counts)
    page = await shared.render(site.on("/form", html(f"{WORDS}{form}")), deadline())
    assert page.requests == 1
    assert proxy.counts.requests - before.requests <= 2  # the page, and the proxy's challenge before it
    assert (proxy.counts.failed, proxy.counts.refused) == (before.failed, before.refused)


@pytest.mark.long
async def test_site_that_never_answers_ends_at_the_deadline(shared: Browser, site: Origin) -> None:
    async def silent(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await site.left(writer)

    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/silent", silent), deadline(1))
    assert raised.value.reason == "timeout"


@pytest.mark.long
async def test_site_that_takes_no_connections_is_down(shared: Browser, site: Origin, elsewhere: Origin) -> None:
    async def slam(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    with pytest.raises(ProviderError) as raised:
        await shared.render(site.on("/slam", slam), deadline())
    assert raised.value.reason == "down"
