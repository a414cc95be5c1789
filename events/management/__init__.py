"""Management commands, and the invented programme that one of them loads."""
