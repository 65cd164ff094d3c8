"""Commands of the memory, one file each."""
