"""Programs of the SIGCHI conference app."""
