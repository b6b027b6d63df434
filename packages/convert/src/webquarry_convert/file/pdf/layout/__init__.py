"""Layout of a page: the positions of its content, and the reading order."""
