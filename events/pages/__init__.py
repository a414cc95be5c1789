"""Pages that put several capabilities together: overview, days, events, lists, agenda, people, papers, venue."""
