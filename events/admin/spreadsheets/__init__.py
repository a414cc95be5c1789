"""Lists as CSV and XLSX: out as they are filtered, and in again after a look at what would change."""
