"""Tab panels with their labels: the row `Models
Seeds` above two panels becomes a label above each panel.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.tree import TAB_LABEL, TAB_PANEL, Tree, read_texts

MAX_LABEL = 60
"""Maximum length of a label, in characters."""
MAX_NODES = 12
"""Number of elements that are examined in a tab."""
_COUNT = re.compile(r"(?<!\s)\s*+\(\d+\)\Z")
_POINTERS = ("aria-controls", "href", "data-target", "data-bs-target")


def label_panels(selection: Selection) -> None:
    """Add a label to each panel with kept text, and drop the row of labels."""
    blocks, tree = selection.blocks, selection.blocks.tree
    roles = _find_roles(blocks)
    if not all(roles.values()):
        return
    panels = {tree[place].attributes.get("id") or "": place for place in reversed(roles["tabpanel"])}
    ends = [*roles["tablist"][1:], len(tree)]
    for place, end in zip(roles["tablist"], ends, strict=True):
        tabs = [*_list_tabs(tree, place)]
        first, last = (bisect_left(roles["tabpanel"], at) for at in (tree[place].end, end))
        following = roles["tabpanel"][first:last]
        pairs = [*_pair(tree, tabs, panels, following)]
        for label, panel in pairs:
            _label(selection, label, panel)
        labels = {label for label, _ in pairs}
        row = range(blocks.starts[place], blocks.ends[place])
        selection.drop([number for number in row if _squeeze(blocks.all[number].text) in labels])


def _find_roles(blocks: Blocks) -> dict[str, list[int]]:
    """Return the places of the rows of tabs and of the panels, by role."""
    roles: dict[str, list[int]] = {"tablist": [], "tabpanel": []}
    for place in blocks.holders:
        role = blocks.tree[place].attributes.get("role")
        if role in roles:
            roles[role].append(place)
    return roles


def _list_tabs(tree: Tree, place: int) -> Iterator[int]:
    """Yield the tabs in a row of tabs."""
    return (at for at in range(place + 1, tree[place].end) if tree[at].attributes.get("role") == "tab")


def _pair(tree: Tree, tabs: list[int], panels: dict[str, int], following: list[int]) -> Iterator[tuple[str, int]]:
    """Yield each tab's label and panel.

    panels: the page's panels by id. following: the panels up to the next row of tabs. A panel belongs to the tab that
    refers to the panel or that the panel refers to, and otherwise to the tab with the same number.
    """
    named = {tree[panel].attributes.get("aria-labelledby"): panel for panel in following}
    taken: set[int] = set()
    for number, tab in enumerate(tabs):
        label = _squeeze("".join(read_texts([tree[tab]])))
        panel = _find_panel(tree, tab, panels, named)
        if panel is None and len(tabs) == len(following):
            panel = following[number]
        if panel is not None and panel not in taken and 0 < len(label) <= MAX_LABEL:
            taken.add(panel)
            yield label, panel


def _find_panel(tree: Tree, tab: int, panels: dict[str, int], named: dict[str | None, int]) -> int | None:
    """Return the panel to which a tab refers, or else the panel that refers to the tab.

    named: panels by the id of the tab that labels them.
    """
    for target in _list_targets(tree, tab):
        if target in panels:
            return panels[target]
    identity = tree[tab].attributes.get("id")
    return named.get(identity) if identity else None


def _list_targets(tree: Tree, tab: int) -> Iterator[str]:
    """Yield the ids that a tab and the elements inside it refer to."""
    for node in tree[tab : min(tree[tab].end, tab + MAX_NODES)]:
        for key in _POINTERS:
            if target := (node.attributes.get(key) or "").lstrip("#"):
                yield target


def _label(selection: Selection, label: str, panel: int) -> None:
    """Label a panel, unless its first kept text already is the label."""
    blocks = selection.blocks
    numbers = range(blocks.starts[panel], blocks.ends[panel])
    first = next((number for number in numbers if selection.kept[number]), None)
    node = blocks.tree[panel]
    if first is None or node.tag == TAB_PANEL:
        return
    if _squeeze(blocks.all[first].text).lower() == _COUNT.sub("", label).lower():
        return
    node.tag = TAB_PANEL
    node.attributes = {**node.attributes, TAB_LABEL: label}


def _squeeze(text: str) -> str:
    return " ".join(text.split())
