"""Sources for which no complete response is recorded: their readers were written from descriptions."""
