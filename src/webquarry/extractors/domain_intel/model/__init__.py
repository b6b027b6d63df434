"""Results that several sources give."""
