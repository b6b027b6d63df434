"""Words and lines as a reader sees them. Differences in the file's text runs are corrected."""
