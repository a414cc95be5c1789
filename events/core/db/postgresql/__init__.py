"""Django's PostgreSQL, where nobody waits for a lost database."""
