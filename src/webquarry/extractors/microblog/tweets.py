"""An account's timeline, page by page: its posts, reposts and, where asked for, replies.

Upstreams: FxTwitter, keyless; the X API with the operator's token. Wire notes: docs/upstreams/microblog.md. An unknown
account → Absent; a protected one → EmptyResult; no posts → an empty list.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.microblog import fxtwitter, x_api
from webquarry.extractors.microblog.params import TWEETS, TweetsParams
from webquarry.extractors.microblog.render import render_timeline
from webquarry.extractors.microblog.result import Timeline


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
    title="Timeline of a microblog account",
    description=(
        "About 20 posts of an account on a page, newest first, a pinned one before them: text, author, counts, media, "
        "quoted posts, polls and previews of links. A repost is the original with `reposted_by`, and stands where it "
        "was reposted, so dates do not always fall. Give `next_cursor` as `cursor` for the next page."
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
        "not_found": "There is no such account.",
        "empty_result": "The account shows its posts to its followers only.",
        "invalid_params": "So is a cursor that the source no longer takes: begin anew without it.",
    },
    example={"handle": "example"},
)
