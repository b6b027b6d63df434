"""Consent dialogs are removed. Elements with similar names and text about consent are kept."""

import pytest

from webquarry_convert.page import to_markdown

HEADER = """<header><a href="/">Larder</a><nav><ul><li><a href="/a">Guides</a></li><li><a href="/b">Prices</a></li></ul>
</nav></header>"""
FOOTER = '<footer><p>Larder Ltd, 3 Mill Lane</p><a href="/imprint">Imprint</a></footer>'
TEXT = "<p>The controller runs on any small computer and starts when the water level falls below the mark.</p>"
SESSION = "<p>A session lives in one signed cookie. Its name and its age are settings of the store.</p>"


def read(body: str) -> str:
    return to_markdown(f"<title>Larder</title><body>{HEADER}{body}{FOOTER}</body>", "https://larder.example/")


def test_components_named_cmp_are_kept() -> None:
    markdown = read(
        f"""<main><div class="root container"><div id="container-6f1c2a" class="cmp-container"><div class="cmp-title">
        <h1 class="cmp-title__text">Pump controller</h1></div><div id="text-91b0" class="cmp-text">{TEXT}</div>
        <div class="cmp-teaser"><h2 class="cmp-teaser__title">What it costs</h2><div class="cmp-teaser__description">
        <p>The first hundred hours of each month are free; then an hour costs two cents.</p></div></div></div></div>
        </main>"""
    )
    assert "starts when the water level falls" in markdown
    assert "two cents" in markdown


@pytest.mark.parametrize(
    "section",
    [
        '<section id="cookies"><h2>Cookies</h2>{}<pre><code>store.sign(key)</code></pre></section>',
        '<div class="section" id="cookies"><h2>Cookies</h2>{}<button>Copy</button><pre>sign(key)</pre></div>',
        '<section id="consent-api"><h2>Consent</h2>{}</section>',
        '<article class="gdpr"><h2>Law</h2>{}</article>',
    ],
)
def test_sections_about_cookies_are_kept(section: str) -> None:
    assert "one signed cookie" in read(f"<main><h1>First steps</h1>{TEXT}{section.format(SESSION)}</main>")


@pytest.mark.parametrize(
    "dialog",
    [
        '<div id="cookie-banner" class="cookie-consent"><p>{}</p><p>More.</p></div>',
        '<div class="cookie" role="dialog"><p>{}</p><p>More.</p></div>',
        '<div class="cookie" style="position:fixed"><p>{}</p><p>More.</p></div>',
        '<div id="consent"><p>{}</p><p>More.</p><button>Accept all</button></div>',
        '<div id="onetrust-consent-sdk"><p>{}</p><p>More.</p></div>',
        '<div id="cmpbox"><p>{}</p><p>More.</p></div>',
        '<div class="gdpr-popup"><p>{}</p><p>More.</p></div>',
    ],
)
@pytest.mark.parametrize("place", ["before", "behind"])
def test_consent_dialogs_are_dropped(dialog: str, place: str) -> None:
    asking = dialog.format("We and our partners use cookies to improve your visit and to measure what is read here.")
    main = f"<main><h1>First steps</h1>{TEXT}{SESSION}</main>"
    markdown = read(asking + main if place == "before" else main + asking)
    assert "our partners" not in markdown
    assert "one signed cookie" in markdown
