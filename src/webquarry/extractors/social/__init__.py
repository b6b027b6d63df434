"""Profiles, pages and posts of social platforms.

- `microblog_profile`, `microblog_tweet`, `microblog_tweets`, `microblog_replies`: the endpoints of the microblog
- `photonet_profile`, `shortvideo_profile`, `socialnet_page`: those of the other platforms
- `model/`: how accounts are named, and the results, by platform
- `sources/`: requests and readers, by platform
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Social profiles and posts",
    about="Public profiles and posts on social platforms.",
    roots=("social",),
    place=10,
)
