"""Detection of pages without content: block pages and JavaScript shells. Never fails, and takes linear time."""

from webquarry_convert.marks import BlockKind
from webquarry_convert.verdict.block_pages import BlockPage, find_block_page
from webquarry_convert.verdict.page_features import PageFeatures, measure_page
from webquarry_convert.verdict.shell import Shell, ShellReason, find_shell

__all__ = [
    "BlockKind",
    "BlockPage",
    "PageFeatures",
    "Shell",
    "ShellReason",
    "find_block_page",
    "find_shell",
    "measure_page",
]
