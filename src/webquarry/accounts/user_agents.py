"""Readable names of devices, derived from User-Agent headers, which are untrusted text."""

import re
from typing import Final

MAX_READ: Final = 400
MAX_NAME: Final = 40
_BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Safari/", "Safari"),
)
"""Text in the User-Agent that identifies each browser. The headers of several browsers also contain the text of later
entries, so the first match counts.
"""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
_PRODUCT: Final = re.compile(r"[\w.+ -]+", re.ASCII)


def name_device(user_agent: str) -> str:
    """Return a name such as `Firefox on Linux`, otherwise the program's name, or "" if there is none."""
    text = user_agent[:MAX_READ]
    browser = next((name for mark, name in _BROWSERS if mark in text), "")
    system = next((name for mark, name in _SYSTEMS if mark in text), "")
    if browser and system:
        return f"{browser} on {system}"
    product = _PRODUCT.match(text)
    return browser or system or (product[0].strip()[:MAX_NAME] if product else "")
