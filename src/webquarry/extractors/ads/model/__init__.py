"""What the ad endpoints give."""
