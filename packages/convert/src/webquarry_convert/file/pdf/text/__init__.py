"""Conversion of lines in reading order to headings, paragraphs, lists and code blocks, and conversion of these to
markdown."""
