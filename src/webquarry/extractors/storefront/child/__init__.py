"""What children do with a shop's answers, and what they may answer."""
