"""Public pages as bytes: rendered once for everybody, with holes for what is a visitor's own."""
