"""Shop platforms."""
