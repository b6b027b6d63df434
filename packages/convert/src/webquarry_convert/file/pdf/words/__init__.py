"""Words and lines as a reader sees them, where the runs of a file say otherwise."""
