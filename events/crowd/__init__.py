"""Reports of how full rooms are and how long lines are; outlooks, alternatives, and rooms that are too small."""
