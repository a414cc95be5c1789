"""What is wrong with the installation, for `manage.py doctor` and the first page of the admin."""
