"""Extension stores."""
