"""Sources of ad data."""
