"""The stores that are asked."""
