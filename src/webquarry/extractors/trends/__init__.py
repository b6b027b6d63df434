"""What people search for: over time, by region, together with what, and now."""
