"""Layout of a page: positions of its content, and reading order."""
