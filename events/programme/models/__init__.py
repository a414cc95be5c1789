"""Models of the programme."""
