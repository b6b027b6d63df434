"""Declaration of a child process's reply about a result to show."""

from typing import Final

from webquarry.web.playground.allowed import FIGURE_VOIDS, VOIDS, allows_content, allows_figure, allows_tree
from webquarry.workers.job import Facts, Job
from webquarry.workers.markup import Markup
from webquarry.workers.pieces import MAX_PIECE, Text

MAX_FIGURES: Final = 1_000_000


class ViewFacts(Facts):
    """Whether each piece was truncated."""

    rendered_cut: bool
    markdown_cut: bool
    json_cut: bool
    tree_cut: bool


SHOW: Final[Job[ViewFacts]] = Job(
    "webquarry.web.playground.answer_job:show",
    ViewFacts,
    {
        ViewFacts: (
            Markup(allows_content, most=MAX_PIECE, voids=VOIDS),
            Text(),
            Text(),
            Markup(allows_tree, most=MAX_PIECE, depth=200),
            Markup(allows_figure, most=MAX_FIGURES, voids=FIGURE_VOIDS),
        )
    },
)
"""Pieces: the markdown as harmless HTML, the markdown, the indented JSON, the JSON as a tree, and its figures."""
