"""The ad libraries that are asked."""
