"""A round past the bookmarked posters of a session."""
