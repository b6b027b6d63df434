"""Signs of the fonts `Symbol` and `Wingdings`, which number their pictures as letters, as the signs they show."""

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
_FONTS: Final[dict[str, dict[int, str]]] = {
    "symbol": {first + at: sign for first, signs in _SYMBOL.items() for at, sign in enumerate(signs)},
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
}
_PRIVATE: Final = range(0xF020, 0xF100)
"""Where Word keeps the signs of such fonts."""
_ANY_PRIVATE: Final = re.compile("[\uf020-\uf0ff]")


def sign(code: int, font: str) -> str:
    """The sign with a number in a font; "" when nothing else shows it."""
    known = _FONTS.get(font.lower())
    if code in _PRIVATE:
        return (known or {}).get(code - 0xF000, "")
    if known is not None and code < 0x100:
        return known.get(code, "")
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else ""


def text(letters: str, font: str | None) -> str:
    """A text as a font shows it. font: None when it is not said."""
    if font is not None and font.lower() in _FONTS:
        return "".join(sign(ord(letter), font) for letter in letters)
    if letters.isascii():
        return letters
    return _ANY_PRIVATE.sub(lambda found: sign(ord(found[0]), "symbol"), letters)
