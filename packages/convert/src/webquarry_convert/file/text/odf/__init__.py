"""OpenDocument (ISO 26300): what texts and slides have in common.

`package` finds the parts, `styles` says what names of styles mean, `body` walks the content. `odt` and `odp` beside
this package are the two kinds of documents.
"""
