"""The layout of a page: the positions of its content, and its reading order."""
