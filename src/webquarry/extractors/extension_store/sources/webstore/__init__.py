"""The Chrome Web Store."""
