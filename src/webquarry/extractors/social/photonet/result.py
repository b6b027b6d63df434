"""What the endpoint of the photo network's profiles takes and gives."""

from typing import Literal

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.social.photonet.handle import PhotonetHandle

SourceName = Literal["page", "web_profile_info"]


class PhotonetProfileParams(Params):
    username: PhotonetHandle = param(
        "Name of the account, with or without a leading @, or the address of its profile.", example="@example"
    )


class Counted(Result):
    count: int | None = field("How many; null where the source does not say.")


class BioLink(Result):
    title: str | None = field("Its text.", wire="title")
    url: str = field("Where it leads, out of the network's redirect.", wire="url")
    link_type: str | None = field("The network's word for its kind.", wire="link_type")


class PhotonetUser(Result):
    """Missing is null: never 0, never false."""

    id: str = field("The account's number.", wire="pk; id")
    fbid: str | None = field("Its number in the network's company, 17841….", wire="id; fbid")
    username: str = field("Its name, as the network spells it.", wire="username")
    full_name: str | None = field("Display name; empty where there is none.", wire="full_name")
    biography: str | None = field("What it says of itself; empty where it says nothing.", wire="biography")
    is_verified: bool | None = field("Whether it has the badge.", wire="is_verified")
    is_private: bool | None = field("Whether its posts are for followers only.", wire="is_private")
    is_business_account: bool | None = field("Whether it is a business's.", wire="is_business_account")
    is_professional_account: bool | None = field(
        "Whether it is a business's or creator's.", wire="is_professional_account"
    )
    follower_count: int | None = field("Followers.", wire="follower_count; edge_followed_by.count")
    following_count: int | None = field("Accounts that it follows.", wire="following_count; edge_follow.count")
    media_count: int | None = field("Posts.", wire="edge_owner_to_timeline_media.count; media_count")
    edge_followed_by: Counted = field("Followers, in the network's older form.", wire="edge_followed_by")
    edge_follow: Counted = field("Accounts that it follows, in the older form.", wire="edge_follow")
    edge_owner_to_timeline_media: Counted = field("Posts, in the older form.", wire="edge_owner_to_timeline_media")
    external_url: str | None = field("Web site; the first link where none is named.", wire="external_url; bio_links[0]")
    bio_links: list[BioLink] = field("Links of the profile.", wire="bio_links[]")
    category_name: str | None = field("What it is, such as Restaurant.", wire="category_name; business_category_name")
    profile_pic_url: str | None = field("Picture; a signed address that expires.", wire="profile_pic_url")
    profile_pic_url_hd: str | None = field("The picture in larger; it expires too.", wire="profile_pic_url_hd")
    pronouns: list[str] = field("Pronouns that it gives.", wire="pronouns[]")


class PhotonetData(Result):
    user: PhotonetUser = field("The account.")


class PhotonetProfile(Result):
    data: PhotonetData = field("The network's own nesting.")
    status: Literal["ok"] = field("The network's word.")
    source: SourceName = field("Which door answered.")
