"""Mini-Conf sites."""
