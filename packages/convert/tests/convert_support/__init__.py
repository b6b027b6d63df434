"""Files and pages that tests make, and measures of work."""
