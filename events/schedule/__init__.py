"""What a schedule is, in plain Python: no Django, no database."""
