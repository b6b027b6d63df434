"""Office documents, books and mails whose text, tables and relations are known: the program that makes them wrote them.

`flat` writes Flat OpenDocument, which LibreOffice turns into the other types; the other modules make documents of each
kind from a seed. What stands in them is drawn by `corpora.printed.words`.
"""
