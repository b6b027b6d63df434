"""What Word's and PowerPoint's XML documents share: parts that refer to each other (`package`), charts and diagrams
(`graphics`)."""
