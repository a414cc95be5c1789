"""How full rooms are and how long lines are: reports, outlook, alternatives, and pressure on rooms."""
