"""Floor plans, directions, amenities and links to maps."""
