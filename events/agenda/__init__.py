"""One visitor's agenda: bookmarks, conflicts, gaps, private entries, sharing, devices, and what other rooms store for it."""
