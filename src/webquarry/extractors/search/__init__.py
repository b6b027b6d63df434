"""Web search and the answer above its results."""
