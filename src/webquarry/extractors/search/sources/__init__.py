"""Search engines, one module each: how it is asked, and what its answer holds."""
