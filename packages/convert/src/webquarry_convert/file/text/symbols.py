"""Unicode characters for the codes of symbol fonts, and for private-use characters.

The fonts `Symbol` and `Wingdings` and the fonts of WordPerfect encode pictures as letters. The private-use characters
have the same meaning in all fonts.
"""

import re
from typing import Final

_SYMBOL: Final = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    0x40: "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    0x60: "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    0xC0: "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    0xE0: "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
    0xF1: "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}
_WINGDINGS: Final = {
    0x20: " ", 0x21: "✏", 0x22: "✂", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x3A: "💻", 0x41: "✌", 0x43: "👍", 0x44: "👎",
    0x46: "☞", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x52: "☼", 0x54: "❄", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□",
    0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x9E: "·", 0x9F: "•", 0xA1: "○", 0xA2: "⭕",
    0xA4: "◉", 0xA6: "❍", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓",
    0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2: Final = {
    0x20: " ", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x95: "•", 0x96: "●", 0x97: "●",
    0xA2: "■", 0xA3: "□",
}  # fmt: skip
_WORDPERFECT: Final = "●○■•∗¶§¡¿«»£¥₧ƒªº½¼¢²ⁿ®©¤¾³‛’‘‟”“–—"
_FONTS: Final[dict[str, dict[int, str]]] = {
    "symbol": {first + at: sign for first, signs in _SYMBOL.items() for at, sign in enumerate(signs)},
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wptypographicsymbols": {0x21 + at: sign for at, sign in enumerate(_WORDPERFECT)},
}
_PRIVATE: Final = range(0xF020, 0xF100)
"""Private-use characters in which Word stores the signs of symbol fonts."""
_ADOBE: Final = {
    0xF001: "fi", 0xF002: "fl", 0xF6BE: "ȷ", 0xF6C9: "´", 0xF6CA: "ˇ", 0xF6CB: "¨", 0xF6CE: "`",
    0xF6CF: "˝", 0xF6D0: "¯", 0xF6D9: "©", 0xF6DA: "®", 0xF6DB: "™", 0xF6DC: "1",
    **{0xF8E5 + at: shown for at, shown in enumerate("‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭")},
}  # fmt: skip
"""Private-use characters of Adobe's glyph list, and Apple's ligatures."""
_ADOBE_STYLED: Final = range(0xF721, 0xF800)
"""Small capitals and old-style digits. The low byte of the code is the code of the plain letter or digit."""
_ALIKE: Final = {
    0xF000 + code: shown for code, shown in _FONTS["symbol"].items() if shown == chr(code) or code in (0x2A, 0x2D, 0xB7)
}
"""Characters that `Symbol` and fonts with Latin-1 codes share. The shapes of *, - and the bullet differ."""
_ANY_PRIVATE: Final = re.compile("[\uf020-\uf0ff]")


def find_sign(code: int, font: str) -> str:
    """Return the character for a font's code, or "" if no Unicode character matches."""
    known = _FONTS.get(font.lower())
    if code in _PRIVATE:
        return (known or {}).get(code - 0xF000, "")
    if known is not None and code < 0x100:
        return known.get(code, "")
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else ""


def find_private_sign(code: int) -> str:
    """Return the character for a private-use code with the same meaning in all text fonts, or "" for other codes."""
    if code in _ADOBE_STYLED:
        return chr(code - 0xF700) if code not in range(0xF77F, 0xF7A1) else ""
    return _ADOBE.get(code) or _ALIKE.get(code, "")


def translate_text(letters: str, font: str | None) -> str:
    """Translate a text to the characters that a font displays. font: the font's name, or None if it is unknown."""
    if font is not None and font.lower() in _FONTS:
        return "".join(find_sign(ord(letter), font) for letter in letters)
    if letters.isascii():
        return letters
    return _ANY_PRIVATE.sub(lambda found: find_sign(ord(found[0]), "symbol"), letters)
