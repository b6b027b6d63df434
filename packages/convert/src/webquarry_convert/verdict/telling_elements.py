"""Elements that distinguish a block page from content: content marks, captchas and form fields."""

import re
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser

from webquarry_convert.verdict.page_features import is_hidden

MAX_MATCHES = 200
_CAPTCHAS = (
    "[id*=captcha i], [class*=captcha i], [name*=captcha i], form[action*=captcha i], iframe[src*=captcha i], "
    "img[src*=captcha i], altcha-widget, .cf-turnstile, [class*=geetest i], #arkose, #funcaptcha, .frc-captcha"
)
_ASIDE_NAMES = re.compile(r"captcha|answer|verif|code|search|query|\bq\b", re.IGNORECASE)
_CONTENT = (
    "article, pre, code, time, [itemtype], meta[property='og:type' i][content=article i], "
    "script[type='application/ld+json' i]"
)
_FIELDS = (
    "input[type=text], input[type=email], input[type=tel], input[type=search], input:not([type]), textarea, select"
)


class TellingElements:
    """The elements of one page. The page is searched for each kind only once."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree

    @cached_property
    def has_content(self) -> bool:
        """Whether the markup marks the page as content. If so, the text is about phrases of block pages."""
        return self._tree.css_first(_CONTENT) is not None

    @cached_property
    def has_captcha(self) -> bool:
        """Whether a visitor must solve a captcha.

        Invisible captchas don't count, because ordinary forms have them, too.
        """
        return any(
            node.tag not in ("html", "body") and (node.attributes.get("data-size") or "") != "invisible"
            for node in self._tree.css(_CAPTCHAS)[:MAX_MATCHES]
        )

    @cached_property
    def text_fields(self) -> int:
        """Number of text fields, except captchas and search fields."""
        return sum(
            1
            for node in self._tree.css(_FIELDS)[:MAX_MATCHES]
            if not is_hidden(node)
            and not any(
                _ASIDE_NAMES.search((node.attributes.get(name) or "")[:200]) for name in ("name", "id", "class")
            )
        )
