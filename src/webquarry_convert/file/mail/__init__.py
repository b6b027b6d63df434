"""Mails as programs save them (`.eml`, RFC 5322 and MIME). `recognition` tells one from other texts, `headers` reads
fields, `parts` the tree of parts, `plain` bodies of plain text, `message` puts a mail together.
"""
