"""What a page holds and no reader sees: text set in no size, off the screen, in the colour of its ground, or hidden and
shown by nothing.

Only what the markup says itself is judged (`looks`); style sheets are not asked. What is merely folded, as the tabs and
answers that a reader opens, is content (`folded`).
"""

from webquarry_convert.unseen.read_aloud import is_read_aloud
from webquarry_convert.unseen.removal import Unseen, leave_out, warn_of_hidden

__all__ = ["Unseen", "is_read_aloud", "leave_out", "warn_of_hidden"]
