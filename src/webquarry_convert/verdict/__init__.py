"""What a fetched page is, when it is not content: a wall, or a shell that scripts would fill. Pure, total, linear."""

from webquarry_convert.marks import WallKind
from webquarry_convert.verdict.glance import Glance, glance
from webquarry_convert.verdict.shell import Shell, ShellReason, shell_of
from webquarry_convert.verdict.walls import Wall, wall_of

__all__ = ["Glance", "Shell", "ShellReason", "Wall", "WallKind", "glance", "shell_of", "wall_of"]
