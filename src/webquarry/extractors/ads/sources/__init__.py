"""Sources of ads."""
