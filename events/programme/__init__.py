"""The programme: conferences, days, events, people, papers and rooms, their rules, and the record of changes."""
