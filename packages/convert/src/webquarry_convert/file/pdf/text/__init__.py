"""Converts lines in reading order to headings, paragraphs, lists and code blocks, and these to markdown."""
