"""Questions of attendees about an event, votes for them, and decisions of moderators."""
