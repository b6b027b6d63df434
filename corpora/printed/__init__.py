"""Printed documents whose text, tables, headings and relations are known: the program that prints them wrote them.

`paper` collects the markup of a document beside its truth, `words` draws what stands in it, `printing` prints it with
Chromium or LibreOffice; the other modules make documents of each kind from a seed.
"""
