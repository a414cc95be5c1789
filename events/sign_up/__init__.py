"""Sign-up on this site: lists with a number of seats, waiting lists, and the host's view of a list."""
