"""Sources of which no whole answer is on record: their readers were written after descriptions."""
