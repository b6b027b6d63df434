"""A video platform: single videos, transcripts, channels and search.

- `video`, `transcript`, `channel`, `search`: the endpoints
- `model/`: ids, parameters and results
- `sources/innertube/`: the requests of the platform's own pages
- `sources/data_api`, `sources/api_channel`: the platform's API, which needs a key
- `sources/feed`: the feed of a channel
- `words`: words in the rows of lists, by language
- `sources/untested/`: providers without a complete recorded response
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Video platform",
    about="Videos, channels, transcripts and search on a video platform.",
    roots=("videoplatform",),
    place=12,
)
