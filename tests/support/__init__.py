"""Real parts that several tests start."""
