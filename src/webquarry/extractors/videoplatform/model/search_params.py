"""Parameters of the search endpoint, and the cursors of its lists."""

from typing import Any, Final, Literal, Self

from pydantic import model_validator

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Params, param
from webquarry.read import cursors

NAME: Final = "videoplatform_search"
Kind = Literal["video", "channel", "playlist", "all"]
Sort = Literal["relevance", "date", "views", "rating"]
FOREIGN: Final = "This cursor belongs to another provider."


class SearchParams(Params):
    q: str = param("Search query.", example="harbour in winter", max_length=512)
    type: Kind = param("Type of results: `video`, `channel`, `playlist` or `all`.", default="video")
    sort: Sort = param("Order: `relevance`, `date` (newest first), `views` or `rating`.", default="relevance")
    gl: Country = param("Two-letter country code of the search.", default=Country("us"))
    hl: Language = param(
        "Language of text that the platform generates, such as relative dates.", default=Language("en")
    )
    cursor: str | None = param(
        "`next_cursor` from a previous response to the same request.",
        default=None,
        pattern=cursors.PATTERN,
        rule=cursors.RULE,
    )

    @property
    def _question(self) -> tuple[str, ...]:
        return (NAME, self.q, self.type, self.sort, str(self.gl), str(self.hl))

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        if self.cursor is not None:
            cursors.check_cursor(self.cursor, *self._question)
            if self.place is None:
                raise ValueError(f"Parameter 'cursor' {cursors.RULE}.")
        return self

    @property
    def place(self) -> tuple[str, str, int] | None:
        """Decode the cursor into its source, the source's token, and the number of earlier rows.

        Returns None without a cursor.
        """
        if self.cursor is None:
            return None
        found: Any = cursors.read_cursor(self.cursor, *self._question)
        match found:
            case [str(source), str(token), int(before)] if token and 0 <= before <= 1_000_000:
                return source, token, before
        return None

    @property
    def before(self) -> int:
        """Return the number of rows on earlier pages."""
        return self.place[2] if self.place is not None else 0

    def token_of(self, source: str) -> str | None:
        """Return the source's token for the requested page, or None for the first page."""
        return self.place[1] if self.place is not None and self.place[0] == source else None

    def is_of(self, source: str) -> bool:
        """Return whether the source can serve the page: there is no cursor, or the cursor is from this source."""
        return self.place is None or self.place[0] == source

    def next_cursor(self, source: str, token: str | None, count: int) -> str | None:
        if token is None:
            return None
        return cursors.write_cursor([source, token, self.before + count], *self._question)
