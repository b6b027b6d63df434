"""Detection of pages without content: block pages and JavaScript shells. Never fails, and takes linear time."""

from webquarry_convert.marks import WallKind
from webquarry_convert.verdict.page_features import PageFeatures, measure_page
from webquarry_convert.verdict.shell import Shell, ShellReason, find_shell
from webquarry_convert.verdict.walls import Wall, find_wall

__all__ = ["PageFeatures", "Shell", "ShellReason", "Wall", "WallKind", "find_shell", "find_wall", "measure_page"]
