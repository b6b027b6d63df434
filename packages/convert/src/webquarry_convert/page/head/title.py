"""A page's title without the site's name."""

import re
from collections.abc import Container, Iterable, Sequence
from urllib.parse import urlsplit

_BREAK = re.compile(
    r"(?<!\s)\s++(?:(?:[-–—|｜·•»«›‹/~:]|::|\|\||<|>)\s++|(?=\[[^\[\]]*+\]$))|(?:(?<!\s)\s++)?[|｜]\s*+"
    r"|(?<=\S)_(?=\S)|(?<=[\u3040-\u9fff])[-–—](?=\S)|(?<=\S)[-–—](?=[\u3040-\u9fff])|:\s++"
)
_NO_LETTER = re.compile(r"[\W_]+")
MAX_BREAKS = 12
MIN_LABEL = 3


def strip_site_name(title: str, witnesses: Iterable[str], site: Sequence[str], *, is_home: bool = False) -> str:
    """Remove the site's name from a title, if the page shows which part is the name.

    witnesses: other titles on the page (headings, JSON-LD); if `title` is one of them followed by a separator and more
    text, the witness is returned. site: the site's names, including its host's labels; the first or last part is
    removed if it is one of them. is_home: whether the page is the site's home page, where the name with a slogan is the
    title.
    """
    breaks = list(_BREAK.finditer(title))[:MAX_BREAKS]
    if not breaks:
        return title
    names = {make_key(name) for name in site}
    first, last = breaks[0], breaks[-1]
    if not is_home:
        keys = {make_key(witness) for witness in witnesses} - {"", make_key(title)} - names
        if (own := _find_beginning(title, breaks, keys)) is not None:
            return own
    if make_key(title[last.end() :]) in names and make_key(title[: last.start()]):
        return title[: last.start()].rstrip()
    if not is_home and make_key(title[: first.start()]) in names and make_key(title[first.end() :]):
        return title[first.end() :].lstrip()
    return title


def _find_beginning(title: str, breaks: Sequence[re.Match[str]], keys: Container[str]) -> str | None:
    """Return the longest part of a title that ends at a separator and has one of the keys, or None."""
    for cut in reversed(breaks):
        if make_key(title[: cut.start()]) in keys:
            return title[: cut.start()].rstrip()
    return None


def is_own(text: str, title: str) -> bool:
    """Return whether the title equals the text, or begins with the text and a separator. Punctuation is ignored."""
    key = make_key(text)
    return bool(key) and make_key(strip_site_name(title, [text], ())) == key


def find_site_name(title: str, own_title: str, labels: Sequence[str]) -> str | None:
    """Return the part at the end of `title` that `strip_site_name` removed, if it matches the host's name."""
    if not title.startswith(own_title) or title == own_title:
        return None
    last = list(_BREAK.finditer(title))[-1]
    name = title[last.end() :].strip("[] ")
    key = make_key(name)
    if len(key) >= MIN_LABEL and any(key in label or label in key for label in labels if len(label) >= MIN_LABEL):
        return name
    return None


def list_host_labels(url: str | None) -> list[str]:
    """Return the names that a URL's host implies: `docs.example.com` → `docsexamplecom`, `examplecom`, `example`."""
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return []
    labels = host.removeprefix("www.").split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return []
    whole = ["".join(labels), "".join(labels[-2:])]
    return [make_key(label) for label in [*whole, *_drop_suffix(labels)] if len(label) >= MIN_LABEL]


def _drop_suffix(labels: list[str]) -> list[str]:
    """Return a host's labels without its public suffix.

    The suffix has two labels, as in `co.uk`, if a label of up to three letters precedes a country code.
    """
    has_two = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return labels[:-2] if has_two else labels[:-1]


def make_key(text: str) -> str:
    """Return only the letters and digits, to compare titles regardless of punctuation."""
    return _NO_LETTER.sub("", text).casefold()
