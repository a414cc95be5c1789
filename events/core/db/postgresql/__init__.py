"""Django's PostgreSQL, where a lost database costs the waiting time of one thread instead of all."""
