"""Nothing leaks, nothing is done that was not asked for, and nothing a visitor sends breaks a page."""
