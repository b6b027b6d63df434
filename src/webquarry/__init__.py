"""Webquarry: public web data as JSON and as markdown for language models."""
