"""Kill parts of a running hub while they work."""
