"""Reading of a PDF's content within limits: words with positions and fonts, lines, links and fields."""
