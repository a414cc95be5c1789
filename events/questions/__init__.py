"""Questions of attendees to an event, votes for them, and decisions of moderators."""
