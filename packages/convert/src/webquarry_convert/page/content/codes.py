"""The numbers of a product: those that the page's data or its address state, and those that stand behind a label.

<p>EAN: 4006381333931</p>    <tr><th>Model number</th><td>KT-220</td></tr>
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.head.title import make_key

MAX_TOKENS = 30
"""Of texts that show a code."""
MAX_CHARS = 4000
"""Characters of a text in which a code is looked for."""
MIN_DIVIDED = 6
MAX_DIVIDED = 6
"""Characters of a code, and tokens of a text, that may write it in groups."""
MAX_TRIES = 8
"""Places at which a code is looked for in a text."""
MAX_LABELLED = 12
"""Tokens of a text that says a label and a code."""
MAX_LABEL = 40
MAX_VALUE = 60
"""Characters of a label, and of the text behind it that is a code."""
BEFORE = 30
AFTER = 200
"""Blocks before and after the name among which a label is that of the product."""
MAX_SAME = 2
"""Times that a label may stand on the page: there are more of them where cards or variants have one each."""
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
"""What a code is called: `_` is a space, `~` one that may be a hyphen or missing."""
_LABELS = "|".join(sorted(_LABEL_NAMES.split(), key=len, reverse=True)).replace("_", " ").replace("~", "[ -]?")
_LABEL = re.compile(rf"(?:{_LABELS})[\s.:：#№º°]*", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?<![^\W_])({_LABELS})\s?(?:[.:：#№º°-]\s?){{0,3}}(?=[A-Z/._-]{{0,12}}\d)([A-Z0-9][A-Z0-9/._-]{{3,30}})(?![^\W_])",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?=[A-Z/._ -]{0,20}\d)[A-Z0-9][A-Z0-9/._ -]{2,40}", re.IGNORECASE)
_DIGITS = re.compile(r"\d")


def keep_codes(blocks: Blocks, is_kept: list[bool], judged: Sequence[int], name: int, codes: Iterable[str]) -> None:
    """Keep the texts that show codes, stated or labelled.

    judged: numbers of the blocks in no menu. name: number of the block that names the product, or -1. codes: as the
    page's data and its address write them.
    """
    for code in codes:
        found = _find_code(blocks, is_kept, judged, code)
        if found >= 0:
            is_kept[found] = True
    for number in _find_labelled(blocks, judged, name):
        is_kept[number] = True


def _find_code(blocks: Blocks, is_kept: Sequence[bool], judged: Sequence[int], code: str) -> int:
    """The shortest text that holds the code as a word, however its digits are divided; -1 when a kept one does, or
    none."""
    key = make_key(code)
    best = -1
    for number in judged:
        block = blocks.all[number]
        if block.size < len(key) or (block.tokens > MAX_TOKENS and not is_kept[number]):
            continue
        if not _holds_word(block.text[:MAX_CHARS].lower(), code.lower()) and not (
            len(key) >= MIN_DIVIDED and block.tokens <= MAX_DIVIDED and key in make_key(block.text)
        ):
            continue
        if is_kept[number]:
            return -1
        if best < 0 or block.size < blocks.all[best].size:
            best = number
    return best


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
    """The texts around the name that say a label and a code, or one of these each."""
    found: list[tuple[str, list[int]]] = []
    for number, following in zip(judged, [*judged[1:], -1], strict=True):
        if name >= 0 and not -BEFORE <= number - name <= AFTER:
            continue
        block = blocks.all[number]
        if block.tokens > MAX_LABELLED:
            continue
        if block.size <= MAX_LABEL and following == number + 1 and _LABEL.fullmatch(block.text):
            value = blocks.all[following]
            if value.size <= MAX_VALUE and _CODE.fullmatch(value.text):
                found.append((make_key(block.text), [number, following]))
        elif _DIGITS.search(block.text) and (labelled := _LABELLED.search(block.text[:MAX_CHARS])):
            found.append((make_key(labelled[1]), [number]))
    times = Counter([label for label, _ in found])
    return [number for label, numbers in found if times[label] <= MAX_SAME for number in numbers]
