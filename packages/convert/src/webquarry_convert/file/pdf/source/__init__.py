"""A PDF's content, read within limits: its pages' words with positions and fonts, lines, links and fields."""
