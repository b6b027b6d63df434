"""A profile of the photo network: its description, counts, links and flags.

Providers: the profile page, then `web_profile_info`. See docs/upstreams/photonet-profile.md. Raises Absent if the
second provider confirms that the account does not exist. A private account is a result with `is_private`.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.photonet.handle import HOME_URL
from webquarry.extractors.social.model.photonet.result import PhotonetProfile, PhotonetProfileParams
from webquarry.extractors.social.sources.photonet import page, web_profile_info
from webquarry.render import Link, Md


def render(r: PhotonetProfile) -> str:
    user = r.data.user
    md = Md(f"{user.full_name} (@{user.username})" if user.full_name else f"@{user.username}")
    figures = (("Followers", user.follower_count), ("Following", user.following_count), ("Posts", user.media_count))
    md.table("", ("Figure", "Count"), [(label, f"{count:,}") for label, count in figures if count is not None])
    md.facts(
        [
            ("Verified", user.is_verified),
            ("Private", user.is_private),
            ("Business", user.is_business_account),
            ("Category", user.category_name),
            ("Pronouns", user.pronouns),
            ("Web site", Link(user.external_url, user.external_url) if user.external_url else None),
            ("Picture", Link("profile picture", user.profile_pic_url_hd or user.profile_pic_url)),
        ]
    )
    md.quote(*(user.biography or "").split("\n"))
    md.bullets("Links", [Link(link.title or link.url, link.url) for link in user.bio_links])
    return md.source(f"{HOME_URL}/{user.username}/").text()


extractor = Extractor(
    name="social_photonet_profile",
    path="/social/photonet/profile",
    version=1,
    group="social",
    title="Photo-network profile",
    description=(
        "Returns a public profile of the photo network by its user name or URL, without logging in: `data.user` has "
        "counts, biography, links and badges. A private account returns a response with `is_private`. An unknown "
        "account returns `not_found`."
    ),
    params=PhotonetProfileParams,
    result=PhotonetProfile,
    credits=1,
    fresh=hours(24),
    deadline_s=8.0,
    sources=(
        Source(page.PHOTONET_PAGE, None, page.read, ask=page.ask),
        Source(
            web_profile_info.PHOTONET_WEB_PROFILE_INFO,
            web_profile_info.fetch,
            web_profile_info.read,
        ),
    ),
    render=render,
    ends={
        "not_found": "The account does not exist.",
    },
    example={"username": "example"},
)
