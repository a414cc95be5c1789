"""HTTP for all rooms: the request, caching headers, middleware, redaction of secrets, Atom feeds."""
