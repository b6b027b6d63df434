"""Sources of map data."""
