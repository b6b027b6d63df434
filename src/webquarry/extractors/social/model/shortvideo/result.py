"""Parameters and result of the short-video network's profile endpoint."""

from typing import Any, Final, Literal

from pydantic import ConfigDict

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.social.model.shortvideo.handle import ShortvideoHandle

EXACT_BELOW: Final = 10_000
"""Counts below this value are exact. Larger counts are written as 10K or 1.2M."""
COUNTERS: Final = ("followerCount", "followingCount", "heart", "heartCount", "videoCount", "diggCount", "friendCount")


class ShortvideoProfileParams(Params):
    username: ShortvideoHandle = param(
        "User name, with or without a leading @, or the URL of the profile.", example="@example"
    )


class UserInfo(Result):
    """The network's own object. Fields that are not declared here are passed on unchanged."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    user: dict[str, Any] = field(
        "The account with the network's keys, unchanged: `id`, `uniqueId`, `nickname`, `signature`, `verified`, "
        "`privateAccount`, `bioLink`, `avatarLarger` …",
        wire="userInfo.user",
    )
    stats: dict[str, int | None] = field(
        "Counts: `followerCount`, `followingCount`, `heartCount`, `videoCount` …. Taken from `statsV2`, which is "
        "exact, if available; null if unknown.",
        wire="userInfo.statsV2, userInfo.stats",
    )


class ShortvideoProfile(Result):
    is_available: bool = field("False if the account exists but is hidden or private, so that its data is not shown.")
    userInfo: UserInfo | None = field("The account; null if it is hidden.", wire="userInfo")  # noqa: N815  # the network's
    statusCode: int | None = field("Status code from the network; null for the embed provider.", wire="statusCode")  # noqa: N815  # the network's
    source: Literal["page", "embed"] = field("Name of the provider.")
    counts_rounded: bool = field(
        "Whether the counts may be rounded, because they come from the embed or the page has no exact counts."
    )
