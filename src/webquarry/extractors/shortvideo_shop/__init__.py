"""A short-video platform's shop: products, videos of them, sellers, their stores, categories.

- `product`, `videos`, `seller`, `store`, `category`: the endpoints
- `model/`: ids, and the result of a product
- `sources/shop/`: pages of the shop; `sources/scrapecreators`: a service that passes its data on
- `data/`: names of categories
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Short-video shop",
    about="Products, sellers and categories of a short-video shop.",
    roots=("shortvideo",),
    place=11,
)
