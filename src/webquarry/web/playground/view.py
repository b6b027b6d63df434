"""Views: results as a page shows them, rendered in a child process."""

from dataclasses import dataclass
from html import escape
from typing import Final

from markupsafe import Markup

from webquarry.core.clock import Clock
from webquarry.core.errors import ServiceError
from webquarry.core.types import PICTURES_PATH, Deadline
from webquarry.pipeline import Answer
from webquarry.web.playground.answer_reply import SHOW
from webquarry.workers.workers import Workers

WITHIN_S: Final = 12.0
"""Maximum rendering time in seconds. A busy machine needs several seconds to start a child process."""
SHORT_BYTES, MEDIUM_BYTES = 600, 3_000
PERMITS: Final = "allow-popups allow-popups-to-escape-sandbox"
"""Permissions of the frame with fetched content.

Its links may open other pages; scripts, forms and access to the service's pages are not allowed.
"""


@dataclass(frozen=True, slots=True)
class View:
    """The view of a result.

    `document` is a whole page for the frame, or None if the markdown is too complex to render. `tree` and `figures`,
    which may be empty, contain HTML; `markdown` and `json` contain text. Each `*_cut` is True if that part was
    truncated. `size` is the size of the frame.
    """

    document: str | None
    markdown: str
    json: str
    tree: Markup
    figures: Markup
    rendered_cut: bool = False
    markdown_cut: bool = False
    json_cut: bool = False
    tree_cut: bool = False
    size: str = "large"


class Viewer:
    """Creates views.

    `stylesheet` is the URL of the stylesheet for fetched content; `base_url` is the URL of the service.
    """

    def __init__(self, workers: Workers, clock: Clock, stylesheet: str, base_url: str) -> None:
        self._workers = workers
        self._clock = clock
        self._stylesheet = stylesheet
        self._pictures = f"{base_url}{PICTURES_PATH}"

    async def show(self, answer: Answer, account: str, *, charged: int, is_cached: bool) -> View:
        """Return the view of a result. If it cannot be rendered, its beginning is shown as text.

        `charged` and `is_cached` belong to the request that is shown.
        """
        body = answer.markdown + answer.data
        try:
            parcel = await self._workers.run(
                SHOW,
                body,
                {
                    "markdown_bytes": len(answer.markdown),
                    "pictures": self._pictures,
                    "envelope": {
                        "extractor": answer.conversion.endpoint,
                        "id": answer.conversion.id,
                        "creditsCharged": charged,
                        "cached": is_cached,
                    },
                },
                deadline=Deadline.after(WITHIN_S, self._clock),
                account=account,
            )
        except ServiceError:
            return _plain_view(answer.markdown, answer.data)
        html, markdown, json, tree, figures = (piece.decode() for piece in parcel.pieces)
        return View(
            document=self._frame(html) if html.strip() else None,
            markdown=markdown,
            json=json,
            tree=Markup(tree),  # noqa: S704  # only elements that `allowed` lists, as checked before
            figures=Markup(figures),  # noqa: S704  # the same
            size="short" if len(html) < SHORT_BYTES else "medium" if len(html) < MEDIUM_BYTES else "large",
            **parcel.facts.model_dump(),
        )

    def _frame(self, body: str) -> str:
        """Return the page for the frame. The page inherits the service's security policy and has no URL."""
        return (
            '<!doctype html><html lang=""><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
            '<meta name="referrer" content="no-referrer"><title>External content</title>'
            f'<link rel="stylesheet" href="{escape(self._stylesheet)}"></head><body><main>{body}</main></body></html>'
        )


def _plain_view(markdown: bytes, data: bytes, most: int = 20_000) -> View:
    return View(
        document=None,
        markdown=markdown[:most].decode("utf-8", "ignore"),
        json=data[:most].decode("utf-8", "ignore"),
        tree=Markup(),
        figures=Markup(),
        rendered_cut=True,
        markdown_cut=len(markdown) > most,
        json_cut=len(data) > most,
        tree_cut=True,
    )
