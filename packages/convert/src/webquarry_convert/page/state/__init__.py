"""Content that is only in a page's data: text and facts of JSON-LD and state objects that the elements do not show.

`find_missing` returns this content as nodes to add after the content selected from the elements, without repeated text.
"""

from webquarry_convert.page.state.missing import find_ingredients, find_missing

__all__ = ["find_ingredients", "find_missing"]
