"""What a PDF holds: opened within bounds, its pages as words with places and fonts, lines, links and fields."""
