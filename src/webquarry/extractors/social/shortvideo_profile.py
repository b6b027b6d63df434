"""A profile of the short-video network: its description, its exact counts, and whether it is visible.

Providers: the profile page, then the embed page, whose counts are rounded. See docs/upstreams/shortvideo-profile.md.
Raises Absent only if the profile page reports that the account does not exist. A hidden or private account has
`is_available` false.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.shortvideo.handle import HOME_URL
from webquarry.extractors.social.model.shortvideo.result import ShortvideoProfile, ShortvideoProfileParams, UserInfo
from webquarry.extractors.social.sources.shortvideo import page
from webquarry.extractors.social.sources.untested import shortvideo_embed
from webquarry.read import at, take
from webquarry.read.fields import to_address, to_instant, to_line, to_text
from webquarry.render import Md

COUNTERS = (
    ("Followers", "followerCount"),
    ("Following", "followingCount"),
    ("Likes", "heartCount"),
    ("Videos", "videoCount"),
)


def render(r: ShortvideoProfile) -> str:
    if r.userInfo is None:
        return Md("Profile not shown").paragraph("The account exists, but its data is hidden.").source(HOME_URL).text()
    return _write_described(r, r.userInfo)


def _write_described(r: ShortvideoProfile, info: UserInfo) -> str:
    user = info.user
    handle = take(user, "uniqueId", to_line)
    nickname = take(user, "nickname", to_line)
    created = take(user, "createTime", to_instant)
    bio = take(user, "signature", to_text) or ""
    md = Md(f"{nickname or handle or 'Profile'}" + (f" (@{handle})" if handle and nickname else ""))
    if not r.is_available:
        md.paragraph("This account is hidden or private, so little data may be available.")
    md.table(
        "",
        ("Figure", "Count"),
        [(label, _count(info.stats.get(name))) for label, name in COUNTERS if info.stats.get(name) is not None],
    )
    if r.counts_rounded:
        md.paragraph("The provider rounds large numbers.")
    md.facts(
        [
            ("Verified", at(user, "verified", bool)),
            ("Private", at(user, "privateAccount", bool)),
            ("Link", _link(user)),
            ("Created", created.date() if created else None),
            ("Region", take(user, "region", to_line)),
        ]
    )
    md.quote(*bio.split("\n"))
    return md.source(f"{HOME_URL}/@{handle}" if handle else HOME_URL).text()


def _count(count: int | None) -> str | None:
    return None if count is None else f"{count:,}"


def _link(user: dict[str, object]) -> str | None:
    """Return the link in the profile, with `https://` added if it has no scheme."""
    link = take(user, "bioLink.link", to_line)
    return to_address(link) or (to_address(f"https://{link}") if link else None)


extractor = Extractor(
    name="social_shortvideo_profile",
    path="/social/shortvideo/profile",
    version=2,
    group="social",
    title="Short-video profile",
    description=(
        "Returns a public profile of the short-video network by its user name or URL: the network's `userInfo` with "
        "exact counts. `is_available` is false for a hidden or private account. An unknown account returns "
        "`not_found`."
    ),
    params=ShortvideoProfileParams,
    result=ShortvideoProfile,
    credits=1,
    fresh=hours(12),
    sources=(
        Source(page.SHORTVIDEO_PAGE, None, page.read, ask=page.ask),
        Source(shortvideo_embed.SHORTVIDEO_EMBED, shortvideo_embed.fetch, shortvideo_embed.read),
    ),
    render=render,
    ends={
        "not_found": "The account does not exist.",
    },
    example={"username": "example"},
)
