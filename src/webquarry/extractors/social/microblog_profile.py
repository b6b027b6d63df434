"""An account's profile: description, counts, verification and location.

Providers: FxTwitter, without a key; the X API with the operator's token; vxTwitter, which has fewer fields. See
docs/upstreams/microblog.md. Raises Absent if the account is unknown or suspended. A protected account has a profile.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.microblog.params import ProfileParams
from webquarry.extractors.social.model.microblog.render import render_profile
from webquarry.extractors.social.model.microblog.result import Profile
from webquarry.extractors.social.sources.microblog import fxtwitter
from webquarry.extractors.social.sources.untested import vxtwitter, x_api

extractor = Extractor(
    name="social_microblog_profile",
    path="/social/microblog/profile",
    version=2,
    group="social",
    title="Microblog profile",
    description=(
        "Returns the profile of an account by its handle or URL: followers, following, posts, bio, website, "
        "location, join date, verification, and the country of the account. Protected accounts have "
        "a profile. Unknown and suspended accounts return `not_found`."
    ),
    params=ProfileParams,
    identity=lambda params: {"handle": params.account},
    result=Profile,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(fxtwitter.FXTWITTER, fxtwitter.fetch_profile, fxtwitter.read_profile),
        Source(x_api.X_API, x_api.fetch_profile, x_api.read_profile),
        Source(vxtwitter.VXTWITTER, vxtwitter.fetch_profile, vxtwitter.read_profile),
    ),
    render=render_profile,
    ends={
        "not_found": "The account does not exist or is suspended.",
    },
    example={"handle": "example"},
)
