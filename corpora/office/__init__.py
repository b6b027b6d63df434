"""Generated office documents, books and emails whose text, tables and relations are known.

`flat` writes Flat OpenDocument, which LibreOffice converts to the other types. The other modules generate documents of
each kind from a seed. `corpora.printed.words` draws their content.
"""
