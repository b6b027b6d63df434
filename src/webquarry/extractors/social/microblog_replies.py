"""The replies to a post, page by page. The first page contains the post itself.

Providers: FxTwitter, without a key; the X API with the operator's token, which has the replies of the last seven days.
See docs/upstreams/microblog.md.

Raises Absent if the post is deleted or unknown, and EmptyResult if it is protected. A post without replies has an empty
list.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.microblog.params import REPLIES, RepliesParams
from webquarry.extractors.social.model.microblog.render import render_replies
from webquarry.extractors.social.model.microblog.result import Replies
from webquarry.extractors.social.sources.microblog import fxtwitter
from webquarry.extractors.social.sources.untested import x_api

extractor = Extractor(
    name=REPLIES,
    path="/social/microblog/replies",
    version=2,
    group="social",
    title="Microblog replies",
    description=(
        "Lists replies to a post: text, author, counts, media and the account replied to (`replying_to`). The first "
        "page includes the post in `tweet`. Logged-out visitors see fewer replies than the post counts. "
        "`ranking_applied` shows the order that was used. For the next page, pass `next_cursor` as `cursor`."
    ),
    params=RepliesParams,
    identity=lambda params: {"id": params.post, "cursor": params.cursor or "", "ranking": params.ranking},
    result=Replies,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(fxtwitter.FXTWITTER, fxtwitter.fetch_conversation, fxtwitter.read_conversation, skips=fxtwitter.skips),
        Source(x_api.X_API, None, x_api.read_replies, ask=x_api.ask_replies, skips=x_api.skips),
    ),
    render=render_replies,
    ends={
        "not_found": "The post does not exist.",
    },
    example={"id": "1849106200000000001"},
)
