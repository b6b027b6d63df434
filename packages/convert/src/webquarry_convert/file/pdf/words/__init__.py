"""Words and lines as a reader sees them, corrected where the text runs of a file differ."""
