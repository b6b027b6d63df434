from collections.abc import Mapping

import pytest

from convert_support.verdicts import Verdicts
from webquarry_convert.verdict import Shell, ShellReason, find_shell, measure_page

SENTENCE = "The harbour was rebuilt after the flood and has been open to small boats since the spring of last year. "
PROGRAM = "function r(a,b){return a+b}" * 400


def seen(html: str) -> Shell | None:
    return find_shell(measure_page(html))


def page(body: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Harbour</title>{head}</head>'
        f"<body>{body}</body></html>"
    )


SHELLS: dict[str, tuple[ShellReason, str]] = {
    "a long line while it loads": (
        "placeholder",
        page('<div id="app"><p>One moment, the desk is fetching the book…</p></div><script>setTimeout(fill)</script>'),
    ),
    "react, made by its starter": (
        "notice",
        page(
            '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>',
            '<script defer src="/static/js/main.1.js"></script>',
        ),
    ),
    "vite": (
        "empty mount",
        page('<div id="root"></div>', '<script type="module" crossorigin src="/assets/index-1.js"></script>'),
    ),
    "nothing but its description": (
        "description only",
        page(
            f"<h1>Harbour</h1><div><p>{SENTENCE}</p></div><script src=/app.js></script>",
            f'<meta name="description" content="{SENTENCE}">',
        ),
    ),
    "vue with a footer": (
        "empty mount",
        page(f'<div id="app"></div><footer><p>{SENTENCE}</footer><script src="/js/app.js"></script>'),
    ),
    "next without its text": (
        "empty mount",
        page(
            '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">'
            '{"props":{"pageProps":{}},"page":"/"}'
            '</script><script src="/_next/static/chunks/main.js" defer></script>'
        ),
    ),
    "nuxt while it loads": (
        "empty mount",
        page(
            '<div id="__nuxt"><div class="spinner"></div></div><script>window.__NUXT__={config:{}}</script><script '
            'src="/_nuxt/1.js"></script>'
        ),
    ),
    "angular": ("empty mount", page('<app-root></app-root><script src="main.js" type="module"></script>')),
    "angularjs, unfilled": (
        "unfilled templates",
        page(
            '<div ng-controller="Boats"><h1>{{ boat.name }}</h1><p>{{ boat.text }}</p></div><script '
            'src="angular.js"></script>'
        ),
    ),
    "ember": ("placeholder", page('<script src="/assets/vendor.js"></script><script src="/assets/app.js"></script>')),
    "svelte": (
        "empty mount",
        page('<div id="svelte"></div><script type="module">import {start} from "/_app/start.js";start()</script>'),
    ),
    "flutter": ("placeholder", page('<script src="flutter_bootstrap.js" async></script>')),
    "web component": (
        "empty place",
        page('<boat-list src="/boats.json"></boat-list><script src="/boats.js"></script>'),
    ),
    "shadow root in the markup": (
        "shadow root",
        page(f'<boat-card><template shadowrootmode="open"><p>{SENTENCE}</p></template></boat-card>'),
    ),
    "plain script that fills a list": (
        "empty place",
        page(
            '<h1>Boats in the harbour</h1><p>All of them, newest first.</p><ul id="boats"></ul><script>'
            'fetch("/boats.json").then('
            'r=>r.json()).then(all=>{document.getElementById("boats").innerHTML=all.map(b=>`<li>'
            '${b.name}</li>`).join("")})'
            "</script>"
        ),
    ),
    "plain script beside an introduction": (
        "empty place",
        page(
            f"<h1>Boats</h1><p>{SENTENCE * 3}<table><thead><tr><th>Boat</th></tr></thead>"
            '<tbody id="boats"></tbody></table>'
            "<script>document.querySelector('#boats').append(row())</script>"
        ),
    ),
    "plain script elsewhere": (
        "empty place",
        page('<header><h1>Boats in the harbour today</h1></header><main></main><script src="/boats.js"></script>'),
    ),
    "cookie banner over a script": (
        "placeholder",
        page(
            '<div id="cookie-banner"><p>We use cookies and similar means to make this site work for you.</p></div>'
            '<script src="/a.js"></script>'
        ),
    ),
    "place-holder": ("placeholder", page('<p>Loading, please wait</p><script src="/a.js"></script>')),
    "program with a state": (
        "state without text",
        page(
            '<header>Harbour</header><div class="x"></div><script>window.__INITIAL_STATE__={"boats":['
            + '{"name":"Anna"},' * 80
            + ']}</script><script src="/a.js"></script>'
        ),
    ),
    "program and a title": (
        "mostly script",
        page(f"<h1>The boats of the harbour, live, on one map</h1><script>{PROGRAM}</script>"),
    ),
    "notice in Japanese": (
        "notice",
        page('<p>このサイトを表示するにはJavaScriptを有効にしてください。</p><script src="/a.js"></script>'),
    ),
    "notice in German": (
        "notice",
        page('<p>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</p><script src="/a.js"></script>'),
    ),
    "frameset": (
        "frames",
        '<html><frameset cols="20%,80%"><frame src="nav.html"><frame src="main.html"></frameset></html>',
    ),
    "own frame": ("frames", page('<h1>Boats</h1><iframe src="/boats-inner.html"></iframe>')),
    "leads elsewhere": (
        "refresh",
        '<html><head><meta http-equiv="refresh" content="0; url=/en/"></head><body></body></html>',
    ),
}

STANDING: dict[str, str] = {
    "a sentence about loading": page("<p>The desk is loading the crane at the mole today.</p><script>f()</script>"),
    "a short sentence with dots": page(
        "<p>Six boats, two nets, a lamp, and nobody at the oars…</p><script>f()</script>"
    ),
    "example domain": page(
        "<div><h1>Example Domain</h1><p>This domain is for use in documentation examples without "
        "needing permission. Avoid "
        'use in operations.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div>'
    ),
    "nothing": "",
    "no scripts": page("<p>It works!"),
    "small page that is counted": page(
        f'<h1>Opening hours</h1><p>{SENTENCE}<script async src="https://counter.example/c.js">'
        f"</script><script>window.q=[]</script>"
    ),
    "notice on a page with a text": page(
        f"<noscript>Please enable JavaScript for the best experience.</noscript><h1>Harbour</h1><p>"
        f'{SENTENCE * 3}<script src="a.js">'
        "</script>"
    ),
    "text in noscript": page(
        f'<div id="root"></div><noscript><p>{SENTENCE * 5}</noscript><script src="/a.js"></script>'
    ),
    "rendered by its server": page(
        f'<div id="__next"><main><h1>Harbour</h1><p>{SENTENCE * 2}</main></div><script '
        f'id="__NEXT_DATA__" type="application/json">'
        '{"props":{"a":"' + "x" * 9000 + '"}}</script><script src="/_next/main.js"></script>'
    ),
    "empty mount beside a text": page(f'<p>{SENTENCE * 8}<div id="app"></div><script src="/widget.js"></script>'),
    "text about scripts": page(
        "<h1>Release notes</h1><p>"
        + "This JavaScript library needs no build step. " * 12
        + '<script src="/a.js"></script>'
    ),
    "list of links": page(
        "<ul>"
        + "".join(f"<li><a href=/{n}>Boat number {n} of the harbour</a>" for n in range(60))
        + "</ul><script src=/a.js></script>"
    ),
    "foreign film in a frame": page(
        f'<h1>Film</h1><p>{SENTENCE * 3}<iframe src="https://films.example/embed/1"></iframe>'
        f'<script src="/a.js"></script>'
    ),
    "unseen frame and an empty place for advertisements": page(
        f'<p>{SENTENCE * 3}<iframe src="/count.html" width="1" height="1"></iframe><div id="ad-slot"></div>'
        "<script>document.querySelector('#ad-slot').append(1)</script>"
    ),
    "templates in a manual": page(
        f"<p>{SENTENCE * 8}<p>Write {{{{ name }}}} and {{{{ text }}}}.<script src=/a.js></script>"
    ),
    "data beside a text": page(
        f'<p>{SENTENCE * 2}<script type="application/ld+json">'
        f'{{"@type":"Article","articleBody":"{"x" * 9000}"}}</script>'
    ),
}
FOUND_IN_PAGES = {
    "wcxb/0585": "a shop's product page, 0 words beside 337,000 characters of state",
    "wcxb/4577": "a shop's list, 0 words, an empty mount and a notice",
}


@pytest.mark.parametrize("name", SHELLS)
def test_shell_is_recognized(name: str) -> None:
    reason, html = SHELLS[name]
    shell = seen(html)
    assert shell is not None
    assert reason in shell.reasons


MOUNT = '<div id="root"></div><script src="/app.js"></script>'


@pytest.mark.parametrize(
    ("body", "has_text"),
    [
        (f"<p>{SENTENCE}</p>{MOUNT}", True),
        (f"<noscript>Please enable JavaScript.</noscript><p>{SENTENCE}</p>{MOUNT}", True),
        (f"<p>{SENTENCE * 4}It needs JavaScript to be enabled.</p>{MOUNT}", True),
        (MOUNT, False),
        (f"<p>Loading, please wait</p>{MOUNT}", False),
        (f"<noscript>You need to enable JavaScript to run this app.</noscript>{MOUNT}", False),
        (f"<p>This application works only when JavaScript is enabled in your browser.</p>{MOUNT}", False),
        (f"<p>Welcome {{{{ user.name }}}}, this is the weather of {{{{ town.name }}}} today.</p>{MOUNT}", False),
        (f"<nav>{'<a href=/x>Section of the site</a>' * 20}</nav>{MOUNT}", False),
        (f'<div class="cookie-banner">{SENTENCE}</div>{MOUNT}', False),
    ],
)
def test_shell_has_text_if_it_contains_more_than_a_notice(body: str, has_text: bool) -> None:
    shell = seen(page(body))
    assert shell is not None
    assert shell.has_text == has_text


@pytest.mark.parametrize("name", STANDING)
def test_page_with_sufficient_text_is_not_a_shell(name: str) -> None:
    assert seen(STANDING[name]) is None


@pytest.mark.long
def test_no_page_with_text_is_a_shell(verdicts: Mapping[str, Verdicts]) -> None:
    assert {key for key, found in verdicts.items() if found.shell is not None} == set(FOUND_IN_PAGES)
