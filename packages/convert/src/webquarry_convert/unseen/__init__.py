"""What a page holds and no reader sees: text set in no size, off the screen, in the colour of its ground, or hidden and
shown by nothing.

The markup is judged (`inline_style`) and the page's own style sheets: `stylesheet` divides them into rules,
`hiding_rules` finds those that may hide something, `selectors` compares them with elements, and `sheet_styles` tells
whether another rule shows the element. Sheets at other addresses are not read. What a reader can open, as tabs and
answers, is content (`folding`).
"""

from webquarry_convert.unseen.read_aloud import is_read_aloud
from webquarry_convert.unseen.removal import Unseen, leave_out, warn_of_hidden

__all__ = ["Unseen", "is_read_aloud", "leave_out", "warn_of_hidden"]
