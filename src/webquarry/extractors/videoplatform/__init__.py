"""A video platform: one video, what is said in it, a channel, and a search.

- `video`, `transcript`, `channel`, `search`: the endpoints
- `model/`: ids, parameters and results
- `sources/innertube/`: the calls of the platform's own pages; `data_api`, `api_channel`: its API by key; `feed`
- `words`: words of rows in lists, by language
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Video platform",
    about="Videos, channels, transcripts and search on a video platform.",
    roots=("videoplatform",),
    place=12,
)
