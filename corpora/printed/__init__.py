"""Printed documents with known text, tables, headings and relations, because the generator produced both.

`paper` collects the markup of a document together with its truth, `words` draws its content, and `printing` prints it
with Chromium or LibreOffice. The other modules generate documents of each kind from a seed.
"""
