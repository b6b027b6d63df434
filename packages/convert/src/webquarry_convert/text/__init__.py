"""Handling of untrusted text.

- `charset`: character encodings; `markup`, `unclosed`: HTML prepared so that parsing takes linear time
- `escape`: plain text escaped for markdown; `invisible`: invisible characters
- `instants`: parsing of dates; `raised`: superscripts and subscripts
"""
