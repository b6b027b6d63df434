"""Words and lines as readers see them. Differences in the file's text runs are corrected."""
