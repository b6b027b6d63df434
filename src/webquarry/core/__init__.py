"""What every part uses: clock, errors, log, settings, values and texts. Nothing in here knows another part."""
