"""Training of the numbers by which the content of a page is chosen (`webquarry_convert.page.content`)."""
