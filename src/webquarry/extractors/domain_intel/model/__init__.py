"""Results shared by several sources."""
