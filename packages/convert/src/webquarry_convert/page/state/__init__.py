"""Content that only a page's data contains: texts and facts of JSON-LD and state objects that its elements do not show.

`find_missing` returns them as nodes to add after the content selected from the elements, without repeating any text.
"""

from webquarry_convert.page.state.missing import find_ingredients, find_missing

__all__ = ["find_ingredients", "find_missing"]
