"""What children do with pages and files, and what they may answer."""
