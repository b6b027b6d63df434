"""Ids of the shop, and the result of a product."""
