"""What the endpoint of the short-video network's profiles takes and gives."""

from typing import Any, Final, Literal

from pydantic import ConfigDict

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.social.shortvideo.handle import ShortvideoHandle

EXACT_BELOW: Final = 10_000
"""Counters below are never rounded: larger ones are written as 10K and 1.2M."""
COUNTERS: Final = ("followerCount", "followingCount", "heart", "heartCount", "videoCount", "diggCount", "friendCount")


class ShortvideoProfileParams(Params):
    username: ShortvideoHandle = param(
        "Name of the account, with or without a leading @, or the address of its profile.", example="@example"
    )


class UserInfo(Result):
    """The network's own object. What is not named here stands as it came."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    user: dict[str, Any] = field(
        "The account by the network's own keys, untouched: `id`, `uniqueId`, `nickname`, `signature`, `verified`, "
        "`privateAccount`, `bioLink`, `avatarLarger` …",
        wire="userInfo.user",
    )
    stats: dict[str, int | None] = field(
        "Counters: `followerCount`, `followingCount`, `heartCount`, `videoCount` …; from `statsV2` where it has them, "
        "which is exact. null where the source does not say.",
        wire="userInfo.statsV2, userInfo.stats",
    )


class ShortvideoProfile(Result):
    is_available: bool = field("False for an account that exists and is hidden or private: its data is not shown.")
    userInfo: UserInfo | None = field("The account; null where a hidden one shows nothing.", wire="userInfo")  # noqa: N815  # the network's
    statusCode: int | None = field("The network's own code; null from the embed.", wire="statusCode")  # noqa: N815  # the network's
    source: Literal["page", "embed"] = field("Which door answered.")
    counts_rounded: bool = field("Whether figures may be rounded: from the embed, and where a page has no exact ones.")
