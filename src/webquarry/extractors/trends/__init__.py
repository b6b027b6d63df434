"""What people search for: over time, by region, together with what, and now.

- `interest`, `geo`, `related`, `trending/`: the endpoints; `params`, `places`, `windows`: what is asked
- `sources`: the chain; `trends_api`, `trends_embed`, `serpapi`: its upstreams; `widgets`, `values`: what they share
"""
