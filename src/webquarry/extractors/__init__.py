"""All endpoints. Each module with an `extractor` value is an endpoint; each folder is a family and imports no other."""
