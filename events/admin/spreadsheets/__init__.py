"""Lists as CSV and XLSX: export as filtered, import after a preview."""
