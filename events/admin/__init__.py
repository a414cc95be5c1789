"""The organisers' side: the Django admin for every model that organisers edit."""
