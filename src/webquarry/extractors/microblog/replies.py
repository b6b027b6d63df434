"""The replies to a post, page by page, with the post itself on the first one.

Upstreams: FxTwitter, keyless; the X API with the operator's token, which knows those of the last seven days. Wire
notes: docs/upstreams/microblog.md. A deleted or unknown post → Absent; a protected one → EmptyResult; no replies → an
empty list.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.microblog import fxtwitter, x_api
from webquarry.extractors.microblog.params import REPLIES, RepliesParams
from webquarry.extractors.microblog.render import render_replies
from webquarry.extractors.microblog.result import Replies

extractor = Extractor(
    name=REPLIES,
    path="/social/microblog/replies",
    version=2,
    group="social",
    title="Replies to a microblog post",
    description=(
        "A page of replies to a post: text, author, counts, media and what each answers (`replying_to`). The post "
        "itself stands in `tweet` of the first page. Visitors are shown fewer replies than the post counts. "
        "`ranking_applied` says which order the source gave. Give `next_cursor` as `cursor` for the next page."
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
        "not_found": "There is no such post.",
    },
    example={"id": "1849106200000000001"},
)
