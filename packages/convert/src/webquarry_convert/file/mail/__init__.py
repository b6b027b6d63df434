"""Conversion of mails (`.eml`, RFC 5322 and MIME) and of mailboxes (mbox, RFC 4155).

`recognition` distinguishes mails from other text files, and `mailbox` splits a file into mails. `headers` parses header
fields, `parts` parses the MIME tree, and `plain` converts plain-text bodies. `message` assembles a mail.
"""
