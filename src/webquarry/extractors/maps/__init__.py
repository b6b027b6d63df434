"""Places on the map: a search for them, and one of them.

- `search`, `place`: the endpoints; `params`, `map_ids`, `map_view`: what is asked
- `rpc/`, `google_places`, `serper_maps`: the upstreams; `values`, `opening`, `links`, `nearness`: what readers share
- `result`, `page`, `render`: what is told
"""
