"""Profiles, pages and posts of social platforms.

- `microblog_profile`, `microblog_tweet`, `microblog_tweets`, `microblog_replies`: the endpoints of the microblog
- `photonet_profile`, `shortvideo_profile`, `socialnet_page`: the endpoints of the other platforms
- `model/`: names of accounts, and results, by platform
- `sources/`: requests and parsers, by platform
- `sources/untested/`: providers without a complete recorded response
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Social profiles and posts",
    about="Public profiles and posts on social platforms.",
    roots=("social",),
    place=10,
)
