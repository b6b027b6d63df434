"""Pages that make the browser visit forbidden targets: through subresources, scripts, and navigation."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import ANSWERED, PRIVATE, REFUSED, SITE, Attack
from webquarry.doctor.responses import Page, Sends, answer, lead_to

_AT = f"http://{PRIVATE}"
_DIRECT = "http://127.0.0.1:{port}"
_SAID = f"""let MARK = "";
const AT = ["{_AT}", "http://127.0.0.1", "http://[::1]", "http://2130706433", "{_DIRECT}", "http://[::1]:{{port}}"];
const add = (tag, set, into = document.body) => {{ for (const at of AT) {{
  const made = document.createElement(tag); set(made, at + "/" + MARK); into.append(made); }} }};
const each = (ask) => {{ for (const at of AT) {{ try {{ ask(at + "/" + MARK) }} catch (fault) {{ }} }} }};"""

PARTS: Mapping[str, str] = {
    "image": "add('img', (made, at) => made.src = at)",
    "image by srcset": "add('img', (made, at) => made.srcset = at + ' 1x')",
    "frame": "add('iframe', (made, at) => made.src = at)",
    "object": "add('object', (made, at) => made.data = at)",
    "embed": "add('embed', (made, at) => made.src = at)",
    "script": "add('script', (made, at) => made.src = at)",
    "module": "add('script', (made, at) => { made.type = 'module'; made.src = at })",
    "imported module": "each(at => import(at).catch(() => {}))",
    "style sheet": "add('link', (made, at) => { made.rel = 'stylesheet'; made.href = at })",
    "imported style": "add('style', (made, at) => made.textContent = `@import url(${at})`)",
    "background": "add('p', (made, at) => { made.style.background = `url(${at})`; made.textContent = 'x' })",
    "font": "add('style', (made, at) => made.textContent = "
    "`@font-face { font-family: f; src: url(${at}) } p { font-family: f }`)",
    "video": "add('video', (made, at) => { made.src = at; made.preload = 'auto' })",
    "video poster": "add('video', (made, at) => made.poster = at)",
    "audio": "add('audio', (made, at) => { made.src = at; made.preload = 'auto' })",
    "image button": "add('input', (made, at) => { made.type = 'image'; made.src = at })",
    "SVG image": "add('p', (made, at) => made.innerHTML = `<svg><image href='${at}'/></svg>`)",
    "icon": "add('link', (made, at) => { made.rel = 'icon'; made.href = at }, document.head)",
    "preload": "add('link', (made, at) => { made.rel = 'preload'; made.as = 'fetch'; made.href = at }, document.head)",
    "module preload": "add('link', (made, at) => { made.rel = 'modulepreload'; made.href = at }, document.head)",
    "prefetch": "add('link', (made, at) => { made.rel = 'prefetch'; made.href = at }, document.head)",
    "prerender": "{ const rules = document.createElement('script'); rules.type = 'speculationrules'; "
    "rules.textContent = JSON.stringify({prefetch: [{source: 'list', urls: AT.map(at => at + '/' + MARK)}]}); "
    "document.head.append(rules) }",
}
"""Subresources. A script inserts them for each spelling of the private target."""

SCRIPTS: Mapping[str, str] = {
    "fetch": "each(at => fetch(at, {mode: 'no-cors'}).catch(() => {}))",
    "fetch that posts": "each(at => fetch(at, {mode: 'no-cors', method: 'POST', body: 'x'}).catch(() => {}))",
    "fetch that outlives the page": "each(at => fetch(at, {mode: 'no-cors', keepalive: true}).catch(() => {}))",
    "fetch that is checked first": "each(at => fetch(at, {headers: {'X-Own': 'y'}}).catch(() => {}))",
    "fetch over a redirect": "fetch('/hop-' + MARK, {mode: 'no-cors'}).catch(() => {})",
    "XMLHttpRequest": "each(at => { const ask = new XMLHttpRequest(); ask.open('GET', at); ask.send() })",
    "synchronous XMLHttpRequest": "each(at => { const ask = new XMLHttpRequest(); ask.open('GET', at, false); "
    "ask.send() })",
    "beacon": "each(at => navigator.sendBeacon(at, 'x'))",
    "event source": "each(at => new EventSource(at))",
    "WebSocket": "each(at => new WebSocket(at.replace('http', 'ws')))",
    "worker": "new Worker(URL.createObjectURL(new Blob([AT.map(at => "
    "`fetch('${at}/${MARK}', {mode: 'no-cors'}).catch(() => {})`).join(';')])))",
    "worker that imports": "each(at => new Worker(URL.createObjectURL(new Blob([`importScripts('${at}')`]))))",
    "shared worker": "new SharedWorker(URL.createObjectURL(new Blob([AT.map(at => "
    "`fetch('${at}/${MARK}', {mode: 'no-cors'}).catch(() => {})`).join(';')])))",
    "frame with inline text": "add('iframe', (made, at) => made.srcdoc = "
    "`<script>fetch('${at}', {mode: 'no-cors'})</` + 'script>')",
    "frame with a data URL": "add('iframe', (made, at) => made.src = "
    "`data:text/html,<script>fetch('${at}', {mode: 'no-cors'})</` + 'script>')",
    "frame of a blob": "add('iframe', (made, at) => made.src = URL.createObjectURL(new Blob(["
    "`<script>fetch('${at}', {mode: 'no-cors'})</` + 'script>'], {type: 'text/html'})))",
    "frame that redirects": "{ const made = document.createElement('iframe'); made.src = '/hop-' + MARK; "
    "document.body.append(made) }",
    "form in a frame": "add('iframe', (made, at) => made.srcdoc = `<form method=post action='${at}'></form>"
    "<script>document.forms[0].submit()</` + 'script>')",
    "new window": "each(at => window.open(at))",
    "link that is clicked": "add('a', (made, at) => { made.href = at; made.target = '_blank'; "
    "setTimeout(() => made.click()) })",
    "ping of a link": "add('a', (made, at) => { made.href = '#'; made.ping = at; setTimeout(() => made.click()) })",
}

WORDLESS: Mapping[str, str] = {
    "peer connection": "{ const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:{port}'}]}); "
    "peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer)) }",
}
"""Attacks that can't include their name in the request to the target. Each has a separate page."""

LEADS: Mapping[str, str] = {
    "download": f"{{ const made = document.createElement('a'); made.href = '{_DIRECT}/led'; made.download = 'x'; "
    "document.body.append(made); made.click() }",
    "location": f"location = '{_AT}/led'",
    "location, by literal": f"location = '{_DIRECT}/led'",
    "replaced location": f"location.replace('{_AT}/led')",
    "location, a little later": f"setTimeout(() => location = '{_AT}/led', 100)",
    "form": f"document.body.innerHTML += `<form method=post action='{_AT}/led'></form>`; document.forms[0].submit()",
    "click": f"document.body.innerHTML += `<a href='{_AT}/led'>x</a>`; document.querySelector('a').click()",
}
_LED = REFUSED | {"refused", "down"}

SCHEMES = {
    "file": "file:///etc/hostname",
    "data": "data:text/html,<p>inlined",
    "the browser's own pages": "chrome://version",
    "source of a file": "view-source:file:///etc/hostname",
    "about": "about:version",
    "javascript": "javascript:document.write(1)",
}


def _page(codes: Mapping[str, str]) -> Page:
    """Return a page with each code in a separate block.

    In each code, `MARK` is replaced by the code's name, which its requests include in their paths.
    """
    blocks = [f"try {{ MARK = '{mark(what)}'; {code} }} catch (fault) {{ }}" for what, code in codes.items()]
    return Page(f"<script>{_SAID}\n{''.join(blocks)}</script>")


def mark(what: str) -> str:
    return what.lower().replace(" ", "-").replace(",", "")


def attacks() -> Iterator[Attack]:
    for group, codes in {"part": PARTS, "script": SCRIPTS}.items():
        yield Attack(
            f"page's {group}",
            "A page loads a private resource, directly or with a script.",
            responses={"/": _page(codes), **{f"/hop-{mark(what)}": lead_to(f"{_AT}/{mark(what)}") for what in codes}},
            marks={what: f"/{mark(what)} " for what in codes},
            way="page",
            holds=ANSWERED,
            deadline_s=30.0,
        )
    for what, code in WORDLESS.items():
        yield Attack(
            f"page's script: {what}",
            "A page connects to a private target without sending a request.",
            responses={"/": _page({what: code})},
            way="page",
            holds=ANSWERED,
        )
    yield Attack(
        "page: header fields",
        "A page's header fields request private resources and reports to private targets.",
        responses={
            "/": Page(
                "<script src=/refused.js></script>",
                (
                    f"Link: <{_DIRECT}/field>; rel=preload; as=script, <{_DIRECT}>; rel=preconnect",
                    f"Content-Security-Policy: script-src 'none'; report-uri {_DIRECT}/report",
                    f'Reporting-Endpoints: default="{_DIRECT}/report"',
                ),
            )
        },
        way="page",
        holds=ANSWERED,
    )
    yield Attack(
        "page: base URL",
        "A page declares a private base URL.",
        responses={"/": Page("<img src=/image><script src=script.js></script>", head=f'<base href="{_DIRECT}/">')},
        way="page",
        holds=ANSWERED,
    )
    for what, code in LEADS.items():
        yield Attack(
            f"page redirects: {what}",
            "A page's script navigates to a private page, which would be returned instead.",
            responses={"/": _page({what: code})},
            way="page",
            holds=_LED,
        )
    yield Attack(
        "page redirects: meta refresh",
        "A page redirects to a private one.",
        responses={"/": Page(head=f'<meta http-equiv="refresh" content="0; url={_AT}/led">')},
        way="page",
        holds=_LED,
    )
    yield Attack(
        "page redirects: Refresh field",
        "A page's header redirects to a private one.",
        responses={"/": Page(fields=(f"Refresh: 0; url={_DIRECT}/led",))},
        way="page",
        holds=_LED,
    )
    yield Attack(
        "page redirects: redirect",
        "An address redirects the browser to a private one.",
        responses={"/": lead_to(f"{_AT}/led")},
        way="page",
        holds=_LED,
    )
    yield Attack(
        "page redirects: redirect on a kept connection",
        "Two redirects on one connection come before the private one.",
        responses={"/": lead_to("/two"), "/two": lead_to(f"http://{SITE}/three"), "/three": lead_to(f"{_AT}/led")},
        way="page",
        holds=_LED,
    )
    yield Attack(
        "page redirects: endlessly",
        "Each page's script redirects to another page.",
        (f"http://{SITE}/p0",),
        responses={f"/p{n}": Page(f"<script>location = '/p{n + 1}'</script>") for n in range(200)},
        aim="endless",
        way="page",
        holds=frozenset({"refused"}),
    )
    for what, url in SCHEMES.items():
        yield Attack(
            f"page scheme: {what}",
            "The browser is given a URL that is not on the web.",
            (url,),
            aim="answer",
            way="page",
            holds=REFUSED,
        )
    yield Attack(
        "page: always busy",
        "A page's script keeps the browser busy forever.",
        responses={"/": Page("<script>while (true);</script>")},
        aim="late",
        way="page",
        holds=frozenset({"timeout", "unavailable"}),
        deadline_s=4.0,
    )
    yield Attack(
        "page: a download",
        "A URL returns a file to download.",
        responses={
            "/": Sends(answer(b"x" * 1000, "Content-Disposition: attachment", "Content-Type: application/x-thing"))
        },
        aim="answer",
        way="page",
        holds=frozenset({"refused"}),
    )
