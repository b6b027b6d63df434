"""The platforms that are asked."""
