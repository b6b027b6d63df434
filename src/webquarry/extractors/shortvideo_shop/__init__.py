"""A short-video platform's shop: products, their videos, sellers, stores and categories.

- `product`, `videos`, `seller`, `store`, `category`: the endpoints
- `model/`: ids, and the result of a product
- `sources/shop/`: pages of the shop
- `sources/scrapecreators`: a service that republishes the shop's data
- `data/`: names of categories
- `sources/untested/`: providers without a complete recorded response
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Short-video shop",
    about="Products, sellers and categories of a short-video shop.",
    roots=("shortvideo",),
    place=11,
)
