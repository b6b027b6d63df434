"""Parameters and result of the photo network's profile endpoint."""

from typing import Literal

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.social.model.photonet.handle import PhotonetHandle

SourceName = Literal["page", "web_profile_info"]


class PhotonetProfileParams(Params):
    username: PhotonetHandle = param(
        "User name, with or without a leading @, or the URL of the profile.", example="@example"
    )


class Counted(Result):
    count: int | None = field("Number; null if unknown.")


class BioLink(Result):
    title: str | None = field("Text of the link.", wire="title")
    url: str = field("Target URL, without the network's redirect.", wire="url")
    link_type: str | None = field("Type of the link as named by the network.", wire="link_type")


class PhotonetUser(Result):
    """A public profile. Missing values are null, never 0 or false."""

    id: str = field("Account ID.", wire="pk; id")
    fbid: str | None = field("Business ID of the account, 17841….", wire="id; fbid")
    username: str = field("User name in the network's spelling.", wire="username")
    full_name: str | None = field("Display name; empty if not set.", wire="full_name")
    biography: str | None = field("The account's biography; empty if not set.", wire="biography")
    is_verified: bool | None = field("Whether the account is verified.", wire="is_verified")
    is_private: bool | None = field("Whether only followers can see the posts.", wire="is_private")
    is_business_account: bool | None = field("Whether the account is a business account.", wire="is_business_account")
    is_professional_account: bool | None = field(
        "Whether the account is a business or creator account.", wire="is_professional_account"
    )
    follower_count: int | None = field("Number of followers.", wire="follower_count; edge_followed_by.count")
    following_count: int | None = field("Number of accounts followed.", wire="following_count; edge_follow.count")
    media_count: int | None = field("Number of posts.", wire="edge_owner_to_timeline_media.count; media_count")
    edge_followed_by: Counted = field("Number of followers, in the network's older format.", wire="edge_followed_by")
    edge_follow: Counted = field("Number of accounts followed, in the network's older format.", wire="edge_follow")
    edge_owner_to_timeline_media: Counted = field(
        "Number of posts, in the network's older format.", wire="edge_owner_to_timeline_media"
    )
    external_url: str | None = field("Website, or the first link if none is set.", wire="external_url; bio_links[0]")
    bio_links: list[BioLink] = field("Links in the profile.", wire="bio_links[]")
    category_name: str | None = field("Category, such as Restaurant.", wire="category_name; business_category_name")
    profile_pic_url: str | None = field("URL of the profile picture. It is signed and expires.", wire="profile_pic_url")
    profile_pic_url_hd: str | None = field(
        "URL of the larger profile picture. It expires too.", wire="profile_pic_url_hd"
    )
    pronouns: list[str] = field("Pronouns of the account.", wire="pronouns[]")


class PhotonetData(Result):
    user: PhotonetUser = field("The account.")


class PhotonetProfile(Result):
    data: PhotonetData = field("Nested object as in the network's response.")
    status: Literal["ok"] = field("Status from the network.")
    source: SourceName = field("Name of the provider.")
