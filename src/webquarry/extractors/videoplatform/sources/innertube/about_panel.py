"""The about panel of a channel, which has data that the header of the channel's page lacks."""

from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.videoplatform.model.channel_result import About, ChannelLink
from webquarry.extractors.videoplatform.sources.innertube import nodes
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE, answer_of
from webquarry.extractors.videoplatform.sources.innertube.header import read_link
from webquarry.extractors.videoplatform.sources.innertube.texts import count_in, find_day, line
from webquarry.read import each_given
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

_ABOUT: Final = "aboutChannelRenderer.metadata.aboutChannelViewModel"


def read_about(wire: Wire) -> About:
    """Parse the about panel. Raises ProviderError "changed" if the response lacks it."""
    answer = answer_of(wire)
    node = next(
        (found for item in nodes.read_appended(answer) or [] if (found := reach(item, _ABOUT)) is not None), None
    )
    if not isinstance(node, dict):
        raise ProviderError(f"{TITLE} returned no data about the channel.", reason="changed")
    joined = find_day(line(node, "joinedDateText"))
    return About(
        joined_at=joined,
        view_count=count_in(line(node, "viewCountText")),
        country=line(node, "country"),
        subscriber_count_text=line(node, "subscriberCountText"),
        video_count=count_in(line(node, "videoCountText")),
        links=read_rows(each_given(node, "links[]")[:100], _link, "links[]"),
    )


def _link(row: Any) -> ChannelLink | None:
    node = reach(row, "channelExternalLinkViewModel")
    found = read_link(reach(node, "link"))
    return None if found is None else ChannelLink(title=line(node, "title"), url=found.url)
