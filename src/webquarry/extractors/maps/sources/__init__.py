"""Sources of places."""
