"""Training of the weights by which the converter chooses the content of a page (`webquarry_convert.page.content`)."""
