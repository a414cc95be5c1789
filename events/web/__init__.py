"""HTTP for all packages: the request, caching headers, middleware, redaction of secrets, Atom feeds."""
