"""Detection of block pages: a login, captcha, challenge, consent form or refusal instead of content.

A block page has evidence of an obstacle and little other text. A page with a login link, a captcha in a form, a cookie
banner or an article about block pages has other text and is not blocked. The stronger the evidence, the more words the
page may have. For example, a vendor's mark in the markup counts if there are up to `SURE_PROSE` words of prose, and the
words "access denied" in the text count if there are up to `SAID_PROSE`. The marks and their meaning are listed in
docs/upstreams/walls.md.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from urllib.parse import SplitResult, urlsplit

from selectolax.lexbor import LexborNode

from webquarry_convert import marks, phrases
from webquarry_convert.marks import BlockKind, Mark
from webquarry_convert.verdict.page_features import PageFeatures, count_banner_words, is_hidden, normalise_text
from webquarry_convert.verdict.scripts import count_scripts
from webquarry_convert.verdict.shell import PLACEHOLDER_WORDS, UNSCRIPTED_WORDS, has_empty_mount
from webquarry_convert.verdict.telling_elements import MAX_MATCHES, TellingElements

SURE_PROSE, SURE_LABELS = 350, 150
"""Maximum number of words of a block page that has a vendor's mark."""
SAID_PROSE, SAID_LABELS = 110, 80
"""Maximum number of words of a block page that is recognized only by its text."""
TITLE_PROSE, TITLE_LABELS = 60, 60
STRUCTURE_PROSE, STRUCTURE_LABELS = 60, 80
LEAKY_WORDS = 25
MAX_SCRIPTS = 4
"""Maximum number of scripts in an interstitial. The page that follows it has more."""
SILENT_WORDS = 12
LOGIN_PROSE, LOGIN_LABELS = 80, 250
LOGIN_SAID_WORDS = 60
REDIRECTED_PROSE = 150
CONSENT_PROSE, CONSENT_LABELS = 450, 200
BANNER_BESIDES = 10
MAX_PICTURES = 8
"""Minimum number of pictures on a page with content. Block pages contain only a logo and a few icons."""

SAID_WITHIN = 400
"""A block page names the obstacle within this many characters from the start of its text."""
TITLE_REST = 45
"""Maximum number of characters that may follow a block page's title, such as the site's name."""
MARKS_WINDOW = 200_000
MAX_RELOADING = 64_000

_LOGIN_SEGMENT = re.compile(
    r"(?:wp-|user-?|member-?|account-?|web-?|sso-?|ajax-?)?(?:log[-_]?[io]n|sign[-_]?[io]n|authwall|checkpoint|authenticate|"
    r"einloggen|anmelden|se-connecter|iniciar-sesion|inloggen|zaloguj|logowanie)(?:\.(?:php|aspx?|jsp|html?|do|action))?",
    re.IGNORECASE,
)
_LOGIN_HOST = re.compile(r"(?:login|logon|signin|sso|auth|idp|accounts)\d*\.", re.IGNORECASE)
_STOP_SEGMENTS: tuple[tuple[re.Pattern[str], BlockKind], ...] = (
    (
        re.compile(r"(?:show|check|validate|verify|sp)?-?captcha(?:\.\w+)?|sorry|robot-?check|human-?check", re.I),
        "captcha",
    ),
    (re.compile(r"challenge(?:\.\w+)?|challenge-platform|browser-?check", re.I), "challenge"),
    (re.compile(r"blocked(?:\.\w+)?|access-?denied(?:\.\w+)?|rate-?limit(?:ed)?|forbidden", re.I), "denied"),
)
MAX_SEGMENTS = 6
_CONSENT_HOST = re.compile(r"(?:cookie-?)?(?:consent|cmp|privacywall)s?\.", re.IGNORECASE)
_CONSENT_PATH = re.compile(
    r"/(?:[\w-]+/)*(?:cookie-?consent|collect-?consent|consent|cookie-?wall|privacy-?wall|gdpr|zustimmung|dsgvo)(?:[/.].*)?",
    re.IGNORECASE,
)
_CONSENT_ACTION = re.compile(r"\s*(?:https?:)?//(?:[\w-]{1,60}\.){0,4}consent\.", re.IGNORECASE)
_TITLE_AROUND = re.compile(r"(?:.*[-|:·–—(] ?)?\0[ .!?…]*(?:[-|:·–—),/].*)?")
_PLAIN_KINDS: tuple[BlockKind, ...] = ("challenge", "denied")
_RELOAD = re.compile(r"location\.reload\s*\(|location(?:\.href)?\s*=\s*(?:window\.|document\.)?location")
_ACTS = re.compile(r"document\.cookie\s*=|\bfetch\s*\(|XMLHttpRequest|navigator\.sendBeacon|challenge", re.IGNORECASE)
_CHALLENGES = "form[action*=challenge i], [id*=challenge i], [class*=challenge i]"
_CHALLENGE_NAME = re.compile(
    r"(?:cf-|js-|bot-|browser-|security-|waf-?)challenge|challenge-?(?:form|container|running|error\S*|stage|platform)",
    re.IGNORECASE,
)
_ANSWERS = "form, button, input, [role=button i]"
_DEMANDS: Mapping[BlockKind, str] = {
    "login": "asks its visitors to log in",
    "captcha": "asks its visitors to solve a captcha",
    "challenge": "checks the browser before it responds",
    "consent": "shows nothing until its consent form is submitted",
    "denied": "rejects bots",
    "shell": "shows no text even after its scripts have run",
}


@dataclass(frozen=True, slots=True)
class BlockPage:
    """A block page.

    evidence: the mark or phrase that identified the page, as plain text of at most 120 characters. vendor: the vendor
    that serves it, if known.
    """

    kind: BlockKind
    evidence: str
    vendor: str | None = None

    @property
    def demand(self) -> str:
        """What the site does, as a phrase that follows the site's name in a message."""
        return f"{_DEMANDS[self.kind]} ({self.vendor})" if self.vendor else _DEMANDS[self.kind]


def find_block_page(
    page: PageFeatures,
    *,
    url: str,
    requested_url: str | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    rendered: bool = False,
) -> BlockPage | None:
    """Return the block page, or None if the page has content or is a shell that scripts may still fill.

    url: the final URL after redirects. requested_url: the requested URL. headers: values by lower-case name. rendered:
    whether a browser has run the page's scripts. If it has not and scripts may still fill an element, only four kinds
    of evidence count: headers and vendors' marks, a redirect, the title, and a refusal by a site with known bot
    protection.
    """
    sent = headers or {}
    if mark := marks.find_by_header(sent):
        return _make_block_page(mark)
    if page.is_rich or page.pictures > MAX_PICTURES:
        return None
    is_waiting = not rendered and has_empty_mount(page)
    elements = TellingElements(page.tree)
    found = chain(
        _find_by_mark(page, elements, is_waiting=is_waiting),
        _find_by_redirect(page, url, requested_url),
        _find_by_title(page, elements),
        ()
        if is_waiting
        else chain(
            _find_by_form(page, url),
            _find_by_phrase(page, elements),
            _find_by_consent(page, url, requested_url, rendered=rendered),
            _find_by_structure(page, elements),
        ),
        _find_by_guard(page, status, sent),
        _find_by_emptiness(page) if rendered else (),
    )
    return next(found, None)


def _find_by_mark(page: PageFeatures, elements: TellingElements, *, is_waiting: bool) -> Iterator[BlockPage]:
    if not _is_within(page, SURE_PROSE, SURE_LABELS) or (page.prose > STRUCTURE_PROSE and elements.has_content):
        return
    markup = page.html[:MARKS_WINDOW].lower()
    yield from _find_marks(marks.SURE, markup)
    if page.words <= LEAKY_WORDS and not is_waiting and count_scripts(page.html).programs <= MAX_SCRIPTS:
        yield from _find_marks(marks.LEAKY, markup)


def _find_marks(known: Iterable[Mark], markup: str) -> Iterator[BlockPage]:
    return (_make_block_page(mark) for mark in known if mark.sign in markup)


def _find_by_title(page: PageFeatures, elements: TellingElements) -> Iterator[BlockPage]:
    if page.title and _is_within(page, TITLE_PROSE, TITLE_LABELS) and not elements.has_content:
        for mark in marks.TITLES:
            before, found, after = page.title.partition(mark.sign)
            # "Access denied | Example" and "Example - Access denied", but not "Captcha solvers compared"
            if found and len(before) + len(after) <= TITLE_REST and _TITLE_AROUND.fullmatch(f"{before}\0{after}"):
                yield BlockPage(mark.kind, f"title: {mark.sign}", mark.vendor)


def _find_by_phrase(page: PageFeatures, elements: TellingElements) -> Iterator[BlockPage]:
    if elements.has_content:
        return
    head = f"{page.title} {page.text[:SAID_WITHIN]} {page.notice[:SAID_WITHIN]}"
    fields = elements.text_fields
    has_captcha = not fields and elements.has_captcha
    if _is_within(page, SURE_PROSE, SURE_LABELS) if has_captcha else _is_within(page, SAID_PROSE, SAID_LABELS):
        if not fields and (phrase := phrases.find_phrase(head, "captcha")):
            yield BlockPage("captcha", f"text: {phrase}")
        for kind in _PLAIN_KINDS if fields <= 1 else ():
            if phrase := phrases.find_phrase(head, kind):
                yield BlockPage("captcha" if has_captcha else kind, f"text: {phrase}")
    if page.words <= LOGIN_SAID_WORDS and (phrase := phrases.find_phrase(head, "login")):
        yield BlockPage("login", f"text: {phrase}")


def _find_by_redirect(page: PageFeatures, url: str, requested_url: str | None) -> Iterator[BlockPage]:
    """Yield block pages to which the site redirected the request: a login, a captcha or a refusal."""
    if requested_url is None or page.prose > REDIRECTED_PROSE or page.labels > LOGIN_LABELS:
        return
    evidence = f"redirected to {urlsplit(url).path}"[:120]
    if _is_login(url) and not _is_login(requested_url):
        yield BlockPage("login", evidence)
    before = _split_path(requested_url)
    for segment in _split_path(url):
        for pattern, kind in _STOP_SEGMENTS:
            if pattern.fullmatch(segment) and segment not in before:
                yield BlockPage(kind, evidence)


def _find_by_form(page: PageFeatures, url: str) -> Iterator[BlockPage]:
    """Yield block pages with a password form, or with a two-step login form at a login URL."""
    if not _is_within(page, LOGIN_PROSE, LOGIN_LABELS):
        return
    if any(not is_hidden(node) for node in page.tree.css("input[type=password i]")[:MAX_MATCHES]):
        yield BlockPage("login", "a form that asks for a password")
    elif _is_login(url) and page.tree.css_first("form input:not([type=hidden]), form button") is not None:
        yield BlockPage("login", f"a form at {urlsplit(url).path}"[:120])


def _find_by_consent(page: PageFeatures, url: str, requested_url: str | None, *, rendered: bool) -> Iterator[BlockPage]:
    if not _is_within(page, CONSENT_PROSE, CONSENT_LABELS):
        return
    if any(word in page.text for word in phrases.COOKIE_WORDS):
        yield from _find_by_cookie_words(page, url, requested_url)
    if page.pictures <= 1 and (rendered or not count_scripts(page.html).programs):
        banner = count_banner_words(page)
        if banner and page.words - banner <= BANNER_BESIDES:
            yield BlockPage("consent", "a cookie banner and nothing else")


def _find_by_cookie_words(page: PageFeatures, url: str, requested_url: str | None) -> Iterator[BlockPage]:
    """Find a consent dialog on a page about cookies by its URL, its form, or its title and heading."""
    parts = urlsplit(url)
    if _is_consent_address(parts, requested_url):
        yield BlockPage("consent", f"address: {parts.netloc}{parts.path}"[:120])
    if any(_CONSENT_ACTION.match(form.attributes.get("action") or "") for form in page.tree.css("form[action]")):
        yield BlockPage("consent", "a consent form")
    # a page with a banner mentions cookies too, but its title and heading have another subject
    heading = page.tree.css_first("h1")
    head = f"{page.title} {normalise_text(heading.text()[:500]) if heading is not None else ''}"
    if page.tree.css_first(_ANSWERS) is not None and (phrase := phrases.find_phrase(head, "consent")):
        yield BlockPage("consent", f"text: {phrase}")


def _is_consent_address(address: SplitResult, requested_url: str | None) -> bool:
    """Return whether a URL leads to a consent page. requested_url: the URL that the caller requested."""
    was_sent = requested_url is not None and not _CONSENT_PATH.fullmatch(urlsplit(requested_url).path)
    if _CONSENT_HOST.match(address.netloc):
        return True
    return was_sent and _CONSENT_PATH.fullmatch(address.path) is not None


def _find_by_structure(page: PageFeatures, elements: TellingElements) -> Iterator[BlockPage]:
    """Yield block pages with widgets or reloading scripts and almost no text."""
    if not _is_within(page, STRUCTURE_PROSE, STRUCTURE_LABELS):
        return
    if elements.has_captcha and not elements.text_fields:
        yield BlockPage("captcha", "a captcha and nothing else")
    if page.words > SILENT_WORDS:
        return
    for node in page.tree.css(_CHALLENGES)[:MAX_MATCHES]:
        if _names_challenge(node):
            yield BlockPage("challenge", "a challenge and nothing else")
    if len(page.html) <= MAX_RELOADING and _holds_reloading_script(page.html):
        yield BlockPage("challenge", "a script that reloads the page")


def _names_challenge(node: LexborNode) -> bool:
    names = [(node.attributes.get(name) or "")[:200] for name in ("id", "class", "action")]
    return any(map(_CHALLENGE_NAME.search, names))


def _holds_reloading_script(html: str) -> bool:
    if _RELOAD.search(html) is None or _ACTS.search(html) is None:
        return False
    return count_scripts(html).programs <= MAX_SCRIPTS


def _find_by_guard(page: PageFeatures, status: int, headers: Mapping[str, str]) -> Iterator[BlockPage]:
    """Yield refusals by sites with known bot protection."""
    if status in marks.GUARDED_STATUS and _is_within(page, SAID_PROSE, SAID_LABELS):
        for name, value, mark in marks.GUARD_HEADERS:
            if name in headers and value in headers[name].lower():
                yield BlockPage(mark.kind, f"status {status}, {mark.sign}", mark.vendor)


def _find_by_emptiness(page: PageFeatures) -> Iterator[BlockPage]:
    is_empty = page.words <= PLACEHOLDER_WORDS and page.unscripted <= UNSCRIPTED_WORDS and not page.pictures
    if is_empty and count_scripts(page.html).programs:
        yield BlockPage("shell", "no text after its scripts have run")


def _make_block_page(mark: Mark) -> BlockPage:
    return BlockPage(mark.kind, mark.sign, mark.vendor)


def _is_within(page: PageFeatures, prose: int, labels: int) -> bool:
    return page.prose <= prose and page.labels <= labels


def _is_login(url: str) -> bool:
    if _LOGIN_HOST.match(urlsplit(url).netloc):
        return True
    segments = _split_path(url)
    # shops that require a password show only one page
    return segments == ["password"] or any(_LOGIN_SEGMENT.fullmatch(segment) for segment in segments)


def _split_path(url: str) -> list[str]:
    return [segment for segment in urlsplit(url).path[:500].split("/") if segment][:MAX_SEGMENTS]
