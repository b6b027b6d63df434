"""Mails as programs save them (`.eml`, RFC 5322 and MIME), one or a mailbox of them (mbox, RFC 4155). `recognition`
tells one from other texts, `mailbox` divides a file into mails, `headers` reads fields, `parts` the tree of parts,
`plain` bodies of plain text, `message` puts a mail together.
"""
