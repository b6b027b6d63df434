"""`/mcp`: every endpoint as a tool of the Model Context Protocol, using the same pipeline.

endpoint    checks every request: method, Host and Origin, selection, identity, body
direct      answers a plain `tools/call` without a framework
sdk         passes everything else to the official SDK

calls       runs a tool call through the pipeline
catalog     generates the tools from the registry, and selects those of a client
results     writes a result for a client: cleaned, framed, in parts
prepared    cleans and splits a result (`parts`, `clean`), in a child process if it is long
"""
