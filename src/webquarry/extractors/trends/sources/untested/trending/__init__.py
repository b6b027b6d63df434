"""What is searched for now: the call, the page, the feed, SerpApi."""
