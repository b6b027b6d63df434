"""All endpoints: a module with a value `extractor` is one. A family is a folder, and knows no other family."""
