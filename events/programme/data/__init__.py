"""The programme as plain values, for imports and exports."""
