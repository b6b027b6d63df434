from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from convert_support.kit import KIT
from convert_support.verdicts import Verdicts
from webquarry_convert.marks import HEADERS, LEAKY, SURE, TITLES
from webquarry_convert.phrases import SAYINGS
from webquarry_convert.text.charset import decode
from webquarry_convert.text.markup import parse
from webquarry_convert.tree import copy_tree
from webquarry_convert.verdict import BlockKind, BlockPage, find_block_page, find_shell, measure_page
from webquarry_convert.verdict.page_features import RICH_PROSE

SAMPLES = KIT / "upstreams/samples"
URL = "https://example.com/article"
LANGUAGES = {"en", "de", "fr", "es", "pt", "it", "nl", "pl", "ru", "zh", "ja", "ko"}
SENTENCE = "The harbour was rebuilt after the flood and has been open to small boats since the spring of last year. "


def judged(html: str, **answer: Any) -> BlockPage | None:
    return find_block_page(measure_page(html), **{"url": URL, **answer})


def page(body: str, title: str = "Example", head: str = "") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body>{body}</body></html>"
    )


class Made(NamedTuple):
    """A generated block page in the form that its vendor serves."""

    kind: BlockKind
    vendor: str | None
    html: str
    facts: dict[str, Any] = {}  # noqa: RUF012  # never written to


MADE: dict[str, Made] = {
    "cloudflare managed challenge": Made(
        "challenge",
        "Cloudflare",
        page(
            '<div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span '
            'id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div></div>'
            "<script>(function(){window._cf_chl_opt={cvId:'3',cZone:\"example.com\",cType:'managed',cRay:'8a0'};var a="
            "document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8a0';"
            "document.getElementsByTagName('head')[0].appendChild(a);}());</script>",
            "Just a moment...",
            '<meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="360">',
        ),
    ),
    "cloudflare under attack": Made(
        "challenge",
        "Cloudflare",
        page(
            '<div class="cf-browser-verification cf-im-under-attack"><h1>Checking your browser before accessing '
            "example.com.</h1><p>This process is automatic. Your browser will redirect to your requested content "
            'shortly.</p><form id="challenge-form" action="/?__cf_chl_jschl_tk__=x" method="POST"><input type="hidden" '
            'name="r" value="x"></form><p>DDoS protection by <a href="https://example.org">Cloudflare</a></p></div>'
        ),
    ),
    "cloudflare firewall": Made(
        "denied",
        "Cloudflare",
        page(
            '<div id="cf-wrapper"><div id="cf-error-details"><h1>Sorry, you have been blocked</h1><h2>'
            "You are unable to "
            "access example.com</h2><h2>Why have I been blocked?</h2><p>This website is using a security service to "
            "protect itself from online attacks. The action you just performed triggered the security solution.</p>"
            "<p>Cloudflare Ray ID: <strong>8a0</strong></p></div></div>",
            "Attention Required! | Cloudflare",
        ),
    ),
    "cloudflare by header alone": Made("challenge", "Cloudflare", page(""), {"headers": {"cf-mitigated": "challenge"}}),
    "datadome captcha": Made(
        "captcha",
        "DataDome",
        '<html lang="en"><head><title>example.com</title><style>#cmsg{animation: A 1.5s;}</style></head><body '
        'style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var '
        "dd={'rt':'c','cid':'AHr','hsh':'A55','t':'fe','s':1,'host':'geo.captcha-delivery.com'}</script><script "
        'data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script></body></html>',
    ),
    "datadome device check": Made(
        "challenge",
        "DataDome",
        page('<p id="cmsg">Please wait</p><script src="https://ct.captcha-delivery.com/i.js"></script>'),
    ),
    "datadome for programs": Made(
        "captcha", "DataDome", '{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=AHr&cid=x&t=fe"}'
    ),
    "human press and hold": Made(
        "captcha",
        "HUMAN",
        page(
            '<section class="container"><h1>Please verify you are a human</h1><div id="px-captcha"></div><p>Access to '
            "this page has been denied because we believe you are using automation tools to browse the website.</p>"
            "<p>This may happen as a result of the following:</p><ul><li>Javascript is disabled or blocked by an "
            "extension (ad blockers for example)</li><li>Your browser does not support cookies</li></ul></section>"
            "<script>window._pxAppId='PXabc';window._pxUuid='x';</script><script "
            'src="https://captcha.px-cdn.net/PXabc/captcha.js?a=c&m=0"></script>',
            "Access to this page has been denied.",
        ),
    ),
    "imperva script": Made(
        "challenge",
        "Imperva",
        '<html><head><META NAME="robots" CONTENT="noindex,nofollow"><script src="/_Incapsula_Resource?SWJIYLWA=5074a7">'
        "</script></head><body></body></html>",
    ),
    "imperva block": Made(
        "denied",
        "Imperva",
        '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head>'
        '<body style="margin:0px">'
        '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=24&xinfo=9-1&incident_id=92-1&edet=12">Request '
        "unsuccessful. Incapsula incident ID: 92-1</iframe></body></html>",
    ),
    "imperva interruption": Made(
        "challenge",
        "Imperva",
        "<!DOCTYPE html><html><head><noscript><title>Pardon Our Interruption</title></noscript><script>window."
        "reeseSkipExpirationCheck = true;</script></head><body><div class=container><h1>Pardon Our "
        "Interruption</h1><p>As "
        "you were browsing something about your browser made us think you were a bot. There are a "
        "few reasons this might "
        "happen:</p><ul><li>You've disabled JavaScript in your web browser.</li></ul></div></body></html>",
    ),
    "akamai denial": Made(
        "denied",
        "Akamai",
        "<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have "
        "permission to access "
        '"http&#58;&#47;&#47;example&#46;com&#47;" on this server.<P>Reference&#32;&#35;18&#46;da4c&#46;17<P>https&#58;'
        "&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;da4c&#46;17</BODY></HTML>",
    ),
    "akamai behavioural challenge": Made(
        "challenge",
        "Akamai",
        page(
            '<div id="sec-if-cpt-container" style="display:block"><div id="sec-bc-tile-parent"></div><p '
            'class="scf-akamai-protected-by">Powered and protected by</p></div><script '
            'src="/_sec/cp_challenge/sec-cpt-int-4-3.js"></script>',
            "",
        ),
    ),
    "akamai verification by refresh": Made(
        "challenge",
        "Akamai",
        '<html><head><meta http-equiv="refresh" content="5; URL=\'/?bm-verify=AAQAAA\'" /></head><body><script>var i=1;'
        "fetch('/_sec/verify?provider=interstitial',{method:'POST'});</script></body></html>",
    ),
    "aws waf challenge": Made(
        "challenge",
        "AWS WAF",
        page(
            '<div id="challenge-container"></div><script>AwsWafIntegration.saveReferrer();AwsWafIntegration.getToken()'
            ".then(() => {window.location.reload(true);});</script><noscript><h1>JavaScript is "
            "disabled</h1>In order to "
            "continue, we need to verify that you're not a robot.</noscript>",
            "",
            '<script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQ"};</script><script '
            'src="https://1c5c.us-west-2.token.awswaf.com/1c5c/challenge.js"></script>',
        ),
    ),
    "aws waf by header alone": Made("captcha", "AWS WAF", page(""), {"headers": {"x-amzn-waf-action": "captcha"}}),
    "kasada": Made(
        "challenge",
        "Kasada",
        "<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!==''"
        "&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now();</script>"
        '<script src="/149e/2d20/ips.js?KP_UIDz=x&amp;x-kpsdk-im=y"></script></body></html>',
        {"status": 429},
    ),
    "sucuri script": Made(
        "challenge",
        "Sucuri",
        "<html><title>You are being redirected...</title><noscript>Javascript is required. Please "
        "enable javascript before "
        "you are allowed to see this page.</noscript><script>var "
        "s={},u,c,sucuri_cloudproxy_js='',S='YT0n';</script></html>",
    ),
    "sucuri firewall": Made(
        "denied",
        "Sucuri",
        page(
            "<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner (or you "
            "manage this site), please "
            "whitelist your IP or if you think this block is an error please open a support ticket.</p><h2>Block "
            "details:</h2><table><tr><td>Your IP:<td>203.0.113.7</table>",
            "Sucuri WebSite Firewall - Access Denied",
        ),
    ),
    "ddos-guard": Made(
        "challenge",
        "DDoS-Guard",
        page(
            '<div class="container"><p id="request-info"></p><h1 id="title">Checking your browser '
            "before accessing</h1></div>"
            '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>',
            "DDoS-Guard",
        ),
    ),
    "anubis": Made(
        "challenge",
        "Anubis",
        page(
            '<script id="anubis_version" type="application/json">"v1"</script><h1>Making sure '
            "you&#39;re not a bot!</h1>"
            "<p>Loading...</p><details><summary>Why am I seeing this?</summary><p>" + SENTENCE * 3 + "</p></details>",
            "Making sure you&#39;re not a bot!",
        ),
    ),
    "vercel": Made(
        "challenge",
        "Vercel",
        page("<p>We're verifying your browser</p><script>1</script>", "Vercel Security Checkpoint"),
    ),
    "siteground by refresh": Made(
        "captcha",
        "SiteGround",
        '<html><head><meta http-equiv="refresh" '
        'content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc:203.0.113.7"></head></html>',
    ),
    "cookie computed by a cipher": Made(
        "challenge",
        None,
        '<html><body><script src="/aes.js"></script><script>function toNumbers(d){return d}var '
        'a=toNumbers("f6"),b="98",c="1c";'
        'document.cookie="__test="+toHex(slowAES.decrypt(c,2,a,b))+"; path=/";location.href="https://example.com/?i=1";'
        "</script><noscript>This site requires Javascript to work, please enable Javascript in "
        "your browser or use a browser "
        "with Javascript support</noscript></body></html>",
    ),
    "cookie and reload": Made(
        "challenge",
        None,
        "<html><body><script>document.cookie='guard=' + btoa(navigator.userAgent) + "
        "';path=/';location.reload();</script>"
        "</body></html>",
    ),
    "proof of work": Made(
        "challenge",
        None,
        page(
            "<p>Checking your browser...</p><noscript>This site requires JavaScript.</noscript><script>var x=new "
            "XMLHttpRequest();x.open('POST','/__c');x.onload=function(){location.reload()};x.send('n=1')</script>",
            "Loading...",
        ),
    ),
    "recaptcha page": Made(
        "captcha",
        None,
        page(
            '<form id="captcha-form" action="index" method="post"><div id="recaptcha" '
            'class="g-recaptcha" data-sitekey="6L">'
            "</div></form><p>Our systems have detected unusual traffic from your computer network. "
            "This page checks to see if "
            "it's really you sending the requests, and not a robot.</p><div>" + SENTENCE * 8 + "</div>"
        ),
    ),
    "hcaptcha page": Made(
        "captcha", None, page('<h1>One more step</h1><form><div class="h-captcha" data-sitekey="x"></div></form>')
    ),
    "image captcha": Made(
        "captcha",
        None,
        page(
            "<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not "
            "a robot.</p><form "
            'action="/errors/check"><img src="/captcha/1.jpg"><input type="text" '
            'id="captchacharacters" name="field-keywords">'
            "<button>Continue shopping</button></form>",
            "Robot Check",
        ),
    ),
    "sent on to a captcha": Made(
        "captcha",
        None,
        page("<p>One moment, this will only take a second.</p>"),
        {"url": "https://example.com/showcaptcha?retpath=x", "requested_url": URL},
    ),
    "log-in form": Made(
        "login",
        None,
        page(
            '<h1>Welcome back</h1><form action="/session" method="post"><label>Email <input '
            'type="email" name="login"></label>'
            '<label>Password <input type="password" name="password"></label><button>Sign in</button>'
            '</form><a href="/reset">'
            "Forgot password?</a>",
            "Sign in",
        ),
    ),
    "log-in form with many languages below": Made(
        "login",
        None,
        page(
            '<form><input type="text" name="email"><input type="password" name="pass"><button>Log '
            "in</button></form><ul>"
            + "".join(f'<li><a href="/{n}">Language number {n}</a></li>' for n in range(60))
            + "</ul>"
        ),
    ),
    "log-in with its first step at the address of log-ins": Made(
        "login",
        None,
        page('<h1>Sign in</h1><form><input type="email" name="identifier"><button>Next</button></form>'),
        {"url": "https://accounts.example.com/v3/signin/identifier"},
    ),
    "log-in without a word": Made(
        "login",
        None,
        page('<div id="root"></div><script src="/a.js"></script>'),
        {"url": "https://example.com/login?next=/a", "requested_url": URL},
    ),
    "profile behind a log-in": Made(
        "login", None, "<html><head><title>Site</title></head><body>Log in to see more</body></html>"
    ),
    "shop behind a password": Made(
        "login",
        None,
        page('<h1>Opening soon</h1><p>Be the first to know when we launch.</p><form><input type="password"></form>'),
        {"url": "https://example.com/password", "requested_url": URL},
    ),
    "consent page of a search engine": Made(
        "consent",
        None,
        page(
            "<h1>Before you continue to Example</h1><p>We use cookies and data to deliver and maintain "
            "our services.</p>"
            + f"<p>{SENTENCE * 12}</p>"
            + '<form action="https://consent.example.com/save" method="post"><button>Reject all</button>'
            "<button>Accept all"
            "</button></form>"
        ),
        {"url": "https://consent.example.com/m?continue=https://example.com/"},
    ),
    "sent on to consent": Made(
        "consent",
        None,
        page(f"<h1>Your choice</h1><p>We and our partners use cookies. {SENTENCE * 9}</p><button>Agree</button>"),
        {"url": "https://example.com/collectConsent?sessionId=1", "requested_url": URL},
    ),
    "consent or subscription": Made(
        "consent",
        None,
        page(
            f"<h1>Mit Werbung weiterlesen</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Cookies. "
            f"{SENTENCE * 6}</p><button>Akzeptieren</button>"
        ),
    ),
    "cookie banner over nothing": Made(
        "consent",
        None,
        page(
            '<header>Example</header><div id="cookie-banner"><p>We and our 812 partners store and '
            "access information on a "
            "device, such as cookies, to personalise what you see.</p><button>Accept</button></div>"
        ),
    ),
    "rate limit": Made(
        "denied", None, page("<center><h1>429 Too Many Requests</h1></center><hr><center>nginx</center>")
    ),
    "forbidden with success": Made("denied", None, page("<h1>403 Forbidden</h1><hr>nginx", "403 Forbidden")),
    "rejected by a firewall": Made(
        "denied",
        None,
        page(
            "The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 123",
            "Request Rejected",
        ),
    ),
    "refused by a guarded site": Made(
        "denied",
        "Imperva",
        page("<h1>Oops</h1><p>That did not work.</p>"),
        {"status": 403, "headers": {"x-iinfo": "9-1-0 0NNN RT(1 2) q(0 0 0 -1) r(0 -1) B16"}},
    ),
    "empty after rendering": Made(
        "shell", None, page('<div id="root"></div><script src="/app.js"></script>'), {"rendered": True}
    ),
    "still loading after rendering": Made(
        "shell", None, page('<div id="root">Loading...</div><script src="/app.js"></script>'), {"rendered": True}
    ),
}

CONTENT: dict[str, str | tuple[str, dict[str, Any]]] = {
    "example domain": page(
        "<div><h1>Example Domain</h1><p>This domain is for use in documentation examples without "
        "needing permission. Avoid "
        'use in operations.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div>'
    ),
    "nothing": "",
    "log-in link": page(f'<nav><a href="/login">Log in</a> <a href="/signup">Sign up</a></nav><p>{SENTENCE * 2}'),
    "log-in box beside a text": page(
        f'<form><input name="user"><input type="password" name="pass"><button>Log in</button></form><p>{SENTENCE * 8}'
    ),
    "log-in box beside a list": page(
        '<form><input name="user"><input type="password"></form><ul>'
        + "".join(f'<li><a href="/{n}">Product number {n}, blue</a></li>' for n in range(80))
    ),
    "log-in box beside pictures": page(
        '<form><input type="password"></form>' + "".join(f"<img src={n}.jpg alt=Boat>" for n in range(12))
    ),
    "hidden log-in box": page(
        f'<dialog><form><input type="password"></form></dialog><h1>Opening hours</h1><p>{SENTENCE}'
    ),
    "newsletter form": page(
        f'<h1>Coming soon</h1><p>{SENTENCE}<form><input type="email" name="mail"><button>Send</button></form>'
    ),
    "newsletter form with captcha": page(
        '<h1>Coming soon</h1><p>Leave your address.</p><form><input type="email" name="mail"><div '
        'class="g-recaptcha"></div></form>'
    ),
    "contact form with captcha": page(
        '<h1>Contact</h1><p>12 Harbour Road, Exampleton</p><form><input name="name"><input '
        'type="email" name="mail"><textarea '
        'name="message"></textarea><div class="g-recaptcha" data-sitekey="x"></div><label>I\'m not '
        "a robot</label></form>"
    ),
    "comment form with an unseen captcha": page(
        f'<h1>Notes</h1><p>{SENTENCE}<div class="g-recaptcha" data-size="invisible"></div><script '
        f'src="/recaptcha/api.js"></script>'
    ),
    "article about captchas": page(
        f"<article><h1>Are you a robot? A short history of the captcha</h1><p>Access denied, said "
        f"the page. {SENTENCE}</article>",
        "Captcha",
    ),
    "manual about a status": page(
        "<h1>429 Too Many Requests</h1><p>Sent when the rate limit is exceeded. Example:</p><pre>"
        "HTTP/1.1 429 Too Many Requests"
        "\nRetry-After: 3600</pre>",
        "429 Too Many Requests",
    ),
    "list of captcha solvers": page(f"<h1>Captcha solvers</h1><p>{SENTENCE}", "Captcha solvers compared"),
    "note about a vendor's script": page(
        f"<h1>What the interstitial holds</h1><p>{SENTENCE * 4}<pre>window._cf_chl_opt = {{}}</pre>"
    ),
    "log-in link before a text": page(
        f'<nav><a href="/login">Log in</a></nav><p>To see the boats, come early. {SENTENCE}'
    ),
    "coding challenge": page(f'<div id="challenge-list" class="challenge"><h1>Week 12</h1><p>{SENTENCE * 2}</div>'),
    "cookie banner over a text": page(
        f'<div id="cookie-banner"><p>We use cookies. <button>Accept</button></div><main><h1>'
        f"Harbour</h1><p>{SENTENCE}</main>"
    ),
    "cookie banner that says so over a text": page(
        '<div class="notice"><h2>Before you continue to the site</h2><p>We use cookies.</p>'
        '<form action="/cookie-consent"><button>Accept and continue</button></form></div>'
        f"<main><h1>Harbour</h1><p>{SENTENCE * 3}</main>"
    ),
    "text about consent": (
        page(f"<h1>Consent in medicine</h1><p>Consent is asked for each time. {SENTENCE * 3}<button>Print</button>"),
        {"url": "https://example.com/health/consent"},
    ),
    "shell of a page of challenges": page('<div id="weekly-challenges"></div><script src="/app.js"></script>'),
    "recipe for cookies": page(
        f'<div class="cookie-recipe"><h1>Cookies</h1></div><p>Before you continue to bake: {SENTENCE * 2}'
    ),
    "guarded site's page": (
        page(f'<p>{SENTENCE * 3}<script src="/_Incapsula_Resource?SWJIYLWA=719d"></script>'),
        {"headers": {"x-iinfo": "9-1", "set-cookie": "incap_ses_1=x"}},
    ),
    "page watched by cloudflare": page(
        f'<p>{SENTENCE}<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'
    ),
    "script shell of a guarded site": page(
        '<div id="root"></div><script src="/_Incapsula_Resource?SWJIYLWA=719d"></script><script src="/app.js"></script>'
    ),
    "script shell with a cookie banner": page(
        '<div id="app"></div><div id="cookie-banner"><p>We use cookies and similar means to make '
        "this site work for you.</p></div>"
        '<script src="/app.js"></script>'
    ),
    "refusal by status alone": (page("<h1>Oops</h1><p>That did not work."), {"status": 403}),
    "sent on to another page": (page(f"<p>{SENTENCE}"), {"requested_url": "https://example.com/old"}),
    "help page within the log-in": (
        page(f"<h1>Trouble with your password</h1><p>{SENTENCE * 4}"),
        {"url": "https://example.com/login/help"},
    ),
    "long page that says everything": page(
        "<h1>Access denied</h1><p>Please log in to continue, are you a robot, we use cookies before you continue to. "
        + SENTENCE * (RICH_PROSE // 15)
        + '<input type="password"><div class="g-recaptcha">'
    ),
}

FOUND_IN_SAMPLES: dict[str, BlockKind] = {
    "ads-socialnet/challenge-403.synthetic.html": "challenge",
    "ads-socialnet/graphql-1675004.synthetic.json": "denied",  # the text says "Rate limit exceeded"
    "photonet-profile/web_profile_info-401-2026-09-03.json": "login",
    "search/duckduckgo-html-anomaly-202.trimmed.html": "captcha",
    "search/google-sorry-captcha.html": "captcha",
    "search/mojeek-captcha.trimmed.html": "captcha",
    "shortvideo-profile/page-js-challenge.synthetic.html": "challenge",
    "socialnet-page/page-login-wall.synthetic.html": "login",
    "video-platform/yta_youtube_too_many_requests.html": "captcha",
}
FOUND_IN_PAGES: dict[str, str] = {}
"""Ids of evaluation pages that are block pages, with the reason. There are currently no such pages."""
EMPTY_PAGES = {
    "wcxb/0585": "a shop's product page saved before its scripts ran: no text, and its ground truth has none",
    "wcxb/4577": "a shop's list saved before its scripts ran: no text, and its ground truth has none",
}

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample folder is not here")


@pytest.mark.parametrize("name", MADE)
def test_block_page_is_recognized(name: str) -> None:
    made = MADE[name]
    block_page = judged(made.html, **made.facts)
    assert block_page is not None
    assert (block_page.kind, block_page.vendor) == (made.kind, made.vendor), block_page.evidence
    assert 0 < len(block_page.evidence) <= 120


@pytest.mark.parametrize("name", CONTENT)
def test_content_is_not_a_block_page(name: str) -> None:
    given_page = CONTENT[name]
    html, found = (given_page, {}) if isinstance(given_page, str) else given_page
    assert judged(html, **found) is None


@pytest.mark.parametrize("name", [name for name in CONTENT if "shell" not in name])
def test_rendered_content_is_not_a_block_page(name: str) -> None:
    given_page = CONTENT[name]
    html, found = (given_page, {}) if isinstance(given_page, str) else given_page
    assert judged(html, **found, rendered=True) is None


@pytest.mark.parametrize("kind", SAYINGS)
def test_block_pages_are_recognized_in_twelve_languages(kind: BlockKind) -> None:
    assert set(SAYINGS[kind]) == LANGUAGES


@pytest.mark.parametrize(
    ("kind", "language", "phrase"),
    [(kind, language, phrase) for kind in SAYINGS for language in SAYINGS[kind] for phrase in SAYINGS[kind][language]],
)
def test_block_page_is_recognized_by_its_text(kind: BlockKind, language: str, phrase: str) -> None:
    mention = "<p>Cookies</p><button>OK</button>" if kind == "consent" else ""
    block_page = judged(page(f"<h1>Hm, {phrase} ...</h1>{mention}"))
    assert block_page is not None
    assert (
        block_page.kind == kind
        or phrase in SAYINGS[block_page.kind][language]
        or block_page.evidence.removeprefix("text: ") in phrase
    )


@pytest.mark.parametrize("mark", TITLES, ids=lambda mark: mark.sign)
def test_block_page_is_recognized_by_its_title(mark: Any) -> None:
    for title in (mark.sign, f"{mark.sign} | Example", f"Example - {mark.sign.upper()}"):
        block_page = judged(page("<p>8a0</p>", title))
        assert block_page is not None
        assert block_page.kind == mark.kind


@pytest.mark.parametrize("mark", SURE, ids=lambda mark: mark.sign)
def test_vendor_mark_counts_only_with_little_text(mark: Any) -> None:
    block_page = judged(page(f"<script>{mark.sign}</script><p>{SENTENCE}"))
    assert block_page is not None
    assert (block_page.kind, block_page.vendor) == (mark.kind, mark.vendor)
    assert judged(page(f"<script>{mark.sign}</script><p>{SENTENCE * 40}")) is None


@pytest.mark.parametrize("mark", LEAKY, ids=lambda mark: mark.sign)
def test_mark_that_also_occurs_on_content_counts_only_on_empty_pages(mark: Any) -> None:
    assert judged(page(f"<script>'{mark.sign}'</script>")) is not None
    assert judged(page(f"<script>'{mark.sign}'</script><p>{SENTENCE * 2}")) is None


@pytest.mark.parametrize(("name", "value", "mark"), HEADERS)
def test_header_identifies_a_block_page_with_any_text(name: str, value: str, mark: Any) -> None:
    assert judged(page(f"<p>{SENTENCE * 40}"), headers={name: value}) is not None


def test_message_names_the_demand_and_the_vendor() -> None:
    assert BlockPage("captcha", "x", "DataDome").demand == "asks its visitors to solve a captcha (DataDome)"
    assert BlockPage("login", "x").demand == "asks its visitors to log in"


@needs_samples
@pytest.mark.parametrize("name", FOUND_IN_SAMPLES)
def test_recorded_block_page_is_recognized(name: str) -> None:
    block_page = judged(decode((SAMPLES / name).read_bytes(), "").text)
    assert block_page is not None
    assert block_page.kind == FOUND_IN_SAMPLES[name]


@needs_samples
def test_no_other_recording_is_a_block_page() -> None:
    texts = [path for path in SAMPLES.rglob("*") if path.suffix in (".html", ".json", ".txt", ".xml")]
    found = {str(path.relative_to(SAMPLES)) for path in texts if judged(decode(path.read_bytes(), "").text) is not None}
    assert found == set(FOUND_IN_SAMPLES)


@pytest.mark.long
def test_no_page_with_content_is_a_block_page(verdicts: Mapping[str, Verdicts]) -> None:
    assert {key for key, found in verdicts.items() if found.block_page is not None} == set(FOUND_IN_PAGES)


@pytest.mark.long
def test_only_empty_rendered_pages_are_block_pages(verdicts: Mapping[str, Verdicts]) -> None:
    assert {key for key, found in verdicts.items() if found.rendered_wall is not None} == set(EMPTY_PAGES)


def of_size(size: int, piece: str, start: str = "") -> str:
    return start + piece * (size // len(piece))


TRAPS: dict[str, Callable[[int], str]] = {
    "nested blocks": lambda n: of_size(n, "<div class=captcha>") + "x",
    "open scripts": lambda n: of_size(n, "<script "),
    "many scripts": lambda n: of_size(n, "<script>x</script>"),
    "scripts without end": lambda n: of_size(n, "<script>"),
    "states": lambda n: of_size(n, "<script type=application/json>{}</script>"),
    "title": lambda n: of_size(n, "captcha ", "<title>"),
    "one word": lambda n: of_size(n, "a"),
    "spaces": lambda n: of_size(n, " "),
    "fields": lambda n: of_size(n, "<input type=password>", "<div hidden>" * 399),
    "banners": lambda n: of_size(n, "<p class=cookie>"),
    "mounts": lambda n: of_size(n, "<div id=root></div>"),
    "custom elements": lambda n: of_size(n, "<a-b></a-b>"),
    "templates": lambda n: of_size(n, "{{", "<p>"),
    "less-than signs": lambda n: of_size(n, "<"),
    "phrases": lambda n: of_size(n, "before you continue ", "<noscript>"),
}
PIECES = [
    *(
        "<div>",
        "</div>",
        "<p>",
        "text ",
        SENTENCE,
        "<a href=/login>Log in</a>",
        "<input type=password>",
        "<form action='",
    ),
    *(
        "'>",
        "<title>",
        "</title>",
        "Access denied",
        "<noscript>",
        "</noscript>",
        "<script>",
        "</script>",
        "captcha",
        "cookie",
    ),
    *(
        "<div id=root>",
        "<a-b>",
        "<frameset><frame src=x>",
        "<iframe src=/x>",
        "<template shadowrootmode=open>",
        "{{ x }}",
    ),
    *(
        "<div class=g-recaptcha>",
        "<meta http-equiv=refresh content='0;url=/x'>",
        "<svg>",
        "<select>",
        "\x00",
        "\ud800",
        "安全验证",
    ),
]


@pytest.mark.parametrize("trap", TRAPS)
def test_time_grows_linearly_with_the_page(trap: str) -> None:
    def judging(size: int) -> Callable[[], object]:
        html = TRAPS[trap](size)
        tree = parse(html)

        def judge() -> None:
            seen = measure_page(html, tree)
            find_block_page(seen, url=URL, requested_url=URL, rendered=True)
            find_shell(seen)

        return judge

    assert_linear(judging, 100_000)


def test_very_deep_page_is_accepted() -> None:
    assert judged("<div>" * 50_000 + "Please log in to continue") is not None


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_markup_is_accepted(pieces: list[str], rendered: bool) -> None:
    seen = measure_page("".join(pieces))
    block_page = find_block_page(seen, url=URL, requested_url="https://example.com/", rendered=rendered)
    assert block_page is None or block_page.evidence
    shell = find_shell(seen)
    assert shell is None or shell.reasons


@given(st.lists(st.sampled_from([*PIECES, "words " * 100, "<nav>", "</nav>"]), max_size=40))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_rich_pages_are_recognized_in_the_light_tree(pieces: list[str]) -> None:
    html = "".join(pieces)
    tree = parse(html)
    alone, together = measure_page(html, tree), measure_page(html, tree, copy_tree(tree))
    assert alone.is_rich == together.is_rich
    if not alone.is_rich:
        assert alone == together


@given(st.text(max_size=300))
def test_any_text_is_accepted(text: str) -> None:
    judged(text)
