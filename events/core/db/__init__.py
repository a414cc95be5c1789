"""Model fields, short writes and prepared queries."""
