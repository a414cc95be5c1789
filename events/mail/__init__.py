"""Mail: written down first, sent by whoever is free."""
