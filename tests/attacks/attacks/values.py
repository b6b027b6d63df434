"""Attribute values and texts of a few kilobytes that are expensive for a regular expression.

Little of such a page is read, and the result must be a success.
"""

from collections.abc import Callable, Iterator

from attacks.attack import ANSWERED, Attack, Page
from attacks.markup import WORDS, html, number_pieces

_VALUES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "picture named blank and zeros": (
        "A picture's name has forty zeros where a rule for placeholders looks for a size.",
        lambda: html(f'<img src="/blank{"0" * 40}.q" alt="a picture">'),
    ),
    "picture named blank and ten thousand zeros": (
        "The same with ten thousand.",
        lambda: html(f'<img src="/blank{"0" * 10_000}.q" alt="a picture">'),
    ),
    "width of spaces": (
        "A width of 0 is followed by 30,000 spaces.",
        lambda: html(f'<img src="/a.png" width="0{" " * 30_000}x">'),
    ),
    "srcset of commas": ("A srcset of 20 KB is commas.", lambda: html(f'<img srcset="{"," * 20_000}" src="/a.png">')),
    "srcset of candidates": (
        "A srcset of 20 KB is candidates without an end.",
        lambda: html(f'<img srcset="{"a 1x ," * 4000}{" " * 3000}" src="/a.png">'),
    ),
    "srcset of spaces": ("A srcset is 20 KB of spaces.", lambda: html(f'<img srcset="a{" " * 20_000}b" src="/a.png">')),
    "ten refreshes": (
        "Ten elements lead elsewhere, behind long texts.",
        lambda: html(head=f'<meta http-equiv="refresh" content="0{" ;," * 3000}url{" " * 3000}">' * 10),
    ),
    "refresh of quotes": (
        "An element leads to quotes.",
        lambda: html(head=f'<meta http-equiv=refresh content="5;url={chr(39) * 20_000}">'),
    ),
    "style of brackets": ("A style has 30,000 brackets.", lambda: html(f'<p style="{"(" * 30_000}">styled</p>')),
    "style that hides, nearly": (
        "A style begins to hide its element twenty thousand times.",
        lambda: html(f'<p style="{"display : " * 20_000}">styled</p>'),
    ),
    "class of hyphens": (
        "A class is 30,000 hyphens and underscores.",
        lambda: html(f'<p class="{"-_" * 15_000}">classy</p>'),
    ),
    "class of words": (
        "A class has 10,000 words.",
        lambda: html(f'<p class="{number_pieces("content-comment-§ ", 10_000)}">classy</p>'),
    ),
    "date of digits": (
        "A date has 30,000 digits.",
        lambda: html(head=f'<meta property="article:published_time" content="{"2024-" * 6000}">'),
    ),
    "name of letters": (
        "An author is 30,000 letters, a hyphen and a comma in turn.",
        lambda: html(head=f'<meta name="author" content="{"By a, " * 6000}">'),
    ),
    "title of bars": ("A title is 30,000 bars.", lambda: html(head=f"<title>{'a | ' * 8000}</title>")),
    "byline of spaces": (
        "A line below the title is `By` and spaces.",
        lambda: html(f'<p class="byline">By{" " * 30_000},</p>'),
    ),
    "link of slashes": ("An address is 30,000 slashes and dots.", lambda: html(f'<a href="{"/.." * 10_000}">up</a>')),
    "link of percents": ("An address is percent signs.", lambda: html(f'<a href="/{"%" * 30_000}">percents</a>')),
    "link of userinfo": ("An address is at signs.", lambda: html(f'<a href="http://{"a@" * 15_000}">ats</a>')),
    "base of letters": (
        "The base of all addresses has 30,000 letters.",
        lambda: html(head=f"<base href='{'a' * 30_000}'>"),
    ),
    "canonical of tabs": (
        "The address that the page calls its own is tabs.",
        lambda: html(head=f"<link rel=canonical href='/{chr(9) * 30_000}x'>"),
    ),
    "language of hyphens": (
        "The language is 30,000 hyphens.",
        lambda: b'<html lang="%b"><title>t</title><p>%b</p>' % (b"en-" * 10_000, WORDS.encode()),
    ),
    "code class of words": (
        "The class of a block of code is `language-` ten thousand times.",
        lambda: html(f'<pre><code class="{"language-" * 10_000}">x = 1</code></pre>'),
    ),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _VALUES.items():
        yield Attack(f"small: {what}", tries, Page(makes), holds=ANSWERED)
