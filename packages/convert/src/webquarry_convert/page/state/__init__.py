"""Content that only a page's data has: text and facts in JSON-LD and state objects that no element shows.

`find_missing` returns this content as nodes to add after the content selected from the elements, without repeated text.
"""

from webquarry_convert.page.state.missing import find_ingredients, find_missing

__all__ = ["find_ingredients", "find_missing"]
