"""`/mcp`: every endpoint as a tool of the Model Context Protocol, over the same pipeline.

endpoint    what every request meets first: methods, Host and Origin, selection, identity, body; then
direct      a plain `tools/call`, read and answered without a framework, or
sdk         everything else, and whatever looks unusual, by the official SDK
calls       a tool call, through the pipeline, as a finished result
catalog     the tools, read from the registry, and a client's selection of them
results     an answer as a client reads it: cleaned, framed, in parts
sheets      cleaning and cutting of one answer (`parts`, `clean`); long ones in a child
"""
