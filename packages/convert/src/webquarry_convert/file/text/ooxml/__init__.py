"""What Word's and PowerPoint's XML documents share: parts that refer to each other (`package`), diagrams and what
pictures show (`graphics`), and `charts`."""
