"""Real components that several tests start."""
