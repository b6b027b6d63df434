"""Labels of list items and headings, counted as in office programs."""

from dataclasses import dataclass

from webquarry_convert.file.text.blocks import Item
from webquarry_convert.file.text.labels import format_label
from webquarry_convert.file.text.odf.package import TEXT, XML
from webquarry_convert.file.text.odf.styles import BULLET, LEVELS, Level, Styles, parse_number
from webquarry_convert.file.xml import Element


@dataclass(slots=True)
class OpenList:
    """An open list.

    count: the last item's number. is_new: whether the last item has no paragraph yet. has_label: whether the last item
    has a visible label.
    """

    style: str | None
    level: Level
    count: int
    identity: str | None
    is_new: bool = False
    has_label: bool = True

    def begin_item(self, node: Element) -> None:
        start = parse_number(node.get(f"{TEXT}start-value"))
        self.count = self.count + 1 if start is None else start
        self.is_new = self.has_label = True


class Numbering:
    """The counters of a document's lists and headings."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._ended: dict[tuple[int, str | None], int] = {}  # counters by level and style, or by 0 and id
        self._headings = [0] * (LEVELS + 1)

    def begin_list(self, node: Element, around: list[OpenList]) -> OpenList:
        """Open a list. around: the enclosing lists, outermost first."""
        level = len(around) + 1
        name = node.get(f"{TEXT}style-name") or (around[-1].style if around else None)
        here = (self._styles.list_style(name) or {}).get(level, BULLET)
        count = here.start - 1
        before = node.get(f"{TEXT}continue-list")
        if before is not None:
            count = self._ended.get((0, before), count)
        elif node.get(f"{TEXT}continue-numbering") == "true":
            count = self._ended.get((level, name), count)
        return OpenList(name, here, count, node.get(f"{XML}id"))

    def end_list(self, opened: OpenList, level: int) -> None:
        self._ended[level, opened.style] = opened.count
        if opened.identity is not None:
            self._ended[0, opened.identity] = opened.count

    def label_heading(self, node: Element, level: int) -> str:
        """Return a heading's label, or "" if the heading has no label.

        Headings without text and list headers are not counted.
        """
        if node.get(f"{TEXT}is-list-header") == "true" or _is_empty(node):
            return ""
        here = self._styles.outline.get(level)
        counts = self._headings
        counts[level] = self._count_heading(node, level, first=here.start if here is not None else 1)
        counts[level + 1 :] = [0] * (LEVELS - level)
        if here is None or not here.form:
            return ""
        forms = [self._styles.outline.get(at, BULLET).form for at in range(1, level + 1)]
        plain, label = here.label([max(count, 1) for count in counts[1 : level + 1]], forms)
        return label if plain is None else f"{here.before}{format_label(plain, here.form)}{here.after}".strip()

    def _count_heading(self, node: Element, level: int, *, first: int) -> int:
        """Return a heading's explicit number, or otherwise the next number.

        first: the first number on the heading's level.
        """
        is_restarted = node.get(f"{TEXT}restart-numbering") == "true"
        start = parse_number(node.get(f"{TEXT}start-value")) if is_restarted else None
        if start is not None:
            return start
        return self._headings[level] + 1 if self._headings[level] else first


def _is_empty(node: Element) -> bool:
    return not len(node) and not (node.text or "").strip()


def label_item(lists: list[OpenList]) -> Item | None:
    """Return the last item of the innermost open list, or None for an item without a bullet or label."""
    here = lists[-1].level
    plain, label = here.label([one.count for one in lists], [one.level.form for one in lists])
    return None if here.form == "" and not label else Item(len(lists) - 1, plain, label)
