"""Reads of the crowd room: reports, outlook, the block on the event page, and pressure on rooms."""
