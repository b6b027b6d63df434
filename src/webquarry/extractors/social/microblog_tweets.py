"""An account's timeline, page by page: its posts, reposts and, if requested, replies.

Providers: FxTwitter, without a key; the X API with the operator's token. See docs/upstreams/microblog.md.

Raises Absent if the account is unknown, and EmptyResult if it is protected. An account without posts has an empty list.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.microblog.params import TWEETS, TweetsParams
from webquarry.extractors.social.model.microblog.render import render_timeline
from webquarry.extractors.social.model.microblog.result import Timeline
from webquarry.extractors.social.sources.microblog import fxtwitter
from webquarry.extractors.social.sources.untested import x_api


def identify(params: TweetsParams) -> dict[str, str]:
    return {
        "handle": params.account,
        "cursor": params.cursor or "",
        "with_replies": "true" if params.with_replies else "false",
    }


extractor = Extractor(
    name=TWEETS,
    path="/social/microblog/tweets",
    version=2,
    group="social",
    title="Microblog timeline",
    description=(
        "Lists the posts of an account, newest first, after the pinned post: text, author, counts, media, quoted "
        "posts, polls and link previews. Each page has about 20 posts. A repost is the original post with "
        "`reposted_by`. It appears at the time it was reposted, so dates are not always in descending order. For "
        "the next page, pass `next_cursor` as `cursor`."
    ),
    params=TweetsParams,
    identity=identify,
    result=Timeline,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(
            fxtwitter.FXTWITTER,
            None,
            fxtwitter.read_timeline,
            ask=fxtwitter.ask_timeline,
            skips=fxtwitter.skips,
        ),
        Source(x_api.X_API, None, x_api.read_timeline, ask=x_api.ask_timeline, skips=x_api.skips),
    ),
    render=render_timeline,
    ends={
        "not_found": "The account does not exist.",
        "empty_result": "Only followers of the account can see its posts.",
        "invalid_params": "The cursor has expired. Start again without it.",
    },
    example={"handle": "example"},
)
