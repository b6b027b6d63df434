"""`/mcp`: every endpoint as a tool of the Model Context Protocol, through the same pipeline.

endpoint    checks of every request: methods, Host and Origin, selection, identity, body; then
direct      a plain `tools/call`, parsed and answered without a framework, or
sdk         everything else, and anything unusual, through the official SDK

calls       a tool call, through the pipeline, to a finished result
catalog     the tools, generated from the registry, and a client's selection of them
results     a result for a client: cleaned, framed, in parts
sheets      cleaning and splitting of a result (`parts`, `clean`); long ones in a child process
"""
