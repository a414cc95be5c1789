"""Wall screens at doors and in foyers."""
