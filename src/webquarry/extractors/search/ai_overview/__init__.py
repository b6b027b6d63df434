"""The answer that a search engine writes above its results, with its sources."""
