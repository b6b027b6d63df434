"""Parameters of the channel endpoint, and the cursors of its lists."""

from collections.abc import Mapping
from typing import Any, Final, Literal, Self

from pydantic import model_validator

from webquarry.endpoints.declare import Params, exactly_one, param
from webquarry.extractors.videoplatform.model.ids import SITE, ChannelId, ChannelUrl, Handle, is_channel_id
from webquarry.extractors.videoplatform.model.tokens import pack, unpack
from webquarry.read import cursors

NAME: Final = "videoplatform_channel"
Tab = Literal["videos", "shorts", "live"]


class ChannelParams(Params):
    one_of = exactly_one("id", "handle", "url")

    id: ChannelId | None = param("Channel ID, `UC…`.", default=None, example="UC0123456789abcdefghijkl")
    handle: Handle | None = param("Handle of the channel, with or without @.", default=None, example="@exampleharbours")
    url: ChannelUrl | None = param(
        "URL of the channel, with an ID, handle, name (`/c/…`) or user.",
        default=None,
        example="https://www.youtube.com/@exampleharbours",
    )
    tab: Tab = param("List to return: `videos`, `shorts` or `live`.", default="videos")
    cursor: str | None = param(
        "`next_cursor` from a previous response to the same request.",
        default=None,
        pattern=cursors.PATTERN,
        rule=cursors.RULE,
    )

    @property
    def channel_id(self) -> str | None:
        """Return the channel's id if the parameters contain it."""
        return str(self.id) if self.id is not None else self.url.channel_id if self.url is not None else None

    @property
    def known_handle(self) -> str | None:
        return str(self.handle) if self.handle is not None else self.url.handle if self.url is not None else None

    @property
    def address(self) -> str:
        """Return an address of the channel. All parameters with the same id or handle give the same address."""
        if self.channel_id is not None:
            return f"{SITE}/channel/{self.channel_id}"
        return f"{SITE}/{self.known_handle}" if self.known_handle is not None else str(self.url)

    @property
    def _question(self) -> tuple[str, ...]:
        return (NAME, self.address, self.tab)

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        if self.cursor is not None:
            cursors.check_cursor(self.cursor, *self._question)
            if self.place is None:
                raise ValueError(f"Parameter 'cursor' {cursors.RULE}.")
        return self

    @property
    def place(self) -> tuple[str, str, str, str] | None:
        """Decode the cursor into its source, the source's token, and the channel's id and name.

        Returns None without a cursor.
        """
        if self.cursor is None:
            return None
        found: Any = cursors.read_cursor(self.cursor, *self._question)
        match found:
            case [str(source), str(token), str(channel_id), str(name)] if token and is_channel_id(channel_id):
                return source, token, channel_id, name
            case [str(source), str(packed), str(channel_id)] if is_channel_id(channel_id):
                unpacked = unpack(packed)
                return None if unpacked is None else (source, unpacked, channel_id, "")
        return None

    def token_of(self, source: str) -> str | None:
        """Return the source's token for the requested page, or None for the first page."""
        return self.place[1] if self.place is not None and self.place[0] == source else None

    def is_of(self, source: str) -> bool:
        """Return whether the source can serve the page: there is no cursor, or the cursor is from this source."""
        return self.place is None or self.place[0] == source

    def next_cursor(self, source: str, token: str | None, channel_id: str, name: str | None) -> str | None:
        if token is None:
            return None
        cursor = cursors.write_cursor([source, token, channel_id, (name or "")[:100]], *self._question)
        packed = pack(token) if cursor is None else None
        return cursor if packed is None else cursors.write_cursor([source, packed, channel_id], *self._question)


def channel_identity(params: ChannelParams) -> Mapping[str, str]:
    return {"channel": params.address, "tab": params.tab, "cursor": params.cursor or ""}
