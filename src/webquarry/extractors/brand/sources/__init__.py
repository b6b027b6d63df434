"""Sources of icons."""
