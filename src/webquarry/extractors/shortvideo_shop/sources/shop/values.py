"""Values in the form that all pages of the shop use: counts, amounts, pictures and descriptions."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from webquarry.read import take
from webquarry.read.amounts import minor_digits
from webquarry.read.fields import to_address, to_counted, to_decimal, to_line, to_percent, to_text, within
from webquarry.read.losses import read_rows
from webquarry.read.values import parse_json, reach, reach_list
from webquarry_convert.text import escape

MAX_BLOCKS: Final = 500
MAX_DEPTH: Final = 3


class Count(NamedTuple):
    """A number, with the provider's text if the number was written as text."""

    number: int | None
    text: str | None


def count(node: Any, *paths: str) -> Count:
    """Return the number at the first path that contains a number ("16031", 16031, "5.7M", "10k+ sold"), with the first
    text.
    """
    text: str | None = None
    for path in paths:
        found = reach(node, path)
        if found in (None, ""):
            continue
        text = text or to_line(found)
        number = take(node, path, to_counted)
        if number is not None:
            return Count(number, text)
    return Count(None, text)


def read_amount(node: Any, *paths: str) -> float | None:
    """Return the machine-readable amount at the first path that contains an amount, in major units ("30.8" is 30.80).

    Formatted text is never used: in the Vietnamese "97.043", the point separates thousands.
    """
    for path in paths:
        if reach(node, path) in (None, ""):
            continue
        found = take(node, path, to_decimal)
        if found is not None and found >= 0:
            return found
    return None


def read_currency(node: Any, *paths: str) -> str | None:
    """Return an ISO 4217 code. Symbols such as $ are rejected, because several currencies share them."""
    for path in paths:
        code = take(node, path, to_line)
        if code is not None and len(code) == 3 and code.isascii() and code.isalpha():
            return code.upper()
    return None


def read_discount(node: Any, share_path: str | None, *text_paths: str) -> float | None:
    """Return the discount in percent, from a share such as "0.08" or text such as "-24%" and "8%"."""
    share = within(read_amount(node, share_path), 0, 1) if share_path is not None else None
    if share is not None:
        return round(share * 100, 2)
    for path in text_paths:
        percent = take(node, path, to_percent) if reach(node, path) not in (None, "") else None
        if percent is not None:
            return abs(percent)
    return None


def score(value: Any) -> float | None:
    """Return the average rating in stars. Zero and "" mean that there are no ratings."""
    return within(to_decimal(value), 1, 5)


def read_picture(node: Any, path: str = "") -> str | None:
    """Return the first address of a picture: from an object with `url_list`, or a plain address."""
    found = reach(node, path) if path else node
    if isinstance(found, str):
        return to_address(found)
    listed = reach(found, "url_list") or reach(found, "thumb_url_list")
    rows = listed if isinstance(listed, list) else [reach(found, "url")]
    return next((url for each in rows if (url := to_address(each)) is not None), None)


def read_pictures(node: Any, path: str) -> list[str]:
    """Return the addresses of the pictures in the list at `path`, without duplicates."""
    return list(dict.fromkeys(read_rows(reach_list(node, path), read_picture, f"{path}[]")))


class Description(NamedTuple):
    text: str | None
    markdown: str | None


def read_description(value: Any) -> Description:
    """Parse a product's description: a JSON string of blocks (`[{"type": "text", "text": …}, …]`), or plain text."""
    blocks = _read_blocks(value) if isinstance(value, str) else value
    if not isinstance(blocks, list):
        return _describe_plain(to_text(value))
    pieces = [piece for block in blocks[:MAX_BLOCKS] for piece in _list_pieces(block, 0)]
    texts = [text for piece in pieces for text in piece.texts]
    return Description("\n".join(texts) or None, "\n\n".join(line for piece in pieces for line in piece.marked) or None)


def _describe_plain(words: str | None) -> Description:
    return Description(words, "\n\n".join(map(escape.line, filter(None, (words or "").split("\n")))) or None)


def _read_blocks(text: str) -> Any:
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        found = parse_json(text.encode("utf-8", "replace"))
    except ValueError:
        return None
    return [found] if isinstance(found, dict) else found


class _Piece(NamedTuple):
    """A part of a description: its lines as text, and its blocks of markdown."""

    texts: list[str]
    marked: list[str]


def _list_pieces(block: Any, depth: int) -> Iterator[_Piece]:
    """Yield a block's text, the blocks in it, and its picture."""
    if isinstance(block, str):
        block = {"text": block}
    if not isinstance(block, dict) or depth > MAX_DEPTH:
        return
    if (words := to_text(block.get("text"))) is not None:
        yield _Piece([words], [escape.line(line) for line in words.split("\n") if line.strip()])
    yield from _list_content(block.get("content"), depth + 1)
    if (url := read_picture(block, "image")) is not None:
        yield _Piece([], [f"![]({escape.target(url)})"])


def _list_content(content: Any, depth: int) -> Iterator[_Piece]:
    """Yield the content of a block: its strings as one list, followed by the blocks in it."""
    if isinstance(content, str):
        yield from _list_pieces(content, depth)
    listed = reach_list(content, "", MAX_BLOCKS)
    items = [line for item in listed if (line := to_line(item)) is not None]
    if items:
        yield _Piece(items, ["\n".join(f"- {escape.line(item)}" for item in items)])
    for item in listed:
        if isinstance(item, dict):
            yield from _list_pieces(item, depth)


def price_text(value: float | None, code: str | None) -> str | None:
    """Format an amount for readers: `24.17 USD`, `97,043 VND`."""
    if value is None:
        return None
    places = minor_digits(code) if code is not None else 2
    return " ".join(filter(None, (f"{value:,.{places}f}", code)))


def read_shop_id(value: Any) -> str | None:
    """Return an id as a string, from digits or from an integer, which is exact up to 64 bits."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**64:
        return str(value)
    text = to_line(value)
    return text if text is not None and text != "0" and text.isascii() and text.isdigit() else None
