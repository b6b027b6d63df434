"""What only a page's data says: text and facts of JSON-LD and of state objects that its elements do not show.

`find_missing` gives them as nodes to add behind the content that was chosen from the elements; nothing is written
twice.
"""

from webquarry_convert.page.state.missing import find_ingredients, find_missing

__all__ = ["find_ingredients", "find_missing"]
