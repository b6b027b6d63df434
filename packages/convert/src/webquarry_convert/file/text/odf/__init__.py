"""Conversion that OpenDocument (ISO 26300) text files and slides share.

`package` finds the parts, `styles` interprets styles, and `body` walks the content. The modules `odt` and `odp` outside
this package handle the two kinds of documents.
"""
