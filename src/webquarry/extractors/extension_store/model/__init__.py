"""How an extension is named."""
