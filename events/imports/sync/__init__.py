"""Write a ScheduleData into the rows of its conference: plan by a three-way merge, then write in one transaction."""
