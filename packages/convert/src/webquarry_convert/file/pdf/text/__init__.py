"""Lines in reading order as headings, paragraphs, lists and listings, and these as markdown."""
