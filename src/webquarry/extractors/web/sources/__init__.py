"""The page that the caller names."""
