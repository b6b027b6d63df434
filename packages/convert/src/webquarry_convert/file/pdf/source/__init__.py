"""Reads a PDF's content within limits: words with their positions and fonts, lines, links and fields."""
