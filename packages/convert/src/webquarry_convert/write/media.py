"""Images where they stand, and players as links to what they play."""

import re
from typing import TYPE_CHECKING

from webquarry_convert.tree import Node
from webquarry_convert.write import images, math
from webquarry_convert.write.pieces import CLOSE_LINK, Written, collapse_space, make_link

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

_VIDEO = re.compile(
    r"//(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|bilibili\.com|wistia\.(?:com|net)"
    r"|twitch\.tv|ted\.com|loom\.com|rutube\.ru|vk\.com|v\.qq\.com|youku\.com|brightcove\.net|jwplayer\.com)/"
    r"|/(?:embed|player|video)s?/", re.IGNORECASE
)  # fmt: skip
_ADDRESSES = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-cmp-src")


def write_image(writer: "Writer", node: Node, also: str | None = None) -> None:
    formula = math.read_image(node)
    if formula is not None:
        if formula[0] != writer.last_formula:
            writer.formula(*formula)
        return
    sign = images.find_emoji(node)
    if sign:
        writer.pieces.append(sign)
        return
    source = images.find_source(node) or also
    target = writer.targets.of(source)
    if target is None or images.is_pixel(node.attributes) or images.is_portrait(node.attributes):
        return
    if writer.link_target is not None:
        writer.enlarged.add(writer.link_target)
    elif target in writer.enlarged:
        return  # for a layer over the page: the small one leads to it
    writer.shown_image = target
    writer.pieces += (" ", Written(f"![{images.read_description(node)}]({target})"), " ")


def write_picture(writer: "Writer", node: Node) -> None:
    also = images.find_picture_source(node)
    for child in node.children:
        if isinstance(child, Node) and child.tag == "img":
            write_image(writer, child, also)
            return
    writer.walk(node.children)


def write_noscript(writer: "Writer", node: Node) -> None:
    """What a page shows without scripts: an image that stands before it already is not written twice."""
    shown = images.find_only_image(node)
    if shown is None:
        writer.flush()
        writer.walk(node.children)
        writer.flush()
        return
    target = writer.targets.of(images.find_source(shown))
    if target is None or target == writer.shown_image:
        return
    if writer.shown_image is not None and _get_file_name(target) == _get_file_name(writer.shown_image):
        writer.replace_image(target)  # what stood before was a small one, until scripts load this
    elif not _is_shown(writer):
        writer.walk(node.children)


def _get_file_name(target: str) -> str:
    """The name of the file that an address leads to."""
    path = target.partition("?")[0]
    return path[path.rfind("/") + 1 :]


def _is_shown(writer: "Writer") -> bool:
    """Whether the content so far ends with an image."""
    for piece in reversed(writer.pieces):
        if isinstance(piece, Written):
            return piece.text.startswith("![")
        if isinstance(piece, str) and not piece.isspace():
            return False
    return False


def write_player(writer: "Writer", node: Node) -> None:
    """A `video` or `audio` as a link to its source."""
    sources = [node, *(child for child in node.children if isinstance(child, Node) and child.tag == "source")]
    for source in sources:
        target = writer.targets.of(source.attributes.get("src") or source.attributes.get("data-src"))
        if target is not None and target.startswith("http"):
            _write_link(writer, node, target, "Audio" if node.tag == "audio" else "Video")
            return


def write_frame(writer: "Writer", node: Node) -> None:
    """An `iframe` that plays a video as a link to it."""
    for name in _ADDRESSES:
        target = writer.targets.of(node.attributes.get(name))
        if target is not None and target.startswith("http") and _VIDEO.search(target):
            _write_link(writer, node, target, "Video")
            return


def _write_link(writer: "Writer", node: Node, target: str, otherwise: str) -> None:
    label = collapse_space(node.attributes.get("title") or node.attributes.get("aria-label") or "") or otherwise
    writer.flush()
    writer.pieces += (label,) if writer.in_link else (make_link(target), label, CLOSE_LINK)
    writer.flush()
