"""Who is asked for trends of searches."""
