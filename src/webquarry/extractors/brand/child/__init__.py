"""What children do with pictures, and what they may answer."""
