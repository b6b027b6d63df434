"""Explains to developers why each text on a page was kept or dropped, with one line per text.

kept 0.31 kept by cards p Leek soup dropped 1.20 kept by cut, dropped by copies div Leek soup dropped - not weighed a
Home
"""

from collections import defaultdict

from webquarry_convert.page.content.selection import Change, Selection

MAX_SHOWN = 80
"""Number of a text's characters that are shown."""
NOT_WEIGHED = "not weighed"
UNLIKELY = "unlikely"


def explain_selection(selection: Selection) -> str:
    """Return one line for each block, with fields separated by tabs.

    The fields are `kept` or `dropped`; the nearness, or `-` if the block was not weighed; the stages that changed the
    decision, in order; the element; and the beginning of the text.
    """
    changes: defaultdict[int, list[Change]] = defaultdict(list)
    for change in selection.changes:
        changes[change.number].append(change)
    blocks, nearness = selection.blocks, selection.nearness
    lines = []
    for number, (block, is_kept) in enumerate(zip(blocks.all, selection.kept, strict=True)):
        fields = (
            "kept" if is_kept else "dropped",
            f"{nearness[number]:.2f}" if number in nearness else "-",
            _describe(changes.get(number, []), is_weighed=number in nearness),
            blocks.tree[block.place].tag,
            " ".join(block.text[: 4 * MAX_SHOWN].split())[:MAX_SHOWN],
        )
        lines.append("\t".join(fields) + "\n")
    return "".join(lines)


def _describe(changes: list[Change], *, is_weighed: bool) -> str:
    if not changes:
        return UNLIKELY if is_weighed else NOT_WEIGHED
    return ", ".join(f"{'kept' if change.is_kept else 'dropped'} by {change.stage}" for change in changes)
