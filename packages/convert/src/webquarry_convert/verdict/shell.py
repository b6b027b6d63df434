"""JavaScript shells: responses that contain a program instead of text and need a browser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborNode

from webquarry_convert.verdict.page_features import (
    APART,
    PageFeatures,
    count_banner_words,
    is_hidden,
    is_pixel,
    normalise_text,
)
from webquarry_convert.verdict.scripts import ScriptTotals, collect_writing_scripts, count_scripts
from webquarry_convert.words import count_words

ShellReason = Literal[
    "frames",
    "shadow root",
    "refresh",
    "notice",
    "empty mount",
    "empty place",
    "state without text",
    "unfilled templates",
    "placeholder",
    "description only",
    "mostly script",
]

SHELL_WORDS = 120
"""Minimum number of words in a static response with readable content.

The header and footer of an empty page contain fewer.
"""
SHELL_LABELS = 400
"""Minimum number of words in the links of a page with content. Menus around an empty page can be longer than its text.
"""
PLACEHOLDER_WORDS = 6
"""Maximum number of words in a placeholder such as "Loading, please wait"."""
WAITING_WORDS = 16
"""Maximum number of words in a line such as "One moment, we are fetching your book..."."""
UNSCRIPTED_WORDS = 60
"""Minimum number of words in a `noscript` that contains the page itself rather than a notice, as on forums."""
MIN_DESCRIPTION = 8
"""Minimum number of words in a description that identifies a page without other text."""
_SILENT = frozenset({"placeholder", "unfilled templates", "description only"})
"""Reasons that imply that the page has no meaningful text."""
SCRIPT_PER_TEXT = 40
"""Minimum number of script characters per character of text on a page that consists mostly of scripts and has few
words.
"""
MIN_SCRIPT = 8_000
MAX_LOGOS = 2
"""Maximum number of pictures around a page's content. If there are more, the pictures are the content."""
MIN_STATE = 500
"""Minimum length, in characters, of a state object that may contain the page's content."""

_PROGRAM = r"(?:java\s?script|\bjs\b|\bscripts?\b|скрипт|スクリプト|스크립트|脚本)"
_ASKED = (
    r"(?:enabl|requir|need|turn(?:ed)? (?:it )?on|activ|without|disabled|not support|doesn't work|must|"
    r"aktivier|benötig|erforderlich|einschalten|ohne|nécessaire|désactiv|activez|sans|habilit|necesit|desactiv|precisa|"
    r"abilit|attiv|necessari|richie|ingeschakeld|nodig|inschakel|włącz|wymaga|включ|необходим|отключ|启用|啟用|开启|"
    r"開啟|禁用|需要|有効|無効|必要|활성화|필요|사용)"
)
_NOTICE = re.compile(rf"{_PROGRAM}.{{0,80}}?{_ASKED}|{_ASKED}.{{0,80}}?{_PROGRAM}")
_WAITING = re.compile(
    r"\b(?:loading|fetching|preparing|please wait|(?:one|just a) moment|hang on|wird geladen|lädt|bitte warten"
    r"|chargement|veuillez patienter|cargando|espere|carregando|aguarde|caricamento|attendere|загрузка|подождите)"
    r"|加载中|载入中|載入中|読み込み中|로딩"
)
_PLACES = "div[id], main, section[id], article[id], ul[id], ol[id], tbody, table[id], span[id], p[id], pre[id]"
_CALL_PLACES = re.compile(
    r"root|app|content|main|list|results?|items?|feed|posts?|articles?|products?|container|view|output|page"
)
_TEMPLATE = re.compile(r"\{\{[^{}]{1,80}\}\}")
_MOUNTS = (
    "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, #q-app, #app-root, #react-root, #reactroot, #react-app, "
    "#vue-app, #main-app, #app-mount, #spa-root, #mount, #ember-root, #elm, #application, [data-reactroot], "
    "[data-v-app], [ng-app], [data-ng-app], [ng-view], [ui-view], [ng-version], [data-server-rendered], "
    "[data-sveltekit-hydrate], app-root, ng-view, ui-view, router-outlet, flutter-view"
)
_FILLED = frozenset({"img", "picture", "video", "canvas", "table", "form", "input", "iframe", "object", "embed", "pre"})
_CUSTOM = re.compile(r"<([a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,5})(?=[\s/>])", re.IGNORECASE)
_ASIDE = re.compile(r"\bad|ads?\b|banner|cookie|consent|captcha|modal|toast|share|chat|gtm|pixel|analytics|fb-|disqus")
_ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
MAX_MOUNTS = 20
MAX_PLACES = 300
PLACE_WORDS = 40
"""Maximum number of words around an empty element that a script fills, such as the words of a title and an
introduction.
"""
NAMED_WORDS = 80
"""Maximum number of words around an empty element that a script of the page names, or around a frame of the same
site."""
NAMING_SCRIPT = 20_000
"""Length of inline script, in characters, above which a name in the script is weak evidence, because long scripts name
half of the page's elements.
"""
CUSTOM_WINDOW = 100_000
MAX_INSIDE = 400
"""Maximum number of nodes that are examined inside a mount point.

If it has more nodes without a word, they are a skeleton.
"""


@dataclass(frozen=True, slots=True)
class Shell:
    """A JavaScript shell.

    reasons: why the response needs a browser, strongest first; never empty. has_text: whether the response has more
    text than a placeholder or a notice. This text is used if no browser is available.
    """

    reasons: tuple[ShellReason, ...]
    has_text: bool


def find_shell(page: PageFeatures) -> Shell | None:
    """Return why a static response has too little text without its scripts, or None if it has enough.

    A page without scripts is a shell only if it consists of frames or redirects. Short static pages, pages with both
    scripts and text, and pages whose text is in `noscript` are not shells.
    """
    if page.is_rich or page.prose > SHELL_WORDS or page.labels > SHELL_LABELS or page.unscripted > UNSCRIPTED_WORDS:
        return None
    reasons = tuple(_find_reasons(page))
    return Shell(reasons, _has_text(page, reasons)) if reasons else None


def _has_text(page: PageFeatures, reasons: tuple[ShellReason, ...]) -> bool:
    if page.prose <= PLACEHOLDER_WORDS or not _SILENT.isdisjoint(reasons):
        return False
    return page.words > SHELL_WORDS // 2 or not _is_notice(page.text)


def _find_reasons(page: PageFeatures) -> Iterator[ShellReason]:
    yield from _find_reasons_without_scripts(page)
    scripts = count_scripts(page.html)
    if scripts.programs:
        yield from _find_empty_places(page)
        yield from _find_missing_text(page, scripts)


def _find_reasons_without_scripts(page: PageFeatures) -> Iterator[ShellReason]:
    """Yield signs that the text of a page without scripts is elsewhere."""
    tree = page.tree
    if tree.css_first("frameset > frame, frameset frameset") is not None or (
        page.words <= NAMED_WORDS and any(_is_own(node) for node in tree.css("iframe")[:MAX_MOUNTS])
    ):
        yield "frames"
    if page.words <= PLACE_WORDS and tree.css_first("template[shadowrootmode]") is not None:
        yield "shadow root"
    if page.words <= PLACEHOLDER_WORDS and tree.css_first("meta[http-equiv=refresh i][content*=url i]") is not None:
        yield "refresh"


def _find_empty_places(page: PageFeatures) -> Iterator[ShellReason]:
    """Yield signs that scripts fill an element, or that the page requires scripts."""
    has_mount = has_empty_mount(page)
    if (_is_poor(page) and _is_notice(page.text)) or (
        (page.prose <= PLACE_WORDS or has_mount) and _is_notice(page.notice)
    ):
        yield "notice"
    if has_mount:
        yield "empty mount"
    elif page.prose <= NAMED_WORDS and page.pictures <= MAX_LOGOS and _has_empty_place(page):
        yield "empty place"


def _find_missing_text(page: PageFeatures, scripts: ScriptTotals) -> Iterator[ShellReason]:
    """Yield signs that a page with scripts lacks its text."""
    is_poor = _is_poor(page)
    if is_poor and page.prose <= PLACE_WORDS and scripts.state >= MIN_STATE:
        yield "state without text"
    if len(_TEMPLATE.findall(page.text)) >= 2:
        yield "unfilled templates"
    if is_poor and _is_placeholder(page):
        yield "placeholder"
    if _says_description_only(page):
        yield "description only"
    if is_poor and scripts.chars >= max(MIN_SCRIPT, SCRIPT_PER_TEXT * len(page.text)):
        yield "mostly script"


def _is_poor(page: PageFeatures) -> bool:
    return page.words <= SHELL_WORDS // 2 and page.pictures <= MAX_LOGOS


def _is_placeholder(page: PageFeatures) -> bool:
    """Return whether a page shows almost nothing except banners, or only a line that announces its content."""
    if page.pictures:
        return False
    banners = count_banner_words(page) if page.words else 0
    words = page.words - banners
    return words <= PLACEHOLDER_WORDS or (words <= WAITING_WORDS and _announces_content(page.text))


def _announces_content(text: str) -> bool:
    """Return whether a text announces that something is loading and ends with dots. text: normalized like
    `PageFeatures.text`.
    """
    return text.replace(APART, " ").rstrip().endswith("...") and _WAITING.search(text) is not None


def has_empty_mount(page: PageFeatures) -> bool:
    """Return whether a mount point for scripts is still empty: it contains no text, picture or control."""
    return any(_is_empty(node) for node in page.tree.css(_MOUNTS)[:MAX_MOUNTS])


def _has_empty_place(page: PageFeatures) -> bool:
    """Return whether an element without text waits for a script.

    Either a script of the page names the element, or the page has few words, its scripts are external, and the name of
    the element suggests a mount point.
    """
    inline = collect_writing_scripts(page.html)
    is_sparse = page.prose <= PLACE_WORDS
    if not is_sparse and len(inline) > NAMING_SCRIPT:
        return False
    if inline or is_sparse:
        for node in page.tree.css(_PLACES)[:MAX_PLACES]:
            if _is_waiting(node, inline) and _is_empty(node) and not is_hidden(node):
                return True
    if not is_sparse:
        return False
    custom = dict.fromkeys(_CUSTOM.findall(page.html[:CUSTOM_WINDOW].lower()))
    return any(_is_empty(node) for name in list(custom)[:MAX_MOUNTS] for node in page.tree.css(name)[:MAX_MOUNTS])


def _is_waiting(node: LexborNode, inline: str) -> bool:
    """Return whether scripts fill an element: an inline script names it, or the page has only external scripts."""
    name = node.attributes.get("id") or ""
    if inline:
        return len(name) > 2 and name in inline and _ASIDE.search(name.lower()) is None
    return node.tag in ("main", "tbody") or _CALL_PLACES.search(name.lower()) is not None


def _says_description_only(page: PageFeatures) -> bool:
    """Return whether the visible text outside of links only repeats the description in the page's head."""
    if page.prose > SHELL_WORDS or page.pictures > MAX_LOGOS:
        return False
    texts = [
        set(normalise_text(node.attributes.get("content") or "").split())
        for node in page.tree.css("meta[name=description i], meta[property='og:description' i]")[:MAX_MOUNTS]
    ]
    described = max(texts, key=len, default=set())
    seen = set(page.text.split()) - {APART}
    return (
        len(described) >= MIN_DESCRIPTION
        and len(described & seen) >= 0.8 * len(described)
        and len(seen - described - set(page.title.split())) <= PLACEHOLDER_WORDS
    )


def _is_own(frame: LexborNode) -> bool:
    """Return whether a frame shows the page's own site, judging by the markup."""
    attributes = frame.attributes
    address = (attributes.get("src") or "").strip()
    is_own = "srcdoc" in attributes or (bool(address) and _ELSEWHERE.match(address) is None)
    return is_own and not is_pixel(frame) and not is_hidden(frame)


def _is_empty(root: LexborNode) -> bool:
    if root.tag in ("html", "body"):
        return False  # the page is only a frame for the application, and its text has been counted
    open_nodes = 0
    words = 0
    node: LexborNode | None = root.child
    for _ in range(MAX_INSIDE):
        if node is None:
            return True
        tag = node.tag or ""
        if tag in _FILLED:
            return False
        if tag == "-text":
            words += count_words((node.text_content or "")[:1000])
            if words > PLACEHOLDER_WORDS:
                return False
        elif tag not in ("script", "style", "template", "noscript", "svg") and node.child is not None:
            node = node.child
            open_nodes += 1
            continue
        while node is not None and node.next is None and open_nodes:
            node = node.parent
            open_nodes -= 1
        node = node.next if node is not None else None
    return True


def _is_notice(text: str) -> bool:
    """Return whether a text asks visitors to enable scripts."""
    return _NOTICE.search(text[:600]) is not None
