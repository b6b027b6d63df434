"""What is searched for now: four sources, one answer."""
