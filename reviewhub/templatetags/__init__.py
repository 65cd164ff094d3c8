"""Hold what templates need beyond the framework's own filters."""
