"""Detection of hidden text.

Text is hidden if it has a font size of zero, is off-screen, has the color of its background, or is in an element that
is never shown. The markup is examined in `inline_style`, and the page's own style sheets in several steps: `stylesheet`
splits them into rules, `hiding_rules` finds rules that may hide something, `selectors` matches them with elements, and
`sheet_styles` determines whether another rule shows the element. External style sheets are not read. Content that a
reader can open, such as tabs and answers, is not hidden (`folding`).
"""

from webquarry_convert.hidden.read_aloud import is_read_aloud
from webquarry_convert.hidden.removal import Unseen, leave_out, warn_of_hidden

__all__ = ["Unseen", "is_read_aloud", "leave_out", "warn_of_hidden"]
