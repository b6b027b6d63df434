"""Channels that have a special header and no list.

The platform itself creates some of them, for games, topics and events. Others are hidden from users of unknown age.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from webquarry.extractors.videoplatform.model.ids import is_channel_id, make_channel_url
from webquarry.extractors.videoplatform.sources.innertube.texts import line, read_picture, read_text, rounded
from webquarry.read import take
from webquarry.read.fields import to_address, to_line
from webquarry.read.values import reach, reach_list

ChannelKind = Literal["channel", "topic", "age_gate"]
TOPIC: Final = "YouTube generates this channel about a game, topic or event. It has no list of videos."
AGE_GATE: Final = "YouTube shows this channel only to signed-in viewers with a confirmed age."
_SUFFIX: Final = " - Topic"
_TABS: Final = "contents.twoColumnBrowseResultsRenderer.tabs"


@dataclass(frozen=True, slots=True)
class SpecialChannel:
    """The data on a special channel's page, by the field names of `Channel`. id: None if the page does not contain
    it.
    """

    kind: ChannelKind
    id: str | None
    name: str | None
    warning: str
    description: str | None = None
    subscriber_count: int | None = None
    subscriber_count_text: str | None = None
    is_family_safe: bool | None = None
    avatar_url: str | None = None
    banner_url: str | None = None


def read_special(answer: dict[str, Any]) -> SpecialChannel | None:
    """Parse the page of a special channel. Returns None for other pages."""
    return _read_age_gate(answer) or _read_topic(answer)


def read_topic_details(answer: dict[str, Any]) -> Any:
    """Return the node with the topic's name in a header with pictures, or None."""
    items = reach_list(answer, "header.carouselHeaderRenderer.contents", 50)
    found = (reach(item, "topicChannelDetailsRenderer") for item in items)
    return next((node for node in found if isinstance(node, dict)), None)


def _read_topic(answer: dict[str, Any]) -> SpecialChannel | None:
    header, node = reach(answer, "header"), read_topic_details(answer)
    tabbed = reach(header, "interactiveTabbedHeaderRenderer")
    page = reach(header, "pageHeaderRenderer")
    micro = reach(answer, "microformat.microformatDataRenderer")
    plain = reach(header, "carouselHeaderRenderer")
    if not any(isinstance(found, dict) for found in (node, tabbed, page, plain)):
        return None
    subscribers = line(node, "subtitle")
    return SpecialChannel(
        kind="topic",
        id=_read_id(reach(node, "navigationEndpoint.browseEndpoint.browseId"), take(micro, "urlCanonical", to_address)),
        name=line(node, "title") or line(tabbed, "title") or _read_page_title(page, micro),
        description=read_text(tabbed, "description") or read_text(micro, "description"),
        subscriber_count=rounded(subscribers),
        subscriber_count_text=subscribers,
        avatar_url=read_picture(node, "avatar.thumbnails") or read_picture(tabbed, "boxArt.thumbnails"),
        banner_url=read_picture(tabbed, "banner.thumbnails"),
        warning=TOPIC,
    )


def _read_page_title(page: Any, micro: Any) -> str | None:
    return (
        line(page, "content.pageHeaderViewModel.title.dynamicTextViewModel.text")
        or take(page, "pageTitle", to_line)
        or (take(micro, "title", to_line) or "").removesuffix(_SUFFIX)
        or None
    )


def _read_age_gate(answer: dict[str, Any]) -> SpecialChannel | None:
    for tab in reach_list(answer, _TABS, 50):
        for section in reach_list(tab, "tabRenderer.content.sectionListRenderer.contents", 50):
            node = reach(section, "channelAgeGateRenderer")
            if isinstance(node, dict):
                return SpecialChannel(
                    kind="age_gate",
                    id=None,
                    name=line(node, "channelTitle"),
                    avatar_url=read_picture(node, "avatar.thumbnails"),
                    is_family_safe=False,
                    warning=AGE_GATE,
                )
    return None


def _read_id(browse_id: Any, address: str | None) -> str | None:
    """Return the id from a link to the channel, otherwise from the end of its address."""
    if is_channel_id(browse_id):
        return str(browse_id)
    end = (address or "").rpartition("/")[2]
    return end if is_channel_id(end) and address == make_channel_url(end) else None
