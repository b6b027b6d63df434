"""Any page or document."""
