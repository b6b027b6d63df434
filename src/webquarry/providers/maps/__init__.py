"""Who is asked for places."""
