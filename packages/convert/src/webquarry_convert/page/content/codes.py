"""Product numbers, found in the page's data, in its URL or after a label.

<p>EAN: 4006381333931</p> <tr><th>Model number</th><td>KT-220</td></tr>
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.head.title import make_key

MAX_TOKENS = 30
"""Maximum number of tokens in a text that shows a code."""
MAX_CHARS = 4000
"""Number of a text's characters that are searched for a code."""
MIN_DIVIDED = 6
MAX_DIVIDED = 6
"""Minimum length, in characters, of a code that may be written in groups.

Also the maximum number of tokens in such a text.
"""
MAX_TRIES = 8
"""Maximum number of matches that are checked per text."""
MAX_LABELLED = 12
"""Maximum number of tokens in a text that contains both a label and a code."""
MAX_LABEL = 40
MAX_VALUE = 60
"""Maximum length, in characters, of a label and of the code after it."""
BEFORE = 30
AFTER = 200
"""Number of blocks before and after the product's name within which a label belongs to the product."""
MAX_SAME = 2
"""Maximum number of times that a label may occur. Labels of cards and variants occur more often."""
_LABEL_NAMES = r"""
    sku ean gtin upc mpn asin isbn plu ean~(?:code|nummer|13|8) isbn~1[03] gtin~1?\d
    art(?:ikel|icle|icolo|ykuł|\.)?~(?:nr|no|nummer|number|num|n°|nº)? artnr
    (?:item|product|model|part|style|stock|catalog(?:ue)?|reference)~(?:part~)?(?:no|nr|number|code|id|\#)
    (?:manufacturer|mfr)_(?:part_)?(?:no|number|code)
    model(?:l|o|e)?(?:nummer|nr)? r[eé]f(?:\.|erence|érence|erencia|erência|erenz)? c[oó]d(?:\.|igo|ice)? code
    (?:bestell|produkt|modell|teile|hersteller)~(?:nr|nummer|code) varenr varenummer tuotenumero
    kod(?:_(?:produktu|produktu_producenta|kreskowy|producenta))? symbol indeks kód(?:_(?:produktu|tovaru|zboží))?
    (?:katalogové|objednací|objednacie)_číslo cikkszám (?:ürün|stok)_kodu арт(?:икул|\.) код(?:_товара)? модель
    商品(?:コード|番号|编号|編號|货号) 型番 品番 货号 貨號 型号 型號 編號 상품번호 딜번호 품번 모델명
"""
"""Labels of codes. `_` is a space; `~` is an optional space or hyphen."""
_LABELS = "|".join(sorted(_LABEL_NAMES.split(), key=len, reverse=True)).replace("_", " ").replace("~", "[ -]?")
_LABEL = re.compile(rf"(?:{_LABELS})[\s.:：#№º°]*", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?<![^\W_])({_LABELS})\s?(?:[.:：#№º°-]\s?){{0,3}}(?=[A-Z/._-]{{0,12}}\d)([A-Z0-9][A-Z0-9/._-]{{3,30}})(?![^\W_])",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?=[A-Z/._ -]{0,20}\d)[A-Z0-9][A-Z0-9/._ -]{2,40}", re.IGNORECASE)
_DIGITS = re.compile(r"\d")


def keep_codes(selection: Selection, name: int, codes: Iterable[str]) -> None:
    """Keep the blocks that show product codes from the page's data or with a label.

    name: number of the block that contains the product's name, or -1. codes: codes as written in the page's data and
    its URL.
    """
    for code in codes:
        selection.keep(_find_code(selection, code))
    selection.keep(_find_labelled(selection.blocks, selection.judged, name))


def _find_code(selection: Selection, code: str) -> list[int]:
    """Return the shortest text that contains the code as a word, regardless of how its digits are grouped.

    Returns [] if a kept text already contains it, or if no text does.
    """
    key, found, kept = make_key(code), selection.blocks.all, selection.kept
    showing: list[int] = []
    for number in selection.judged:
        block = found[number]
        if block.size < len(key) or (block.tokens > MAX_TOKENS and not kept[number]):
            continue
        if _shows_code(block, code, key):
            if kept[number]:
                return []
            showing.append(number)
    return [min(showing, key=lambda number: found[number].size)] if showing else []


def _shows_code(block: Block, code: str, key: str) -> bool:
    if _holds_word(block.text[:MAX_CHARS].lower(), code.lower()):
        return True
    return len(key) >= MIN_DIVIDED and block.tokens <= MAX_DIVIDED and key in make_key(block.text)


def _holds_word(text: str, word: str) -> bool:
    at = text.find(word)
    for _ in range(MAX_TRIES):
        if at < 0:
            return False
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, end)
    return False


def _find_labelled(blocks: Blocks, judged: Sequence[int], name: int) -> list[int]:
    """Return the blocks near the name that contain a label and its code, either in one block or in two."""
    found: list[tuple[str, list[int]]] = []
    for number, following in zip(judged, [*judged[1:], -1], strict=True):
        if name >= 0 and not -BEFORE <= number - name <= AFTER:
            continue
        block = blocks.all[number]
        if block.tokens > MAX_LABELLED:
            continue
        if following == number + 1 and _is_label(block):
            if _is_value(blocks.all[following]):
                found.append((make_key(block.text), [number, following]))
        elif _DIGITS.search(block.text) and (labelled := _LABELLED.search(block.text[:MAX_CHARS])):
            found.append((make_key(labelled[1]), [number]))
    times = Counter([label for label, _ in found])
    return [number for label, numbers in found if times[label] <= MAX_SAME for number in numbers]


def _is_label(block: Block) -> bool:
    return block.size <= MAX_LABEL and _LABEL.fullmatch(block.text) is not None


def _is_value(block: Block) -> bool:
    return block.size <= MAX_VALUE and _CODE.fullmatch(block.text) is not None
