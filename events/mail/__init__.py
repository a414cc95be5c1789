"""Mail: an outbox in the database, and the thread that sends it."""
