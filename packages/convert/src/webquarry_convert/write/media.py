"""Images in their position, and players written as links to their source."""

import re

from webquarry_convert.tree import Node
from webquarry_convert.write import images, math
from webquarry_convert.write.flow import write_apart, write_children
from webquarry_convert.write.formulas import write_formula
from webquarry_convert.write.pieces import CLOSE_LINK, Written, collapse_space, make_link
from webquarry_convert.write.state import WriterState

_VIDEO = re.compile(
    r"//(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|bilibili\.com|wistia\.(?:com|net)"
    r"|twitch\.tv|ted\.com|loom\.com|rutube\.ru|vk\.com|v\.qq\.com|youku\.com|brightcove\.net|jwplayer\.com)/"
    r"|/(?:embed|player|video)s?/", re.IGNORECASE
)  # fmt: skip
_ADDRESSES = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-cmp-src")
MAX_LOOK_BACK = 5000
"""Number of characters, from the end of a block, within which the last image may still be replaced."""


def write_image(state: WriterState, node: Node, also: str | None = None) -> None:
    formula = math.read_image(node)
    if formula is not None:
        if formula[0] != state.last_formula:
            write_formula(state, *formula)
        return
    sign = images.find_emoji(node)
    if sign:
        state.pieces.append(sign)
        return
    source = images.find_source(node) or also
    target = state.targets.of(source)
    if target is None or state.targets.is_page(target) or _is_trifle(node):
        return
    if state.link_target is not None:
        state.enlarged.add(state.link_target)
    elif target in state.enlarged:
        return  # the small image is a link to this one, for a lightbox
    state.shown_image = target
    state.pieces += (" ", Written(f"![{images.read_description(node)}]({target})"), " ")


def _is_trifle(image: Node) -> bool:
    """Return whether an image only counts visitors or shows an author."""
    return images.is_pixel(image.attributes) or images.is_portrait(image.attributes)


def write_picture(state: WriterState, node: Node) -> None:
    also = images.find_picture_source(node)
    for child in node.children:
        if isinstance(child, Node) and child.tag == "img":
            write_image(state, child, also)
            return
    write_children(state, node.children)


def replace_image(state: WriterState, target: str) -> None:
    """Change the target of the last image."""
    before, after = f"]({state.shown_image})", f"]({target})"
    for piece in state.pieces[:-9:-1]:  # searches only the last pieces, which keeps the time linear
        if isinstance(piece, Written) and piece.text.endswith(before):
            piece.text = piece.text.removesuffix(before) + after
            break
    else:
        written = state.output.pieces
        if written and len(written[-1]) < MAX_LOOK_BACK and written[-1].endswith(before):
            written[-1] = written[-1].removesuffix(before) + after
    state.shown_image = target


def write_noscript(state: WriterState, node: Node) -> None:
    """Write a `noscript`'s content, except for an image that repeats the preceding one."""
    shown = images.find_only_image(node)
    if shown is None:
        write_apart(state, node)
        return
    target = state.targets.of(images.find_source(shown))
    if target is None or target == state.shown_image:
        return
    if state.shown_image is not None and _get_file_name(target) == _get_file_name(state.shown_image):
        replace_image(state, target)  # the preceding image is a preview until scripts load this one
    elif not _is_shown(state):
        write_children(state, node.children)


def _get_file_name(target: str) -> str:
    """Return the name of the file that a URL refers to."""
    path = target.partition("?")[0]
    return path[path.rfind("/") + 1 :]


def _is_shown(state: WriterState) -> bool:
    """Return whether the content so far ends with an image."""
    for piece in reversed(state.pieces):
        if isinstance(piece, Written):
            return piece.text.startswith("![")
        if isinstance(piece, str) and not piece.isspace():
            return False
    return False


def write_player(state: WriterState, node: Node) -> None:
    """Write a `video` or `audio` as a link to its source."""
    sources = [node, *(child for child in node.children if isinstance(child, Node) and child.tag == "source")]
    for source in sources:
        target = state.targets.of(source.attributes.get("src") or source.attributes.get("data-src"))
        if target is not None and target.startswith("http"):
            _write_link(state, node, target, "Audio" if node.tag == "audio" else "Video")
            return


def write_frame(state: WriterState, node: Node) -> None:
    """Write an `iframe` that shows a video as a link to the video."""
    for name in _ADDRESSES:
        target = state.targets.of(node.attributes.get(name))
        if target is not None and target.startswith("http") and _VIDEO.search(target):
            _write_link(state, node, target, "Video")
            return


def _write_link(state: WriterState, node: Node, target: str, otherwise: str) -> None:
    label = collapse_space(node.attributes.get("title") or node.attributes.get("aria-label") or "") or otherwise
    state.flush()
    state.pieces += (label,) if state.in_link else (make_link(target), label, CLOSE_LINK)
    state.flush()
