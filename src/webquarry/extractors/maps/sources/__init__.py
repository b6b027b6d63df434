"""The maps that are asked."""
