"""Rules of the programme: plain Python without Django and without a database."""
