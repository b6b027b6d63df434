"""Parameters of the microblog's endpoints."""

from typing import Any, Final, Literal, Self

from pydantic import model_validator

from webquarry.endpoints.declare import Params, exactly_one, param
from webquarry.extractors.social.model.microblog.names import Handle, PostId, PostUrl, ProfileUrl
from webquarry.read import cursors

TWEETS: Final = "social_microblog_tweets"
REPLIES: Final = "social_microblog_replies"

_HANDLE = "Handle of the account, with or without @; case-insensitive."
_PROFILE_URL = "URL of the profile on x.com or twitter.com; tabs and query strings are ignored."
_ID = "Post ID."
_POST_URL = "URL of the post, `<host>/<handle>/status/<id>`, on x.com or twitter.com."
_CURSOR = "`next_cursor` from the previous page. The other parameters must be the same."


class ProfileParams(Params):
    one_of = exactly_one("handle", "url")

    handle: Handle | None = param(_HANDLE, default=None, example="example")
    url: ProfileUrl | None = param(_PROFILE_URL, default=None)

    @property
    def account(self) -> str:
        """Return the handle, lower case, from either parameter."""
        return str(self.handle) if self.handle is not None else self.url.handle if self.url is not None else ""


class TweetParams(Params):
    one_of = exactly_one("id", "url")

    id: PostId | None = param(_ID, default=None, example="1849106200000000001")
    url: PostUrl | None = param(_POST_URL, default=None)

    @property
    def post(self) -> str:
        """Return the id of the post, from either parameter."""
        return str(self.id) if self.id is not None else self.url.id if self.url is not None else ""


class _ListParams(Params):
    """Parameters of lists. The provider of a list's first page also serves its further pages."""

    cursor: str | None = param(
        _CURSOR, default=None, max_length=cursors.MAX_CURSOR, pattern=cursors.PATTERN, rule=cursors.RULE
    )

    @property
    def question(self) -> tuple[str, ...]:
        """Return the list's identity, which does not include the page. A cursor from another list is rejected."""
        raise NotImplementedError

    @property
    def place(self) -> tuple[str, str] | None:
        """Decode the cursor into the provider's name and the provider's cursor. Returns None for the first page."""
        held: Any = None if self.cursor is None else cursors.read_cursor(self.cursor, *self.question)
        match held:
            case [str(source), str(place)] if source and place:
                return source, place
            case _:
                return None

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        cursors.check_cursor(self.cursor, *self.question)
        if self.cursor is not None and self.place is None:
            raise ValueError(f"Parameter 'cursor' {cursors.RULE}.")
        return self


class TweetsParams(_ListParams, ProfileParams):
    with_replies: bool | None = param("Whether to include the account's replies.", default=None)

    @property
    def question(self) -> tuple[str, ...]:
        return TWEETS, self.account, "with_replies" if self.with_replies else ""


class RepliesParams(_ListParams, TweetParams):
    ranking: Literal["relevance", "recency", "likes"] = param(
        "Order of the replies. `ranking_applied` in the response shows the order that was used.", default="relevance"
    )

    @property
    def question(self) -> tuple[str, ...]:
        return REPLIES, self.post, self.ranking


def write_cursor(source: str, cursor: str | None, question: tuple[str, ...]) -> str | None:
    """Return the `next_cursor` of a provider's page, or None after the last page."""
    return cursors.write_cursor([source, cursor], *question) if cursor else None
