"""Who is asked about domains."""
