"""The roles of elements, derived from their class names."""

import re
from enum import Enum
from functools import lru_cache


class Role(Enum):
    """The role of an element.

    hidden_copy: content that another element represents better, such as the boxes of a formula. callout: a note or
    warning. language: code in one language. permalink: a link that only points to its own position. chrome: controls
    for editing, and links back from a footnote. inline_note: the number of a footnote together with its text. formula:
    TeX in an attribute for a script to render.
    """

    HIDDEN_COPY = "hidden copy"
    CALLOUT = "callout"
    LANGUAGE = "language"
    PERMALINK = "permalink"
    CHROME = "chrome"
    INLINE_NOTE = "inline note"
    FORMULA = "formula"
    SIGNATURE = "signature"


_ROLES = re.compile(
    r"""(?:^|\s)(?:
      (?P<HIDDEN_COPY>katex-html|MathJax_Preview|MathJax(?:_\w+)?|MJX_\w+)
    | (?P<CALLOUT>(?:[a-z]+-){0,2}(?:admonition(?:block)?|admonish|alert|callout|custom-block|notecard|notice-|hint
            |information-macro)
        |[\w-]*aside--(?:note|tip|caution|danger)
        |(?i:note|tip|important|warning|caution|danger|attention|info)(?=$|\s))
    | (?P<PERMALINK>header-?link|anchor-?link|permalink|heading-?anchor|header-?anchor|direct-link|hash-link
        |anchorjs-link|heading-?link|toclink-anchor|self-?link|section-?link|headline-?link|zola-anchor)
    | (?P<CHROME>mw-editsection|mw-cite-backlink|mw-jump-link|ltx_tag_note)
    | (?P<INLINE_NOTE>inline-?foot-?note|foot-?note|ltx_note)
    | (?P<SIGNATURE>(?:sig-object|member-?signature|tsd-signature|doc-signature|memproto)(?=$|\s))
    | (?P<FORMULA>(?:math|katex|latex|tex|formula|equation)(?=$|[-\s]))
    | (?P<LANGUAGE>(?:highlight|language|lang|brush:?|src|sourceCode|codehilite|hljs|highlighter)(?=$|[-\s]))
    )(?=$|[\s_-])""",
    re.VERBOSE,
)


@lru_cache(maxsize=8192)
def find_role(names: str) -> Role | None:
    """Return the role for a class attribute, or None, which is the usual case."""
    found = _ROLES.search(names)
    return Role[found.lastgroup] if found is not None and found.lastgroup is not None else None
