"""A creative's previews at the transparency center: an image, a script that renders it, or a media file."""

from typing import Any, Final, Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.ads.sources.transparency.center import HOST_URL
from webquarry.read import at, take
from webquarry.read.fields import to_address, to_whole
from webquarry.read.losses import lose
from webquarry_convert.text.markup import parse

PreviewKind = Literal["image", "preview", "media", "unknown"]
MAX_MARKUP: Final = 20_000
_PLACES: Final[tuple[tuple[str, str, PreviewKind], ...]] = (
    ("3", "2", "image"),
    ("1", "4", "preview"),
    ("2", "4", "media"),
)
"""Message, field in the message, and kind of each preview. An `image` is HTML; the other kinds are URLs."""
_LARGEST_PX: Final = 100_000


class Variant(Result):
    kind: PreviewKind = field(
        "`image`: an archived image (for text ads, a screenshot); `preview`: a script that renders the ad; `media`: "
        "a video or other file; `unknown`: an unknown type."
    )
    url: str | None = field("URL of the image, script or file.", wire="1.5[].3.2 | 1.5[].1.4 | 1.5[].2.4")
    width: int | None = field("Image width.", unit="px")
    height: int | None = field("Image height.", unit="px")
    html: str | None = field("HTML of the image, as stored by the provider.", wire="1.5[].3.2")


def read_variants(node: Any) -> list[Variant]:
    """Return a node's previews, usually one. Without a known preview, return one variant of kind `unknown`."""
    found = [
        _variant(kind, written)
        for message, place, kind in _PLACES
        if isinstance(node, dict) and (written := take(node.get(message), place, _to_written)) is not None
    ]
    if not found:
        lose("variant")
    return found or [Variant(kind="unknown", url=None, width=None, height=None, html=None)]


def read_image(node: Any) -> str | None:
    """Return the URL of the image in a list item."""
    written = take(node, "3.2", _to_written)
    return None if written is None else _read_image(written).url


def _variant(kind: PreviewKind, written: str) -> Variant:
    if kind == "image":
        return _read_image(written)
    url = to_address(written, HOST_URL)
    if url is None:
        lose(kind)
    return Variant(kind=kind, url=url, width=None, height=None, html=None)


def _read_image(markup: str) -> Variant:
    body = parse(f"<body>{markup[:MAX_MARKUP]}").body
    node = body.css_first("img") if body is not None else None
    attributes = node.attributes if node is not None else {}
    url = to_address(attributes.get("src"), HOST_URL)
    if url is None:
        lose("img/@src")
    width, height = (_read_pixels(attributes.get(name)) for name in ("width", "height"))
    return Variant(kind="image", url=url, width=width, height=height, html=markup)


def _read_pixels(text: str | None) -> int | None:
    found = to_whole((text or "").strip().removesuffix("px"))
    return found if found is not None and 0 < found <= _LARGEST_PX else None


def _to_written(value: Any) -> str | None:
    return at(value, "", str) if isinstance(value, str) and value.strip() else None
