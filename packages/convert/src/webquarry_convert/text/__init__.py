"""Text from strangers.

- `charset`: which encoding it is in; `markup`, `unclosed`: markup that no parser needs more than linear time for
- `escape`: foreign text as markdown that means that text; `invisible`: characters that no reader sees
- `instants`: dates as strangers write them; `raised`: superscripts and subscripts
"""
