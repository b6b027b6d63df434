"""The language of a page: normalized language tags, and detection by script."""

import re

_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
MAX_TAG = 35
MIN_LETTERS = 12
"""Minimum number of letters in a text whose script is examined."""
MIN_SHARE = 0.5
"""Minimum share of letters in one script. It is low because text in every language contains Latin names and loan words.
"""
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HAN = re.compile("[\u4e00-\u9fff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
# Scripts that only one language on the web uses.
_OWN_SCRIPTS = {
    "ko": re.compile("[\uac00-\ud7a3]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "he": re.compile("[\u05d0-\u05ea]"),
    "th": re.compile("[\u0e01-\u0e4e]"),
    "hy": re.compile("[\u0531-\u0587]"),
    "ka": re.compile("[\u10d0-\u10fa]"),
}
_RUSSIAN = re.compile("[ыэё]", re.IGNORECASE)
_UKRAINIAN = re.compile("[їєґ]", re.IGNORECASE)
_OTHER_CYRILLIC = re.compile("[іїєґўјљњћђџѓќѕәғқңөұүһ]", re.IGNORECASE)
_KANA_SHARE = 0.05
"""Minimum share of kana in Japanese. Chinese text has fewer, such as a name in kana."""


def normalise_tag(value: str | None) -> str | None:
    """Return a language tag in BCP 47 form: `en_US` becomes `en-US`."""
    value = (value or "").strip().partition(",")[0].partition(";")[0].strip().replace("_", "-")
    if len(value) > MAX_TAG or not _TAG.fullmatch(value):
        return None
    head, *rest = value.split("-")
    return "-".join(
        [
            head.lower(),
            *(part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part.lower() for part in rest),
        ]
    )


def guess_by_script(text: str) -> str | None:
    """Return the language that a text's script implies, or None if several languages share the script.

    Shared scripts include Latin, Arabic and Devanagari.
    """
    if text.isascii():
        return None
    enough = max(MIN_LETTERS, MIN_SHARE * sum(map(str.isalpha, text)))
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    if han + kana >= enough:
        return "ja" if kana >= max(1, _KANA_SHARE * (han + kana)) else "zh"
    for language, script in _OWN_SCRIPTS.items():
        if len(script.findall(text)) >= enough:
            return language
    return _guess_by_cyrillic(text) if len(_CYRILLIC.findall(text)) >= enough else None


def _guess_by_cyrillic(text: str) -> str | None:
    """Return Ukrainian or Russian if the text has letters that only one of the two uses, or None otherwise."""
    if _UKRAINIAN.search(text) and not _RUSSIAN.search(text):
        return "uk"
    return "ru" if _RUSSIAN.search(text) and not _OTHER_CYRILLIC.search(text) else None
