"""One post: its text, counts, media, quoted post and article, and its author's thread.

Providers: FxTwitter, without a key; the X API with the operator's token; X's embedded posts and vxTwitter, which have
fewer fields. See docs/upstreams/microblog.md.

Raises Absent if the post is deleted, unknown or withheld, and EmptyResult if it is protected.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.microblog.params import TweetParams
from webquarry.extractors.social.model.microblog.render import render_tweet
from webquarry.extractors.social.model.microblog.result import Tweet
from webquarry.extractors.social.sources.microblog import fxtwitter
from webquarry.extractors.social.sources.untested import syndication, vxtwitter, x_api

extractor = Extractor(
    name="social_microblog_tweet",
    path="/social/microblog/tweet",
    version=2,
    group="social",
    title="Microblog post",
    description=(
        "Returns a post by its ID or URL: full text, counts, media, the quoted post, the author's thread (`thread`, "
        "root first) and, for an article, its body as markdown with images."
    ),
    params=TweetParams,
    identity=lambda params: {"id": params.post},
    result=Tweet,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(fxtwitter.FXTWITTER, fxtwitter.fetch_thread, fxtwitter.read_thread),
        Source(x_api.X_API, x_api.fetch_tweet, x_api.read_tweet),
        Source(syndication.SYNDICATION, syndication.fetch, syndication.read),
        Source(vxtwitter.VXTWITTER, vxtwitter.fetch_tweet, vxtwitter.read_tweet),
    ),
    render=render_tweet,
    ends={
        "not_found": "The post does not exist or was deleted.",
        "empty_result": "Only followers of the author can see the post.",
    },
    example={"id": "1849106200000000001"},
)
